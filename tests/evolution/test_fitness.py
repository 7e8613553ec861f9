import numpy as np
import pytest

from hoad.agents import play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.agents.registry import RULE_LISTS
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.core.errors import HoadError
from hoad.evolution.fitness import evaluate, evaluate_pairs
from hoad.game.log import replay

GAMES, SEED, FIRST = 40, 5, 300


@pytest.mark.parametrize("name", ["iggi", "flawed", "internal", "legal-random", "piers"])
def test_fitness_is_that_of_games_played_and_replayed(name):
    chromosome = RULE_LISTS[name]

    found = evaluate(np.array([chromosome]), GAMES, SEED, FIRST)

    agent = rule_list_agent(name, chromosome)
    logs = play([agent, agent], GAMES, SEED, FIRST)
    assert found.fitness[0] == replay(logs).scores.mean()
    np.testing.assert_array_equal(found.features[0], features_of(count_behaviour(logs).sum((0, 1))))


def test_risk_aversion_is_that_of_games_played_and_replayed():
    chromosome = RULE_LISTS["iggi"]
    features = ("risk_aversion", "information_per_play")

    found = evaluate(np.array([chromosome]), GAMES, SEED, FIRST, features=features)

    agent = rule_list_agent("iggi", chromosome)
    counts = count_behaviour(play([agent, agent], GAMES, SEED, FIRST)).sum((0, 1))
    np.testing.assert_array_equal(found.features[0], features_of(counts, features))
    assert 0.5 < found.features[0, 0] <= 1


def test_pairs_score_as_in_games_played_and_replayed():
    names = ("iggi", "flawed", "piers")
    agents = [rule_list_agent(name, RULE_LISTS[name]) for name in names]
    longest = max(len(RULE_LISTS[name]) for name in names)
    rules = np.array([(*RULE_LISTS[name], *[0] * longest)[:longest] for name in names])

    scores = evaluate_pairs(rules, rules[[1, 2, 0]], GAMES, SEED, FIRST)

    for index, score in enumerate(scores):
        logs = play([agents[index], agents[(index + 1) % 3]], GAMES, SEED, FIRST)
        assert score == replay(logs).scores.mean()


def test_found_do_not_depend_on_threads_or_on_the_other_chromosomes():
    chromosomes = np.random.default_rng(3).integers(0, 50, (12, 15))

    once = evaluate(chromosomes, GAMES, SEED, FIRST)
    threaded = evaluate(chromosomes[::-1], GAMES, SEED, FIRST, threads=3)

    np.testing.assert_array_equal(once.fitness, threaded.fitness[::-1])
    np.testing.assert_array_equal(once.features, threaded.features[::-1])


def test_agent_that_never_plays_has_no_fitness_and_no_information_per_play():
    found = evaluate(np.array([[22, 34]]), GAMES, SEED, FIRST)

    assert found.fitness[0] == 0
    assert np.isnan(found.features[0, 1])


def test_no_chromosomes_give_no_results():
    found = evaluate(np.zeros((0, 15), np.int64), GAMES, SEED, FIRST)

    assert found.fitness.shape == (0,)
    assert found.features.shape == (0, 2)


def test_unknown_rule_is_named():
    with pytest.raises(HoadError, match="unknown rule 999"):
        evaluate(np.array([[8, 999]]), GAMES, SEED, FIRST)
