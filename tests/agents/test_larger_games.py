"""Whole games of three to five players."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.games import play_numbered
from hoad.core.errors import HoadError
from hoad.game.log import replay


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
    "name",
    ["cautious", "clivej", "flawed", "iggi", "internal", "outer", "piers", "van-den-bergh"],
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
