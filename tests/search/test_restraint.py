"""Search that is held to moves that a model of the partner expects."""

import numpy as np
import pytest

from hoad.search.restraint import Restraint

EXPECTED = np.array([0.5, 0.25, 0.05, 0.04, 0.0])


def test_moves_with_less_than_the_least_share_of_the_largest_probability_are_not_tried() -> None:
    handicaps = Restraint(least=0.1).handicaps(EXPECTED)

    assert handicaps.tolist() == [0.0, 0.0, 0.0, -np.inf, -np.inf]


def test_a_less_probable_move_has_to_gain_more() -> None:
    handicaps = Restraint(least=0.0, pull=2.0).handicaps(EXPECTED)

    assert handicaps[:2] == pytest.approx([0.0, 2 * np.log(0.5)])
    assert handicaps[3] == pytest.approx(2 * np.log(0.08))


def test_impossible_moves_are_never_tried() -> None:
    assert Restraint(least=0.0).handicaps(EXPECTED)[4] == -np.inf
