"""Figures about populations, as PNG files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes

from hoad.evaluation.diversity import Diversity
from hoad.evaluation.population_table import PopulationTable
from hoad.evaluation.report.old import COLOURS, MARKERS, add_legend, new_figure, save_figure

_PERFECT: Final = 25


def draw_pairwise(table: PopulationTable, path: Path) -> None:
    """Draw each elite's self-play score against its mean score with all elites, in each seat."""
    figure = new_figure(8.6, 4.2)
    panels = zip(figure.subplots(1, 2, sharey=True), ("first", "second"), (1, 0), strict=True)
    for axes, seat, others in panels:
        for index, judged in enumerate(table.judged):
            axes.plot(
                judged.fitness,
                judged.pairwise.mean(others),
                ls="",
                marker=MARKERS[index % len(MARKERS)],
                ms=3,
                alpha=0.7,
                color=COLOURS[index % len(COLOURS)],
                label=judged.population.name,
            )
        axes.set_xlim(0, _PERFECT)
        axes.set_ylim(0, _PERFECT)
        _label(axes, "score in self-play", f"with all elites, moving {seat}")
    add_legend(figure, axes)
    save_figure(figure, path)


def draw_by_distance(found: Diversity, words: Mapping[str, str], path: Path) -> None:
    """Draw the measures of pairs of elites by the Manhattan distance of their niches.

    Args:
        found: what was measured.
        words: what to call the measures.
        path: of the PNG file.
    """
    kinds = {"of one population": found.within(), "of two populations": found.between()}
    figure = new_figure(11, 3.4)
    for axes, measure in zip(figure.subplots(1, 3), found.measures, strict=True):
        for index, (kind, pairs) in enumerate(kinds.items()):
            if pairs.any():
                means = found.by_distance(measure, pairs)
                colour, marker = COLOURS[index], MARKERS[index]
                axes.plot(
                    *zip(*means.items(), strict=True), color=colour, marker=marker, ms=3, label=kind
                )
        axes.set_ylim(bottom=0)
        _label(axes, "Manhattan distance of the niches", words[measure])
    add_legend(figure, axes)
    save_figure(figure, path)


def _label(axes: Axes, to_the_right: str, upwards: str) -> None:
    axes.set_xlabel(to_the_right)
    axes.set_ylabel(upwards)
    axes.grid(axis="y", color="#dddddd", lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
