import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.core.errors import HoadError
from hoad.evaluation.behaviour_table import (
    behaviour_table,
    beside,
    beside_originals,
    features_with_partners,
)
from hoad.evaluation.crossplay import cross_play
from hoad.evaluation.published import (
    COMMUNICATIVENESS,
    IMITATOR_CROSS_PLAY,
    INFORMATION_PER_PLAY,
    ORIGINAL_SELF_PLAY,
    SELF,
)

NAMES = ("iggi", "flawed", "piers")


def counts_of(first: str, second: str, games: int, seed: int) -> np.ndarray:
    """What each seat did, summed over the games."""
    return count_behaviour(play([get_agent(first), get_agent(second)], games, seed)).sum(0)


def test_an_agent_s_features_with_a_partner_are_those_of_both_its_seats():
    found = features_with_partners(cross_play(NAMES, games=20, seed=3))

    for row, agent in enumerate(NAMES):
        for column, partner in enumerate(NAMES):
            moving_first = counts_of(agent, partner, 20, seed=3)[0]
            moving_second = counts_of(partner, agent, 20, seed=3)[1]
            expected = features_of(moving_first + moving_second)
            np.testing.assert_array_equal(found[row, column], expected)


def test_blocks_of_games_are_added_up():
    pairs = cross_play(("iggi", "flawed"), games=1_200, seed=1, threads=2)

    np.testing.assert_array_equal(pairs.behaviour[0, 1], counts_of("iggi", "flawed", 1_200, 1))


def test_figures_stand_beside_the_published_ones_of_the_same_pair():
    ours = np.arange(9.0).reshape(3, 3)

    found = beside(COMMUNICATIVENESS, ("flawed", "simplebot", "iggi"), ours)

    assert found.agents == ("iggi", "flawed")
    assert found.partners == ("iggi", "flawed", SELF)
    np.testing.assert_array_equal(found.here, [[8, 6, 8], [2, 0, 0]])
    np.testing.assert_array_equal(found.published, [[0.50, 0.46, 0.51], [0.28, 0.06, 0.08]])


def test_nothing_stands_beside_agents_of_whom_nothing_is_published():
    assert beside(COMMUNICATIVENESS, ("simplebot",), np.zeros((1, 1))).agents == ()


@pytest.mark.parametrize(
    "matrix", [COMMUNICATIVENESS, INFORMATION_PER_PLAY, IMITATOR_CROSS_PLAY], ids=lambda m: m.source
)
def test_published_matrices_have_a_figure_for_every_pair(matrix):
    assert {len(row) for row in matrix.values} == {len(matrix.columns)}
    assert len(matrix.values) == len(matrix.rows)


@pytest.mark.parametrize(
    ("matrix", "means"),
    [
        (COMMUNICATIVENESS, (0.43, 0.89, 0.89, 0.48, 0.20, 0.55)),
        (INFORMATION_PER_PLAY, (0.92, 0.94, 0.95, 0.77, 0.33, 0.76)),
    ],
    ids=("communicativeness", "information per play"),
)
def test_published_rows_have_their_published_means(matrix, means):
    assert [np.mean(row) for row in matrix.values] == pytest.approx(means, abs=0.0121)


def test_self_play_agrees_with_the_original_programs():
    names = ("simplebot", "iggi", "flawed")

    table = behaviour_table(names, games=1, self_play_games=3_000, seed=5)

    found = list(beside_originals(table.self_play))
    assert [(one.agent, one.score) for one in found[:2]] == [
        ("simplebot", "lenient"),
        ("simplebot", "strict"),
    ]
    assert {one.games for one in found} == {3_000}
    assert max(abs(one.standard_errors) for one in found) < 4


def test_a_difference_is_told_in_standard_errors_of_the_difference():
    [one] = behaviour_table(("iggi",), 1, self_play_games=500, seed=1).self_play

    lenient, _ = beside_originals([one])

    original = ORIGINAL_SELF_PLAY["iggi"]
    theirs = lenient.here_sem * np.sqrt(500 / original.games)
    expected = (lenient.here - original.lenient) / np.hypot(lenient.here_sem, theirs)
    assert lenient.standard_errors == pytest.approx(expected)


def test_only_agents_with_originals_play_by_themselves():
    table = behaviour_table(("legal-random", "iggi"), games=2, self_play_games=5, seed=0)

    assert [one.agents for one in table.self_play] == [("iggi",)]
    assert table.pairs.agents == ("legal-random", "iggi")


def test_unknown_agents_are_refused():
    with pytest.raises(HoadError, match="igi"):
        behaviour_table(("igi",), 1, 1, 0)
