import numpy as np
import pytest

from hoad.core.figure_files import png
from hoad.reports.plots import (
    Panel,
    Series,
    draw_intervals,
    draw_lines,
    draw_matrices,
    draw_niches,
)


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
