"""Recorded games that players watch before they meet a partner."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.players.nearest import NearestPlayer
from hoad.players.roster import Roster
from hoad.replay.dataset import make_dataset, write_dataset


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A file with five self-play games of iggi, and one of piers before them."""
    logs = play([get_agent("iggi")] * 2, 6, seed=1)
    names = [("piers", "piers"), *[("iggi", "iggi")] * 5]
    write_dataset(tmp_path / "iggi.h5", make_dataset(logs, names, {}, "test"))
    return tmp_path / "iggi.h5"


@pytest.mark.parametrize("in_folder", [False, True])
def test_each_trial_watches_the_next_games_of_the_partner(recorded: Path, in_folder: bool) -> None:
    path = recorded.parent if in_folder else recorded
    roster = Roster(seed=1, trials=2, support_games=2, support=str(path))

    first, second = roster.support_of("iggi").play(seed=9)

    logs = play([get_agent("iggi")] * 2, 6, seed=1)
    assert np.array_equal(first.decks, logs.decks[1:3])
    assert np.array_equal(second.decks, logs.decks[3:5])


def test_too_few_games_are_refused(recorded: Path) -> None:
    roster = Roster(seed=1, trials=3, support_games=2, support=str(recorded))

    with pytest.raises(HoadError, match="5 self-play games of iggi, expected 6"):
        roster.support_of("iggi")


@pytest.fixture
def games_of_a_person(tmp_path: Path) -> Path:
    """A file with four games of P001 with a program, which moves first."""
    logs = play([get_agent("iggi"), get_agent("piers")], 4, seed=1)
    dataset = make_dataset(logs, [("eger-full", "P001")] * 4, {}, "test")
    write_dataset(tmp_path / "people.h5", dataset)
    return tmp_path / "people.h5"


def test_players_watch_the_person_of_which_the_partner_is_a_proxy(games_of_a_person: Path) -> None:
    roster = Roster(seed=1, trials=2, support_games=2, support=str(games_of_a_person))

    support = roster.support_of(f"program:{games_of_a_person}:P001")

    (first, seats), (second, _) = support.play_seated(seed=9)
    logs = play([get_agent("iggi"), get_agent("piers")], 4, seed=1)
    assert np.array_equal(first.decks, logs.decks[:2])
    assert np.array_equal(second.decks, logs.decks[2:])
    assert seats.tolist() == [[False, True]] * 2
    with pytest.raises(HoadError, match="self-play games only"):
        support.play(seed=9)


def test_players_learn_from_the_seat_of_the_person_alone(games_of_a_person: Path) -> None:
    roster = Roster(seed=1, trials=1, support_games=4, support=str(games_of_a_person))
    support = roster.support_of(f"program:{games_of_a_person}:P001")

    player = NearestPlayer("nearest", support, ["iggi", "piers"])
    player.begin(2, seed=1)

    assert [agent.name for agent in player.agents(0, 0)] == ["piers", "piers"]


def test_settings_without_recorded_games_keep_their_digest() -> None:
    assert Roster(seed=1).options == Roster(seed=2).options != Roster(seed=1, support="x").options
