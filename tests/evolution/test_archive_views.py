"""The archive as pyribs's, and as a heat map."""

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.core.figure_files import png
from hoad.evolution.heat_map import draw_heat_map, fitness_grid
from hoad.evolution.population import Elite, Population
from hoad.evolution.ribs_archive import to_ribs_archive

POPULATION = Population(
    name="small",
    grid=(5, 20),
    rules="first-50",
    elites=(
        Elite(niche=(0, 2), chromosome=(8, 13), fitness=1.5),
        Elite(niche=(4, 19), chromosome=(39, 2), fitness=17.25),
    ),
)


def test_archive_has_each_elite_in_its_niche_if_all_fitness_is_known():
    pytest.importorskip("ribs", reason="pyribs is not installed")

    archive = to_ribs_archive(POPULATION)

    assert archive.stats.num_elites == 2
    assert archive.stats.obj_max == 17.25
    _, best = archive.retrieve_single([0.99, 0.99])
    assert best["solution"].tolist() == [39, 2]
    niches = archive.int_to_grid_index(archive.data("index")).tolist()
    assert sorted(niches) == [[0, 2], [4, 19]]
    with pytest.raises(HoadError, match="small: an elite's fitness is not known"):
        to_ribs_archive(DRAWN)


DRAWN = Population(
    name="small",
    grid=(2, 3),
    rules="first-50",
    elites=(
        Elite(niche=(0, 2), chromosome=(8, 13), fitness=17.25),
        Elite(niche=(1, 0), chromosome=(39,), fitness=None),
    ),
)


def test_picture_shows_scores_where_they_belong():
    figure = draw_heat_map(DRAWN)
    axes, nan = figure.axes[0], np.nan

    (label,) = axes.texts
    assert label.get_text() == "17.2"
    assert label.get_position() == (2, 0)
    ranges = [tick.get_text() for tick in axes.get_yticklabels()]
    assert ranges == ["0–0.5", "0.5–1"]
    assert axes.get_xlabel() == "information per play"
    assert axes.get_title() == "small: 2 of 6 niches"
    assert png(figure).startswith(b"\x89PNG")
    np.testing.assert_array_equal(fitness_grid(DRAWN), [[nan, nan, 17.25], [nan, nan, nan]])


def test_large_picture_has_numbers_if_they_are_asked_for():
    large = DRAWN.model_copy(update={"grid": (20, 20)})

    assert not draw_heat_map(large, numbered=False).axes[0].texts
    assert len(draw_heat_map(large).axes[0].texts) == 1


def test_marked_niches_are_framed_and_named():
    figure = draw_heat_map(DRAWN, marked={"best": (1, 2), "generalist": (1, 2)})

    axes, [legend] = figure.axes[0], figure.legends
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels == ["best: 1,2", "generalist: 1,2"]
    for line in axes.lines:
        x, y = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        assert abs(x - 2).max() < 0.5 and abs(y - 1).max() < 0.5
