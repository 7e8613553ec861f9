import numpy as np
import pytest

from hoad.reports.published import (
    COMMUNICATIVENESS,
    IMITATOR_CROSS_PLAY,
    INFORMATION_PER_PLAY,
    SELF,
    published,
)
from hoad.reports.statistics import SCORES
from hoad.tables.scores import SEATS

OTHERS = ("simplebot", "valuebot", "holmesbot", "outer", "iggi", "piers", "van-den-bergh")
PARTNERS = (*OTHERS, "rainbow")


@pytest.mark.parametrize("player", ["random-partner", "naive", "zero-shot", "low-shot"])
def test_the_thesis_averages_are_those_of_its_rows(player):
    rows = zip(*([f.values[0] for f in published([p], player)] for p in PARTNERS), strict=True)
    averages = [figure.values[0] for figure in published(PARTNERS, player)]

    assert averages == pytest.approx([sum(row) / len(row) for row in rows], abs=0.06)


def test_the_thesis_averages_without_rainbow_are_those_of_the_other_rows():
    (_, zero_shot), (_, low_shot) = published(OTHERS, "zero-shot"), published(OTHERS, "low-shot")

    assert zero_shot.values == (7.1,)
    assert low_shot.values == (6.9,)
    assert published(["iggi", "cautious"], "low-shot") == []  # nothing is published of others
    assert published(PARTNERS, "self-play") == []
    assert published(["cautious"], "low-shot") == []
    assert published(["iggi"], "piers") == []


def test_every_figure_has_a_seat_and_a_score_and_matrices_a_value_for_every_pair():
    figures = [f for p in PARTNERS for f in published([p], "self-play")]
    figures += published(PARTNERS, "bayes-features")

    assert figures
    assert {figure.seat for figure in figures} <= set(SEATS) - {"both"}
    assert {figure.score for figure in figures} <= set(SCORES)
    assert {f.seat for f in published(PARTNERS, "generalist")} == {"player first"}  # Canaan's
    assert {f.seat for f in published(["iggi"], "low-shot")} == {"partner first"}  # the thesis's
    [bayes_features] = published(PARTNERS, "bayes-features")  # of table 4
    assert bayes_features.values == (12.58, 13.49, 12.32, 13.07, 13.04, 12.35)
    for matrix in (COMMUNICATIVENESS, INFORMATION_PER_PLAY, IMITATOR_CROSS_PLAY):
        assert {len(row) for row in matrix.values} == {len(matrix.columns)}
        assert len(matrix.values) == len(matrix.rows)


def test_our_values_are_compared_with_published_ones_of_the_same_pair():
    assert COMMUNICATIVENESS.compare(("simplebot",), np.zeros((1, 1))).agents == ()
    ours = np.arange(9.0).reshape(3, 3)

    comparison = COMMUNICATIVENESS.compare(("flawed", "simplebot", "iggi"), ours)

    assert comparison.agents == ("iggi", "flawed")
    assert comparison.partners == ("iggi", "flawed", SELF)
    np.testing.assert_array_equal(comparison.here, [[8, 6, 8], [2, 0, 0]])
    np.testing.assert_array_equal(comparison.published, [[0.50, 0.46, 0.51], [0.28, 0.06, 0.08]])
    shown = ["iggi", "8.0 / 0.5 / +7.5", "6.0 / 0.5 / +5.5", "8.0 / 0.5 / +7.5"]
    assert comparison.cells(decimals=1)[1] == shown


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
