"""How Rainbow learned, and what it answers to what: figures, as PNG files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from hoad.evaluation.report.old import COLOURS, add_legend, new_figure, save_figure
from hoad.evaluation.statistics import SCORES
from hoad.learning.rainbow.curve import HOURS, STEPS, Line
from hoad.learning.rainbow.move_table import show_move_table


def draw_learning_curves(curves: Mapping[str, Sequence[Line]], path: Path) -> None:
    """Draw both scores against moves and against hours, a colour for each agent."""
    figure = new_figure(9.5, 4.2)
    sides = ((STEPS, 1e6, "million moves"), (HOURS, 1, "hours"))
    for axes, (column, unit, label) in zip(figure.subplots(1, 2, sharey=True), sides, strict=True):
        for index, (name, lines) in enumerate(curves.items()):
            places = [line[column] / unit for line in lines]
            for score, style in zip(SCORES, (":", "-"), strict=True):
                scores = [line[score] for line in lines]
                colour = COLOURS[index % len(COLOURS)]
                axes.plot(places, scores, style, color=colour, lw=1.4, label=f"{name}, {score}")
        axes.set_xlabel(label)
        axes.set_ylabel("mean score")
        axes.set_ylim(0, 25)
        axes.grid(axis="y", color="#dddddd", lw=0.8)
        axes.spines[["top", "right"]].set_visible(False)
    add_legend(figure, axes)
    save_figure(figure, path)


def draw_move_tables(tables: Mapping[str, np.ndarray], path: Path) -> None:
    """Draw how often each move follows each move, agents beside each other."""
    figure = new_figure(5.2 * len(tables) + 1.2, 5.4)
    grid = figure.subplots(1, len(tables), squeeze=False, sharey=True)[0]
    for axes, (name, table) in zip(grid, tables.items(), strict=True):
        image = show_move_table(axes, table)
        axes.set_title(name)
    figure.colorbar(image, ax=grid, label="probability", shrink=0.8)
    save_figure(figure, path)
