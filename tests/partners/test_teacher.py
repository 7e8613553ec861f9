"""The moves that a person's logit makes for its imitator."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.partners.teacher import teacher_moves
from hoad.replay.dataset import make_dataset, write_dataset


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of the program ``first`` with P001 and P002, which move as iggi and piers do."""
    logs = play([get_agent("iggi"), get_agent("piers")], 20, seed=1)
    names = [("first", f"P{1 + number % 2:03}") for number in range(20)]
    path = tmp_path_factory.mktemp("people") / "people.h5"
    write_dataset(path, make_dataset(logs, names, {}, "test"))
    return path


def test_the_teacher_plays_so_many_games_by_the_seed(people: Path) -> None:
    moves, again, others = (teacher_moves(people, "P001", 6, seed) for seed in (3, 3, 4))

    assert set(moves.games) == set(range(6))
    assert 6 * 10 < len(moves.actions) < 6 * 45  # of one seat only
    np.testing.assert_array_equal(moves.actions, again.actions)
    assert moves.actions.tolist() != others.actions.tolist()


def test_what_has_no_games_of_people_is_refused(people: Path) -> None:
    with pytest.raises(HoadError, match="--data"):
        teacher_moves(people.parent, "P001", 6, 0)
    with pytest.raises(HoadError, match="P007"):
        teacher_moves(people, "P007", 6, 0)
