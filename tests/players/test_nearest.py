"""Players that look for the agent of a pool that is nearest to the partner."""

import numpy as np
import pytest

from hoad.adhoc_player import Support, play_episodes
from hoad.agents import get_agent, play
from hoad.agents.agent import MOVES
from hoad.agents.follow import follow
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.matchups import Matchups
from hoad.bayes.moves import NOISE, BayesMovesAgent, SupportedMetaAgent, support_evidence
from hoad.players.nearest import NearestPlayer, NearestResponsePlayer

POOL = ("flawed", "piers", "simplebot", "holmesbot")
RELATIVES = {"iggi": "piers", "valuebot": "holmesbot"}


def matchups(best: dict[str, tuple[str, str]]) -> Matchups:
    """Matchups in which an agent's best response is another one in each seat."""
    scores = np.zeros((len(POOL), len(POOL)))
    for agent, (first, second) in best.items():
        scores[POOL.index(first), POOL.index(agent)] = 9
        scores[POOL.index(agent), POOL.index(second)] = 9
    return Matchups(POOL, scores, scores, np.zeros((len(POOL), len(POOL), 2, 2)))


def support(agent: str) -> Support:
    return Support(get_agent(agent), trials=3, games=10)


@pytest.mark.parametrize("partner", POOL)
def test_evidence_is_the_log_probability_of_all_moves(partner):
    agents = [get_agent(name) for name in POOL]
    logs = play([get_agent(partner)] * 2, 4, seed=1)

    evidence = support_evidence(Hypotheses(agents), logs)

    expected = np.zeros(len(POOL))
    for index, agent in enumerate(agents):
        for turn in follow(agent, logs, np.ones((4, 2), np.bool_)):
            weights = turn.weights[np.arange(len(turn.actions)), turn.actions]
            expected[index] += np.log((1 - NOISE) * weights + NOISE / MOVES).sum()
    np.testing.assert_allclose(evidence[:-1], expected)
    assert POOL[int(evidence.argmax())] == partner


@pytest.mark.parametrize("partner", RELATIVES)
def test_nearest_plays_as_the_relative_of_the_partner(partner):
    player = NearestPlayer("nearest", support(partner), POOL)

    player.begin(episodes=6, seed=5)

    assert {agent.name for agent in player.agents(0, seat=1)} == {RELATIVES[partner]}


def test_nearest_response_plays_as_the_best_response_in_each_seat():
    known = matchups({"piers": ("flawed", "simplebot")})
    player = NearestResponsePlayer("nearest-response", support("iggi"), known)

    player.begin(episodes=6, seed=5)

    assert {agent.in_seat(0).name for agent in player.agents(0, seat=0)} == {"flawed"}
    assert {agent.in_seat(1).name for agent in player.agents(1, seat=1)} == {"simplebot"}


def test_bayes_moves_begins_each_episode_with_the_evidence_of_its_trial():
    known = matchups({"piers": ("piers", "piers")})
    player = SupportedMetaAgent("bayes-moves-support", support("iggi"), known)

    player.begin(episodes=6, seed=5)

    hypotheses = Hypotheses([get_agent(name) for name in POOL])
    expected = [support_evidence(hypotheses, logs) for logs in support("iggi").play(5)]
    np.testing.assert_array_equal(player.belief.knowledge, np.repeat(expected, 2, axis=0))
    agent = player.agents(0, seat=1)[0]
    assert isinstance(agent, BayesMovesAgent)
    evidence = agent.memory_with(player.belief.knowledge)
    np.testing.assert_array_equal(player.memory(0, seat=1), evidence)


@pytest.mark.parametrize(
    ("player", "known"),
    [
        (NearestPlayer, POOL),
        (NearestResponsePlayer, matchups({"piers": ("piers", "piers")})),
        (SupportedMetaAgent, matchups({"piers": ("piers", "piers")})),
    ],
)
def test_sessions_repeat(player, known):
    sessions = [
        play_episodes(player("player", support("iggi"), known), get_agent("iggi"), 6, 2, seed=3)
        for _ in range(2)
    ]

    np.testing.assert_array_equal(sessions[0].strict, sessions[1].strict)
    assert sessions[0].strict.mean() > 5
