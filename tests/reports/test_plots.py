"""Plots: lines, dots and heat maps, and the styles of players."""

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from hoad.core.figure_files import png
from hoad.evolution.folders import population_path
from hoad.evolution.heat_map import draw_heat_map, fitness_grid
from hoad.evolution.population import load_population
from hoad.players.registry import KINDS
from hoad.reports.dots import draw_distributions, draw_dots
from hoad.reports.plots import (
    SCORE_RANGE,
    Panel,
    Series,
    draw_intervals,
    draw_lines,
    draw_matrices,
    draw_niches,
)
from hoad.reports.styles import COLOURS, MARKERS, NAMED_STYLES, Style, plot_arguments, styles_of
from hoad.studies.behaviour import FEATURE_LABELS
from tests.scripts import ROOT


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text())


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_lines_have_one_legend_for_all_panels():
    left = Panel("moves", "score", [Series("a", [1, 2], [3, 4], np.array([0.5, np.nan]))])
    right = Panel("hours", "score", [Series("a", [1], [3]), Series("b", [1], [2], line="")])

    figure = draw_lines([left, right], title="two")

    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b"]
    first, second = figure.axes
    assert (first.get_xlabel(), second.get_xlabel()) == ("moves", "hours")
    assert np.array_equal(first.lines[0].get_ydata(), [3, 4])
    assert [line.get_linestyle() for line in second.lines] == ["-", "None"]
    assert first.collections and not second.collections
    assert len(png(figure)) > 1_000
    of_b = figure.legends[0].get_lines()[1]
    assert (second.lines[1].get_alpha(), of_b.get_alpha()) == (0.7, 1.0)  # not pale in the legend


def test_intervals_are_drawn_for_each_category():
    means = {"player": (np.array([1.0, 2.0]), np.array([0.1, np.nan]))}

    figure = draw_intervals({"lenient": means, "strict": means}, ["iggi", "piers"], "partner")

    upper, lower = figure.axes
    assert [label.get_text() for label in lower.get_xticklabels()] == ["iggi", "piers"]
    assert upper.get_ylabel() == "lenient"


def test_long_categories_are_named_without_their_files_and_turned_where_they_would_overlap():
    names = ["logit:datasets/people.h5:P001", "logit:datasets/people.h5:P003", "imitator:P001"]
    means = {"player": (np.zeros(12), np.zeros(12))}

    labels = draw_intervals({"score": means}, names * 4, "partner").axes[0].get_xticklabels()
    figure = draw_intervals({"score": means}, [*names, *"abcdefghi"], "partner")
    others = draw_intervals({"score": means}, [*"abcdefghijkl"], "partner")

    assert labels[0].get_text() == names[0]  # several would be the same
    turned, level = (one.axes[0].get_xticklabels() for one in (figure, others))
    shown = [label.get_text() for label in turned]
    assert shown[:4] == ["logit P001", "logit P003", "imitator:P001", "a"]
    assert {label.get_rotation() for label in turned} == {40}
    assert {label.get_rotation() for label in level} == {0}
    assert figure.get_figheight() > others.get_figheight()


@pytest.mark.parametrize(("columns", "abreast"), [(10, True), (11, False)])
def test_small_matrices_are_abreast_and_undefined_cells_show_a_dash(columns: int, abreast: bool):
    matrix = np.full((3, columns), 0.25)
    matrix[0, 0] = np.nan
    labels = (["x"] * 3, ["y"] * columns)

    figure = draw_matrices({"a": matrix, "b": matrix}, labels, ("row", "column"), 1, 2)

    first, second = (axes.get_subplotspec() for axes in figure.axes[:2])
    assert first and second and (first.rowspan == second.rowspan) == abreast
    assert texts(figure.axes[0]) == ["-", *["0.25"] * (3 * columns - 1)]


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


def test_niches_lie_the_same_way_round_in_populations_and_meta_agents() -> None:
    population = load_population(population_path("canaan-5x5-1"))
    scores = fitness_grid(population)

    of_population = draw_heat_map(population).axes[0]
    figure = draw_niches([[("", scores / 25)]], (FEATURE_LABELS[0], FEATURE_LABELS[1]), "belief")

    images = [axes.images[0] for axes in (of_population, figure.axes[0])]
    assert [image.origin for image in images] == ["lower", "lower"]
    drawn, again = (np.asarray(image.get_array()) for image in images)
    assert np.allclose(drawn, again * 25, equal_nan=True)
    labels = of_population.get_ylabel(), of_population.get_xlabel()
    assert labels == FEATURE_LABELS
    assert (figure.get_supylabel(), figure.get_supxlabel()) == labels


def test_the_legend_of_framed_niches_covers_nothing() -> None:
    population = load_population(population_path("canaan-5x5-1"))

    figure = draw_heat_map(population, marked={"best": (2, 3), "generalist": (2, 3)})

    figure.canvas.draw()
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["best: 2,3", "generalist: 2,3"]
    axes, below = figure.axes[0], legend.get_window_extent()
    assert below.y1 <= axes.xaxis.label.get_window_extent().y0
    assert figure.bbox.y0 <= below.y0


def test_a_legend_is_inside_the_figure_and_leaves_the_panels_their_width() -> None:
    long = [Series("a name of forty letters, more or less " + end, [1], [2]) for end in "abcdefg"]

    widths = []
    for series in (long, [Series("a", [1], [2])]):
        figure = draw_lines([Panel("x", "y", series)])
        figure.canvas.draw()
        [legend] = figure.legends
        box, whole = legend.get_window_extent(), figure.bbox
        assert whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0
        assert box.x0 > figure.axes[0].get_window_extent().x1
        widths.append(figure.axes[0].get_window_extent().width)

    assert widths[0] == pytest.approx(widths[1], rel=0.25)


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


