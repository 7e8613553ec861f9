"""Fitness of candidates, and how alike two rule lists are."""

from dataclasses import replace

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.agents.follow import follow, in_order
from hoad.agents.registry import RULE_LISTS
from hoad.agents.rules.rule_list import rule_list_agent
from hoad.core.errors import HoadError
from hoad.evolution.fitness import evaluate, evaluate_pairs
from hoad.evolution.rule_list_agreement import expected_agreement
from hoad.game.log import GameLogs, replay

GAMES, SEED, FIRST = 40, 5, 300


@pytest.mark.parametrize("name", ["iggi", "flawed", "internal", "legal-random", "piers"])
@pytest.mark.parametrize("feature", ["communicativeness", "risk_aversion"])
def test_fitness_and_features_are_those_of_games_played_and_replayed(name, feature):
    chromosome, features = RULE_LISTS[name], (feature, "information_per_play")

    evaluated = evaluate(np.array([chromosome]), GAMES, SEED, FIRST, features=features)

    agent = rule_list_agent(name, chromosome)
    logs = play([agent, agent], GAMES, SEED, FIRST)
    assert evaluated.fitness[0] == replay(logs).scores.mean()
    expected = features_of(count_behaviour(logs).sum((0, 1)), features)
    np.testing.assert_array_equal(evaluated.features[0], expected)


def test_pairs_score_as_in_games_played_and_replayed():
    names = ("iggi", "flawed", "piers")
    agents = [rule_list_agent(name, RULE_LISTS[name]) for name in names]
    longest = max(len(RULE_LISTS[name]) for name in names)
    rules = np.array([(*RULE_LISTS[name], *[0] * longest)[:longest] for name in names])

    scores = evaluate_pairs(rules, rules[[1, 2, 0]], GAMES, SEED)

    for index, score in enumerate(scores):
        logs = play([agents[index], agents[(index + 1) % 3]], GAMES, SEED)
        assert score == replay(logs).scores.mean()


def test_fitness_and_features_depend_neither_on_threads_nor_on_the_other_chromosomes():
    chromosomes = np.random.default_rng(3).integers(0, 50, (12, 15))

    once = evaluate(chromosomes, GAMES, SEED, FIRST)
    threaded = evaluate(chromosomes[::-1], GAMES, SEED, FIRST, threads=3)

    np.testing.assert_array_equal(once.fitness, threaded.fitness[::-1])
    np.testing.assert_array_equal(once.features, threaded.features[::-1])


def test_agent_that_never_plays_has_no_fitness_and_without_chromosomes_there_are_no_results(logs):
    idle = evaluate(np.array([[22, 34]]), GAMES, SEED, FIRST)
    nobody = evaluate(np.zeros((0, 15), np.int64), GAMES, SEED, FIRST)

    assert idle.fitness[0] == 0
    assert np.isnan(idle.features[0, 1])
    assert (nobody.fitness.shape, nobody.features.shape) == ((0,), (0, 2))
    with pytest.raises(HoadError, match="unknown rule 999"):
        evaluate(np.array([[8, 999]]), GAMES, SEED, FIRST)
    with pytest.raises(HoadError, match="unknown rule 999"):
        expected_agreement([[8, 999]], np.zeros((0, 1), np.int64), logs)


NAMES = ("iggi", "flawed", "legal-random", "piers")


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    return play([get_agent("iggi"), get_agent("flawed")], 6, seed=2)


def test_agreement_is_the_chance_of_the_same_move_in_each_recorded_state_of_two_or_a_group(logs):
    groups = np.array([[0, 1, 2], [1, 2, 3]])

    agreement, unanimous = expected_agreement([RULE_LISTS[name] for name in NAMES], groups, logs)

    distributions = distributions_of(logs)
    expected = np.einsum("ask,bsk->ab", distributions, distributions)
    np.testing.assert_allclose(agreement, expected, rtol=1e-6)
    assert (agreement == agreement.T).all()
    np.testing.assert_allclose(unanimous, distributions[groups].prod(axis=1).sum((1, 2)), rtol=1e-6)


def test_agreement_is_that_of_legal_games_of_two(logs):
    groups, endless = np.zeros((0, 1), np.int64), np.array([0, 200])
    long = GameLogs(2, logs.decks[:1], np.full(200, logs.actions[0]), endless)

    for other in (long, replace(logs, players=3)):
        with pytest.raises(HoadError, match=r"illegal|3 players"):
            expected_agreement([[8]], groups, other)


def distributions_of(logs: GameLogs) -> np.ndarray:
    """By agent and decision."""
    seats = np.ones((len(logs), 2), np.bool_)
    agents = [rule_list_agent(name, RULE_LISTS[name]) for name in NAMES]
    return np.array([in_order(follow(agent, logs, seats), logs, seats) for agent in agents])
