"""Meta-agents that adapt at mistakes or after turns of the partner."""

from collections.abc import Iterable

import numpy as np
import pytest

from hoad.adhoc_player import play_episodes
from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.agents.check import check_agent
from hoad.agents.follow import states_at
from hoad.bayes.features import BayesFeaturesAgent, BehaviourBelief, update_log_beliefs
from hoad.bayes.in_game import InGameBelief, InGameMetaAgent
from hoad.bayes.matchups import Matchups, play_matchups
from hoad.bayes.response import ExpectedBest
from hoad.bayes.settings import AdaptAfter, Evidence
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, replay
from tests.game.examples import up_to

POOL = ("iggi", "flawed", "internal")
SEED = 9


@pytest.fixture(scope="module")
def matchups() -> Matchups:
    return play_matchups(POOL, 60, seed=1)


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    return play([get_agent("iggi"), get_agent("flawed")], 12, seed=SEED)


def agent_of(matchups: Matchups, evidence: Evidence, after: AdaptAfter) -> BayesFeaturesAgent:
    response = ExpectedBest(matchups)
    return BayesFeaturesAgent("bayes-features", matchups, response, evidence, after)


def belief_of(matchups: Matchups, evidence: Evidence, after: AdaptAfter) -> InGameBelief:
    return agent_of(matchups, evidence, after).new_belief()


def updated(
    matchups: Matchups, game: GameLogs, seat: int, turns: Iterable[int], cumulative: bool = False
) -> np.ndarray:
    """The beliefs of a seat that updates them after these turns of a game, the first one's."""
    respond, log_beliefs, start = ExpectedBest(matchups), np.log(np.full((1, 3), 1 / 3)), 0
    for turn in turns:
        until, before = (count_behaviour(up_to(game, end)) for end in (turn + 1, start))
        observed = features_of((until - before)[:, 1 - seat])
        expected = matchups.expected_features(seat)[respond.choose(np.exp(log_beliefs), seat)]
        log_beliefs = update_log_beliefs(log_beliefs, observed, expected)
        start = 0 if cumulative else turn + 1
    return np.exp(log_beliefs[0])


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("evidence", ["last_game", "cumulative"])
def test_beliefs_change_after_so_many_turns_of_the_partner(matchups, logs, seat, evidence):
    belief = belief_of(matchups, evidence, 5)
    belief.begin(len(logs))

    belief.update(logs, seat, np.zeros(len(logs), np.int64))

    for index in range(len(logs)):
        game = logs.select(np.array([index]))
        turns = range(1 - seat, len(game.actions), 2)[4::5]
        expected = updated(matchups, game, seat, turns, evidence == "cumulative")
        np.testing.assert_allclose(belief.probabilities[index], expected)


def test_beliefs_change_at_cards_that_do_not_fit(matchups, logs):
    belief = belief_of(matchups, "last_game", "mistake")
    belief.begin(len(logs))

    belief.update(logs, 0, np.zeros(len(logs), np.int64))

    mistakes = 0
    for index in range(len(logs)):
        game = logs.select(np.array([index]))
        lives = states_at(game, np.ones((1, 2), np.bool_))["table"]["lives"].astype(int)
        turns = np.flatnonzero(np.diff(np.append(lives, replay(game).lives)) < 0).tolist()
        mistakes += len(turns)
        np.testing.assert_allclose(belief.probabilities[index], updated(matchups, game, 0, turns))
    assert mistakes > 5


def test_an_interval_may_span_games(matchups, logs):
    belief = belief_of(matchups, "cumulative", 12)
    belief.begin(1)
    games = [logs.select(np.array([game])) for game in range(6)]
    turns = np.cumsum([len(game.actions) // 2 for game in games])

    changed = []
    for game in games:
        before = belief.probabilities
        belief.update(game, 0, np.zeros(1, np.int64))
        changed.append(bool((belief.probabilities != before).any()))

    assert changed == [bool(step) for step in np.diff(turns // 12, prepend=0)]
    assert set(changed) == {True, False}


def test_the_agent_is_sound_and_finds_its_partner_in_the_first_game(matchups):
    agent = agent_of(matchups, "last_game", 4)
    player = InGameMetaAgent(agent, 1)

    play_episodes(player, get_agent("flawed"), 20, 2, SEED)

    assert check_agent(agent, games=15) == []
    beliefs = player.beliefs
    assert beliefs is not None
    assert beliefs.in_partner[:, 0] == pytest.approx(np.full(20, 1 / 3))
    assert beliefs.found[:, 1].mean() > 0.8
    with pytest.raises(HoadError, match="evidence of whole games"):
        agent_of(matchups, "as_published", 5)


def test_the_usual_belief_is_that_of_an_update_at_the_end_of_the_game(matchups, logs):
    game = logs.select(np.array([0]))
    partners_turns = len(game.actions) // 2
    belief, usual = belief_of(matchups, "last_game", partners_turns), BehaviourBelief(matchups)
    generalist = ExpectedBest(matchups).choose(np.full((1, 3), 1 / 3), 0)
    for one in (belief, usual):
        one.begin(1)

        one.update(game, 0, generalist)

    np.testing.assert_allclose(belief.probabilities, usual.probabilities)
