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


@pytest.mark.parametrize("names", [("iggi", "internal"), ("simplebot", "outer")])
def test_games_do_not_depend_on_threads_batches_or_the_loop(names: tuple[str, str]) -> None:
    seats = [get_agent(name) for name in names]
    together = play(seats, 3_000, seed=5)

    threaded = play(seats, 3_000, seed=5, threads=3)
    in_lockstep = play([InLockstep(agent) for agent in seats], 300, seed=5)
    one_by_one = play_numbered(seats, np.array([2_999, 17]), seed=5)

    assert _digest(threaded) == _digest(together)
    assert _digest(in_lockstep) == _digest(together.select(np.arange(300)))
    assert _digest(one_by_one) == _digest(together.select(np.array([2_999, 17])))


def test_decks_depend_on_seed_and_number_alone() -> None:
    iggi, flawed = get_agent("iggi"), get_agent("flawed")

    same = play([iggi, flawed], 50, seed=1), play([flawed, flawed], 40, seed=1, first_game=10)
    other = play([iggi, flawed], 50, seed=2)

    assert (same[0].decks[10:] == same[1].decks).all()
    assert (same[0].decks != other.decks).any(axis=1).all()


@pytest.mark.parametrize(
    "name", ["cautious", "flawed", "iggi", "internal", "legal-random", "outer", "piers"]
)
def test_games_are_legal_and_over(name: str) -> None:
    agent = get_agent(name)

    outcomes = replay(play([agent, agent], 500, seed=3))

    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()


@pytest.mark.parametrize(
    ("name", "mean"),
    [
        ("simplebot", 16.918),
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


# The compiled functions are plain Python: without numba they give the same games.


PROGRAM = """
import hashlib
from hoad.agents import get_agent, play
conventions = "rules:325,200,276,335,417", "rules:334,232,285,342,379,405,387"
teams = [("iggi", "simplebot"), ("van-den-bergh", "outer"), ("piers", "internal")]
several = ("iggi", "van-den-bergh", "rules:0,1,9,16,15,22,34"), ("outer", "clivej", "flawed") * 2
for names in [*teams, ("wtfwt", "wtfwt"), conventions, several[0], several[1][:5]]:
    logs = play([get_agent(name) for name in names], 3, seed=4)
    print(hashlib.sha1(logs.decks.tobytes() + logs.actions.tobytes()).hexdigest())
"""


def test_games_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)


# Whole games of three to five players.


@pytest.mark.parametrize("players", [3, 4, 5])
def test_games_do_not_depend_on_threads_or_batches(players: int) -> None:
    seats = [get_agent(("iggi", "flawed")[seat % 2]) for seat in range(players)]
    together = play(seats, 5_000, seed=5)

    threaded = play(seats, 5_000, seed=5, threads=3)
    one_by_one = play_numbered(seats, np.array([4_999, 17]), seed=5)

    assert threaded.actions.tolist() == together.actions.tolist()
    chosen = together.select(np.array([4_999, 17]))
    assert one_by_one.actions.tolist() == chosen.actions.tolist()
    assert (one_by_one.players, one_by_one.decks.tolist()) == (players, chosen.decks.tolist())


def test_games_with_one_number_have_one_deck_whatever_the_number_of_players() -> None:
    iggi = get_agent("iggi")

    decks = [play([iggi] * players, 5, seed=1).decks.tolist() for players in (2, 3, 5)]

    assert decks[0] == decks[1] == decks[2]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(
    "name", ["cautious", "clivej", "flawed", "iggi", "internal", "outer", "piers", "van-den-bergh"]
)
def test_named_rule_lists_play_legal_games_to_the_end(name: str, players: int) -> None:
    outcomes = replay(play([get_agent(name)] * players, 200, seed=3))

    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()
    assert outcomes.scores.mean() > (0.5 if name == "flawed" else 10)


@pytest.mark.parametrize(
    "name", ["simplebot", "wtfwt", "imitator:iggi", "noisy:0.1:iggi", "maml:iggi", "rainbow"]
)
def test_agents_of_two_players_say_so(name: str) -> None:
    seats = [get_agent("iggi"), get_agent(name), get_agent("iggi")]

    with pytest.raises(HoadError, match=f"agent {name} plays the two-player game only"):
        play(seats, 1, seed=0)


@pytest.mark.parametrize("players", [1, 6])
def test_hanabi_has_two_to_five_players(players: int) -> None:
    with pytest.raises(HoadError, match=f"{players} agents at the table; Hanabi has 2 to 5"):
        play([get_agent("iggi")] * players, 1, seed=0)