def test_each_row_of_a_distribution_shows_its_scores_and_its_lost_games() -> None:
    counts = np.zeros((3, 26), int)
    counts[0, [0, 20]], counts[1, [10, 11, 12]], counts[2, 0] = (5, 15), (1, 2, 1), 4
    lost = np.array([25.0, 0.0, 96.0]), np.array([2.0, np.nan, 9.0])

    figure = draw_distributions(ROWS, counts, lost, styles_of(ROWS), apart=1)

    scores, shares = figure.axes
    white = [line for line in scores.lines if line.get_color() == "white"]
    medians = [np.asarray(line.get_xdata())[0] for line in white]
    assert medians == [20, 11]
    assert [container[0].get_xdata()[0] for container in shares.containers] == [25, 0, 96]
    assert (shares.dataLim.x0, shares.dataLim.x1) == (0, 100), "intervals end there"
    boxes = [violin.get_paths()[0].get_extents() for violin in scores.collections]
    heights = [box.height for box in boxes]
    assert len(boxes) == 2 and heights == pytest.approx([heights[0]] * 2)
    assert [label.get_text() for label in scores.get_yticklabels()] == ROWS


TABLES = (ROOT / "results").glob("*.toml")
RECIPES = [path for path in TABLES if isinstance(read(path).get("players"), list)]


def looks_of(names: Iterable[str]) -> list[tuple[object, ...]]:
    """Return colour, marker and filling of the names."""
    return [tuple(plot_arguments(style).values()) for style in styles_of(names).values()]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_no_two_players_of_a_recipe_look_alike(recipe: Path) -> None:
    players = [*read(recipe)["players"], "python:mine.py:Own", "an elite"]

    assert len(set(looks_of(players))) == len(players)


def test_a_player_looks_the_same_beside_any_others() -> None:
    styles = [styles_of(read(recipe)["players"]) for recipe in RECIPES]

    for player in {*KINDS} & {player for style in styles for player in style}:
        looks = {style[player] for style in styles if player in style}
        assert looks == {Style(*NAMED_STYLES[player])}, player


def test_names_look_different_in_the_table_and_out_of_it() -> None:
    assert len(set(looks_of([f"mine {number}" for number in range(90)]))) == 90
    twelve = looks_of("abcdefghijkl")
    assert len({colour for colour, _, _ in twelve}) == len({m for _, m, _ in twelve}) == 12
    assert len(set(NAMED_STYLES.values())) == len(NAMED_STYLES)
    beside = styles_of(["mixture", "logit", "mine", "yours"]).values()
    assert len({style.colour for style in beside}) == 4, "colours that are not used come first"
    assert {*NAMED_STYLES} >= {*KINDS}
    assert all(colour in COLOURS and marker in MARKERS for colour, marker in NAMED_STYLES.values())


def test_variants_of_a_player_look_alike() -> None:
    styles = styles_of(
        ["search", "search+elites", "low-shot@10", "low-shot@20", "low-shot", "low-shot:iggi"]
    )

    assert styles["search+elites"] == replace(styles["search"], hollow=True)
    early, late, final = (styles[f"low-shot{step}"] for step in ("@10", "@20", ""))
    assert early.shade < late.shade < final.shade == 1.0
    assert {(one.colour, one.marker) for one in (early, late, final)} == {NAMED_STYLES["low-shot"]}
    assert styles["low-shot:iggi"] == Style(
        NAMED_STYLES["iggi"][0], NAMED_STYLES["low-shot"][1], hollow=True
    )


def test_a_shade_is_between_the_colour_and_white():
    full, half, none = (
        plot_arguments(Style("vermilion", "^", shade=shade))["color"] for shade in (1, 0.5, 0)
    )

    assert full == pytest.approx(to_rgb(COLOURS["vermilion"])) and none == (1, 1, 1)
    assert half == pytest.approx([(one + 1) / 2 for one in full])


def test_intervals_of_scores_side_by_side_are_cut_at_0_and_25():
    mean, width = np.array([16.0, 16.0, 20.0]), np.array([22.0, 2.0, np.nan])  # of two trials

    axes = draw_intervals({"score": {"one": (mean, width)}}, ["a", "b", "c"], "partner").axes[0]

    [segments] = [
        lines.get_segments() for lines in axes.collections if isinstance(lines, LineCollection)
    ]
    ends = [sorted(segment[:, 1]) for segment in segments]
    assert ends == [[0.0, 25.0], [14.0, 18.0], [20.0, 20.0]]
    assert axes.get_ylim() == SCORE_RANGE


def test_other_intervals_are_not_cut_and_the_axis_of_scores_is_that_of_all_scores() -> None:
    mean, width = np.array([16.0]), np.array([22.0])  # of two trials
    series = Series("one", [1.0, 2.0], [16.0, 16.0], np.array([22.0, 22.0]))

    curve = draw_lines([Panel("x", "y", [series], y_range=SCORE_RANGE)]).axes[0]
    dots = draw_dots(["one"], {"score": (mean, width)}, "score", styles_of(["one"])).axes[0]

    for low, high in (curve.get_ylim(), dots.get_xlim()):
        assert (low, high) == pytest.approx((-6.0, 38.0))
    single = draw_lines([Panel("x", "y", [Series("one", [3.0], [10.0], np.array([4.0]))])])
    low, high = single.axes[0].get_ylim()
    assert low < 6.0 and high > 14.0
    series = Series("one", [1.0, 2.0], [16.0, 17.0], np.array([2.0, np.nan]))
    axes = draw_lines([Panel("x", "y", [series], y_range=SCORE_RANGE)]).axes[0]
    assert axes.get_ylim() == SCORE_RANGE
