"""Recorded games that players watch before they meet a partner."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
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


def test_settings_without_recorded_games_keep_their_digest() -> None:
    assert Roster(seed=1).options == Roster(seed=2).options != Roster(seed=1, support="x").options
