"""Whole games: the same seed gives the same games, however they are played."""

import hashlib

import numpy as np
import pytest

from hoad.agents import Agent, Batch, get_agent, play
from hoad.agents.agent import MOVES
from hoad.agents.games import play_numbered
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, replay
from tests.agents.bot_games import InLockstep
from tests.scripts import prints_the_same_without_compilation


class Offender(Agent):
    """Always discards its oldest card, even at 8 tokens."""

    name = "offender"

    def weights(self, batch: Batch) -> np.ndarray:
        weights = np.zeros((len(batch.states), MOVES))
        weights[:, 0] = 1
        return weights


def _digest(logs: GameLogs) -> str:
    content = logs.decks.tobytes() + logs.actions.tobytes() + logs.offsets.tobytes()
    return hashlib.sha1(content).hexdigest()


@pytest.mark.parametrize(
    "names",
    [
        ("iggi", "internal"),
        ("simplebot", "outer"),
        *(("iggi", "flawed", "iggi", "flawed", "iggi")[:players] for players in (3, 4, 5)),
    ],
)
def test_games_do_not_depend_on_threads_batches_or_the_loop(names):
    seats = [get_agent(name) for name in names]
    together = play(seats, 2_000, seed=5)
    chosen = np.array([1_999, 17])

    assert _digest(play(seats, 2_000, seed=5, threads=3)) == _digest(together)
    assert _digest(play_numbered(seats, chosen, seed=5)) == _digest(together.select(chosen))
    if len(names) == 2:
        in_lockstep = play([InLockstep(agent) for agent in seats], 300, seed=5)
        assert _digest(in_lockstep) == _digest(together.select(np.arange(300)))


def test_decks_depend_on_seed_and_number_alone() -> None:
    iggi, flawed = get_agent("iggi"), get_agent("flawed")

    decks = play([iggi, flawed], 50, seed=1).decks

    assert (decks[10:] == play([flawed, flawed], 40, seed=1, first_game=10).decks).all()
    assert (decks != play([iggi, flawed], 50, seed=2).decks).any(axis=1).all()
    for players in (3, 5):
        assert (decks == play([iggi] * players, 50, seed=1).decks).all()


@pytest.mark.parametrize(
    ("name", "mean"),
    [
        ("iggi", 17.138),
        ("piers", 17.301),
        ("outer", 14.504),
        ("internal", 11.161),
        ("cautious", 16.708),
        ("van-den-bergh", 13.767),
        ("flawed", 1.461),
    ],
)
def test_self_play_scores_are_those_of_the_originals(name: str, mean: float) -> None:
    """Means of the original programs over 100,000 (bots) or 20,000 games, lenient."""
    agent = get_agent(name)

    scores = replay(play([agent, agent], 20_000, seed=0)).scores

    combined_error = scores.std() * np.sqrt(1 / 20_000 + 1 / 20_000)
    assert abs(scores.mean() - mean) < 4 * combined_error


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("iggi", "c032b1d66177a2162264170bb8151194db10e87a"),
        ("outer", "49a9831691166b8e1b825efe6b957b3f2627d4b2"),
        ("simplebot", "b932a8dd1ef6689d8ecef33837e16ac419d6e717"),
        ("van-den-bergh", "4a7f77ed1ea2d5ffe2196c979b96993a60196989"),
    ],
)
def test_games_of_a_seed_never_change(name: str, digest: str) -> None:
    agent = get_agent(name)

    assert _digest(play([agent, agent], 100, seed=2026)) == digest


def test_an_illegal_move_names_the_agent_and_the_turn() -> None:
    with pytest.raises(HoadError, match="agent offender: illegal move in game 0, turn 0"):
        play([Offender(), get_agent("iggi")], 5, seed=0)


PROGRAM = """
import hashlib
from hoad.agents import get_agent, play
conventions = "rules:325,200,276,335,417", "rules:334,232,285,342,379,405,387"
teams = [("iggi", "simplebot"), ("van-den-bergh", "outer"), ("piers", "internal")]
several = ("iggi", "van-den-bergh", "rules:0,1,9,16,15,22,34"), ("outer", "clivej", "flawed") * 2
for names in [*teams, ("wtfwt", "wtfwt"), conventions, several[0], several[1][:5]]:
    logs = play([get_agent(name) for name in names], 1, seed=4)
    print(hashlib.sha1(logs.decks.tobytes() + logs.actions.tobytes()).hexdigest())
"""


def test_games_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "name", ["cautious", "clivej", "flawed", "iggi", "internal", "outer", "piers", "van-den-bergh"]
)
def test_named_rule_lists_play_legal_games_to_the_end(name: str, players: int) -> None:
    outcomes = replay(play([get_agent(name)] * players, 200, seed=3))

    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()
    assert outcomes.scores.mean() > (0.5 if name == "flawed" else 10)


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        *(
            (["iggi", name, "iggi"], f"agent {name} plays the two-player game only")
            for name in ("simplebot", "wtfwt", "imitator:iggi", "noisy:0.1:iggi", "maml:iggi")
        ),
        (["iggi", "rainbow", "iggi"], "agent rainbow plays the two-player game only"),
        (["iggi"], "1 agents at the table; Hanabi has 2 to 5"),
        (["iggi"] * 6, "6 agents at the table; Hanabi has 2 to 5"),
    ],
)
def test_tables_that_cannot_be_are_refused(names, complaint):
    with pytest.raises(HoadError, match=complaint):
        play([get_agent(name) for name in names], 1, seed=0)
