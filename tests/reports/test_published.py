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

PARTNERS = (
    "simplebot",
    "valuebot",
    "holmesbot",
    "outer",
    "iggi",
    "piers",
    "rainbow",
    "van-den-bergh",
)


@pytest.mark.parametrize("player", ["random-partner", "naive", "zero-shot", "low-shot"])
def test_the_thesis_averages_are_those_of_its_rows(player):
    rows = zip(*([f.values[0] for f in published([p], player)] for p in PARTNERS), strict=True)
    averages = [figure.values[0] for figure in published(PARTNERS, player)]

    assert averages == pytest.approx([sum(row) / len(row) for row in rows], abs=0.06)


def test_the_thesis_averages_without_rainbow_are_those_of_the_other_rows():
    others = [partner for partner in PARTNERS if partner != "rainbow"]

    (_, zero_shot), (_, low_shot) = published(others, "zero-shot"), published(others, "low-shot")

    assert zero_shot.values == (7.1,)
    assert low_shot.values == (6.9,)


def test_every_figure_has_a_seat_and_a_score():
    figures = [f for p in PARTNERS for f in published([p], "self-play")]
    figures += published(PARTNERS, "bayes-features")

    assert figures
    assert {figure.seat for figure in figures} <= set(SEATS) - {"both"}
    assert {figure.score for figure in figures} <= set(SCORES)


def test_canaan_s_meta_agents_move_first_and_the_thesis_s_partners_do():
    assert {f.seat for f in published(PARTNERS, "generalist")} == {"player first"}
    assert {f.seat for f in published(["iggi"], "low-shot")} == {"partner first"}


def test_nothing_is_published_of_others():
    assert published(["iggi", "cautious"], "low-shot") == []
    assert published(PARTNERS, "self-play") == []
    assert published(["cautious"], "low-shot") == []
    assert published(["iggi"], "piers") == []


def test_our_values_are_compared_with_published_ones_of_the_same_pair():
    assert COMMUNICATIVENESS.compare(("simplebot",), np.zeros((1, 1))).agents == ()
    ours = np.arange(9.0).reshape(3, 3)

    comparison = COMMUNICATIVENESS.compare(("flawed", "simplebot", "iggi"), ours)

    assert comparison.agents == ("iggi", "flawed")
    assert comparison.partners == ("iggi", "flawed", SELF)
    np.testing.assert_array_equal(comparison.here, [[8, 6, 8], [2, 0, 0]])
    np.testing.assert_array_equal(comparison.published, [[0.50, 0.46, 0.51], [0.28, 0.06, 0.08]])
    assert comparison.cells(decimals=1)[1] == [
        "iggi",
        "8.0 / 0.5 / +7.5",
        "6.0 / 0.5 / +5.5",
        "8.0 / 0.5 / +7.5",
    ]


@pytest.mark.parametrize(
    "matrix", [COMMUNICATIVENESS, INFORMATION_PER_PLAY, IMITATOR_CROSS_PLAY], ids=lambda m: m.source
)
def test_published_matrices_have_a_value_for_every_pair(matrix):
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


def test_means_over_partners_of_other_populations_are_those_of_table_4():
    [bayes_features] = published(PARTNERS, "bayes-features")

    assert bayes_features.values == (12.58, 13.49, 12.32, 13.07, 13.04, 12.35)
