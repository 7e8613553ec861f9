"""Beliefs from moves, and the recorder of beliefs."""

import numpy as np
import pytest

from hoad.adhoc_player import play_episodes
from hoad.agents import Agent, get_agent, play
from hoad.agents.check import rearranged
from hoad.bayes.belief import BeliefRecorder
from hoad.bayes.matchups import play_matchups
from hoad.bayes.moves import LikelihoodBelief, beliefs_from, log_evidence
from hoad.game.log import GameLogs
from tests.bayes.meta_agents import bayes_features, generalist
from tests.game.examples import up_to

POOL = ("iggi", "internal", "outer", "flawed", "piers", "van-den-bergh")
EPISODES = 40


@pytest.fixture(scope="module")
def agents() -> list[Agent]:
    return [get_agent(name) for name in POOL]


def games_with(partner: str, seat: int, games: int = EPISODES) -> GameLogs:
    names = ["iggi", partner] if seat == 0 else [partner, "iggi"]
    return play([get_agent(name) for name in names], games, seed=8)


def belief_after(agents: list[Agent], logs: GameLogs, seat: int, **options) -> np.ndarray:
    belief = LikelihoodBelief(agents, **options)
    belief.begin(len(logs))
    belief.update(logs, seat, np.zeros(len(logs), np.int64))
    return belief.probabilities


@pytest.mark.parametrize("reveal", ["none", "after_game"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("partner", POOL)
def test_one_game_shows_who_the_partner_is(agents, partner, seat, reveal):
    beliefs = belief_after(agents, games_with(partner, seat), seat, reveal=reveal)

    np.testing.assert_allclose(beliefs.sum(1), 1)
    assert (beliefs.argmax(1) == POOL.index(partner)).mean() >= 0.95
    assert beliefs[:, POOL.index(partner)].mean() > 0.9


def test_evidence_is_that_of_all_games(agents):
    belief = LikelihoodBelief(agents)
    belief.begin(3)
    assert belief.probabilities == pytest.approx(np.full((3, len(POOL)), 1 / len(POOL)))
    total = np.zeros((3, len(POOL) + 1))
    for seat in range(2):
        logs = games_with("flawed", seat, games=3)
        belief.update(logs, seat, np.zeros(3, np.int64))
        alone = LikelihoodBelief(agents)
        alone.begin(3)
        alone.update(logs, seat, np.zeros(3, np.int64))
        total += alone.evidence

    np.testing.assert_allclose(belief.probabilities, beliefs_from(total), atol=1e-6)


def test_a_move_that_a_hypothesis_never_makes_does_not_rule_it_out():
    evidence = log_evidence(np.array([[1.0, 0.0, 0.5]]), noise=0.1)

    stranger = 0.9 * 0.5 + 0.005
    np.testing.assert_allclose(np.exp(evidence), [[0.905, 0.005, 0.455, stranger]])
    shares = np.array([0.905, 0.005, 0.455]) + stranger / 3
    np.testing.assert_allclose(beliefs_from(evidence), [shares / (1.365 + stranger)])
    too_unlikely = np.array([[-5000.0, -5001.0, -9000.0]])  # for a float
    np.testing.assert_allclose(beliefs_from(too_unlikely), [[0.731, 0.269]], atol=1e-3)


def test_whoever_explains_few_of_the_moves_is_not_believed_in():
    moves = np.arange(30)
    by_turns = np.eye(3)[moves % 3]
    mostly_first = np.eye(3)[np.where(moves < 28, 0, 1)]

    evidence = [log_evidence(weights, 0.05).sum(0) for weights in (by_turns, mostly_first)]
    evidence[0][0] += 2.0  # the first seems likelier than the others

    beliefs = beliefs_from(np.array(evidence))
    assert beliefs[0] == pytest.approx(np.full(3, 1 / 3), abs=1e-6)
    assert beliefs[1] == pytest.approx([1, 0, 0], abs=1e-6)


@pytest.mark.parametrize("turn", [10, 41])
def test_only_a_table_laid_open_shows_cards_that_never_left_the_hand(agents, turn):
    played = play([get_agent("iggi"), get_agent("flawed")], 30, seed=5)
    pair = [up_to(logs, -1) for logs in rearranged(played, turn, np.random.default_rng(2))]
    seat = turn % 2

    hidden, others = (belief_after(agents, logs, seat) for logs in pair)
    open_, other_open = (belief_after(agents, logs, seat, reveal="after_game") for logs in pair)

    np.testing.assert_array_equal(hidden, others)
    assert (open_ != other_open).any()


def test_episodes_do_not_depend_on_each_other(agents):
    logs = games_with("internal", 1)
    together = belief_after(agents, logs, 1)

    alone = belief_after(agents, logs.select(np.array([7])), 1)

    np.testing.assert_array_equal(alone[0], together[7])


BELIEFS = (
    np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]),
    np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]),
)


def test_beliefs_are_recorded_before_each_game():
    beliefs, of_stranger = (BeliefRecorder(("a", "b"), partner) for partner in (0, None))
    for recorder in (beliefs, of_stranger):
        for each in BELIEFS:
            recorder.record(each)
    found, unknown = beliefs.beliefs(), of_stranger.beliefs()

    assert found.hypotheses == ("a", "b")
    np.testing.assert_allclose(found.means, [[0.5, 0.5], [1.6 / 3, 1.4 / 3]])
    np.testing.assert_array_equal(found.of_first_episode, [[0.5, 0.5], [0.9, 0.1]])
    np.testing.assert_array_equal(found.in_partner, [[0.5, 0.9], [0.5, 0.2], [0.5, 0.5]])
    np.testing.assert_array_equal(found.found, [[0, 1], [0, 0], [0, 0]])
    for undefined in (found.estimates, unknown.in_partner, unknown.found):
        assert np.isnan(undefined).all()


def test_players_with_fixed_beliefs_record_none():
    matchups = play_matchups(("iggi", "flawed"), games=10, seed=1)
    learner, fixed = bayes_features(matchups), generalist(matchups)
    for player in (learner, fixed):
        play_episodes(player, get_agent("iggi"), 3, 4, seed=1)

    assert fixed.beliefs is None
    assert learner.beliefs is not None
    assert learner.beliefs.means.shape == (4, 2)
    np.testing.assert_allclose(learner.beliefs.means[0], 0.5)
