"""Plots: lines, dots and heat maps, and the styles of players."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from hoad.core.figure_files import png
from hoad.reports.dots import draw_dots
from hoad.reports.plots import (
    SCORE_RANGE,
    Panel,
    Series,
    draw_intervals,
    draw_lines,
    draw_matrices,
    draw_niches,
)
from hoad.reports.styles import COLOURS, MARKERS, Style, look, styles_of

# test_plots.py


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_lines_have_one_legend_for_all_panels():
    left = Panel("moves", "score", [Series("a", [1, 2], [3, 4], 0, np.array([0.5, np.nan]))])
    right = Panel("hours", "score", [Series("a", [1], [3], 0), Series("b", [1], [2], 1, line="")])

    figure = draw_lines([left, right], title="two")

    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b"]
    first, second = figure.axes
    assert (first.get_xlabel(), second.get_xlabel()) == ("moves", "hours")
    assert np.array_equal(first.lines[0].get_ydata(), [3, 4])
    assert [line.get_linestyle() for line in second.lines] == ["-", "None"]
    assert first.collections and not second.collections
    assert len(png(figure)) > 1_000


def test_intervals_are_drawn_for_each_category():
    means = {"player": (np.array([1.0, 2.0]), np.array([0.1, np.nan]))}

    figure = draw_intervals({"lenient": means, "strict": means}, ["iggi", "piers"], "partner")

    upper, lower = figure.axes
    assert [label.get_text() for label in lower.get_xticklabels()] == ["iggi", "piers"]
    assert upper.get_ylabel() == "lenient"


@pytest.mark.parametrize(("columns", "abreast"), [(10, True), (11, False)])
def test_small_matrices_are_side_by_side(columns: int, abreast: bool):
    matrix = np.full((3, columns), 0.25)
    labels = (["x"] * 3, ["y"] * columns)

    figure = draw_matrices({"a": matrix, "b": matrix}, labels, ("row", "column"), 1, 2)

    first, second = (axes.get_subplotspec() for axes in figure.axes[:2])
    assert first and second and (first.rowspan == second.rowspan) == abreast
    assert texts(figure.axes[0]) == ["0.25"] * 3 * columns


def test_undefined_cells_of_a_matrix_show_a_dash():
    figure = draw_matrices({"a": np.array([[np.nan, 1.0]])}, (["x"], ["y", "z"]), ("r", "c"), 1, 1)

    assert texts(figure.axes[0]) == ["-", "1.0"]


def test_niches_show_the_values_of_features_the_first_upwards():
    values = np.zeros((5, 20))
    values[4, 0] = 1

    figure = draw_niches([[("game 1", values)]], ("one", "other"), "belief", framed=(4, 0))

    axes = figure.axes[0]
    assert np.asarray(axes.images[0].get_array())[4, 0] == 1
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0, 1))
    assert axes.get_xticks().tolist() == axes.get_yticks().tolist() == [0, 0.2, 0.4, 0.6, 0.8, 1]
    frame = np.column_stack([axes.lines[0].get_xdata(), axes.lines[0].get_ydata()])
    assert np.allclose([frame.min(0), frame.max(0)], [[0, 0.8], [0.05, 1]])
    assert (figure.get_supxlabel(), figure.get_supylabel()) == ("other", "one")


def test_a_single_point_keeps_its_interval() -> None:
    series = Series("one", [3.0], [10.0], 0, np.array([4.0]))

    figure = draw_lines([Panel("x", "y", [series])])

    low, high = figure.axes[0].get_ylim()
    assert low < 6.0 and high > 14.0


# test_dots.py


ROWS = ["a", "b", "c"]


def test_rows_are_the_same_in_all_panels_and_the_last_stand_apart():
    first = np.array([1.0, 2.0, 20.0]), np.array([0.5, np.nan, 1.0])
    panels = {"all": first, "iggi": (np.array([3.0, 4.0, 5.0]), np.zeros(3))}

    figure = draw_dots(ROWS, panels, "strict score", styles_of(ROWS), apart=1)

    large, small = figure.axes
    assert [label.get_text() for label in large.get_yticklabels()] == ROWS
    places = large.get_yticks()
    assert places[2] - places[1] > places[1] - places[0] == 1
    assert [container[0].get_xdata()[0] for container in large.containers] == [1, 2, 20]
    assert [container[0].get_ydata()[0] for container in small.containers] == list(places)
    assert large.get_xlim() == small.get_xlim() == (0, 25)
    assert large.get_position().width > 2 * small.get_position().width


# test_styles.py


def test_ninety_series_look_different():
    looks = {(COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]) for i in range(90)}

    assert len(looks) == 90


def test_players_look_different_and_variants_of_one_alike():
    players = [
        "a",
        "b",
        "a+elites",
        "low-shot@10",
        "low-shot@20",
        "naive:x",
        "naive:y",
        *"cdefghij",
    ]

    styles = styles_of(players)

    looks = {
        (one.number % len(COLOURS), one.number % len(MARKERS), one.hollow, one.shade)
        for one in styles.values()
    }
    assert len(looks) == len(players)
    assert styles["a+elites"] == Style(styles["a"].number, hollow=True)
    early, late = styles["low-shot@10"], styles["low-shot@20"]
    assert early.number == late.number and early.shade < late.shade == 1.0
    assert styles["naive:x"].number != styles["naive:y"].number


def test_twelve_players_have_their_own_colour_and_their_own_marker():
    looks = [look(style) for style in styles_of("abcdefghijkl").values()]

    assert len({look["color"] for look in looks}) == len({look["marker"] for look in looks}) == 12


def test_a_shade_is_between_the_colour_and_white():
    full, half, none = (look(Style(3, shade=shade))["color"] for shade in (1, 0.5, 0))

    assert full == pytest.approx(to_rgb(COLOURS[3])) and none == (1, 1, 1)
    assert half == pytest.approx([(one + 1) / 2 for one in full])


def test_no_interval_is_cut() -> None:
    mean, width = np.array([16.0]), np.array([22.0])  # of two trials
    series = Series("one", [1.0, 2.0], [16.0, 16.0], 0, np.array([22.0, 22.0]))

    curve = draw_lines([Panel("x", "y", [series], y_range=SCORE_RANGE)]).axes[0]
    pairs = draw_intervals({"score": {"one": (mean, width)}}, ["iggi"], "partner").axes[0]
    dots = draw_dots(["one"], {"score": (mean, width)}, "score", {"one": Style(0)}).axes[0]

    for low, high in (curve.get_ylim(), pairs.get_ylim(), dots.get_xlim()):
        assert (low, high) == pytest.approx((-6.0, 38.0))


def test_the_axis_of_scores_is_that_of_all_scores() -> None:
    series = Series("one", [1.0, 2.0], [16.0, 17.0], 0, np.array([2.0, np.nan]))

    axes = draw_lines([Panel("x", "y", [series], y_range=SCORE_RANGE)]).axes[0]

    assert axes.get_ylim() == SCORE_RANGE
