"""What the reports of `adhoc` and `meta_agents` use until they are Reports; new code does not."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawn

from hoad.core.files import make_folder, write_atomically
from hoad.evaluation.agents import FEATURE_LABELS, features_with_partners
from hoad.evaluation.crossplay import CrossPlay
from hoad.evaluation.report.output import how_it_was_made, plain_json
from hoad.evaluation.report.page import (
    Block,
    Figure,
    Heading,
    Paragraph,
    Report,
    Table,
    to_html,
    to_markdown,
)
from hoad.evaluation.report.plots import COLOURS, MARKERS, new_figure, png
from hoad.evaluation.statistics import SCORES

__all__ = [
    "COLOURS",
    "MARKERS",
    "Block",
    "Heading",
    "Paragraph",
    "Table",
    "how_it_was_made",
    "new_figure",
    "old_figure",
]

_PERFECT: Final = 25

_CELL: Final = 0.38
"""Inches that a cell of a matrix is wide and high."""

_LETTER: Final = 0.08
"""Inches that a letter of a name is wide, about."""

_MOST_BESIDE: Final = 10
"""Agents of the largest matrices that are drawn beside each other."""


def draw_cross_play(found: CrossPlay, path: Path) -> None:
    """Draw both matrices of mean scores."""
    panels = {f"{score}, {found.games:,} games a pair": getattr(found, score) for score in SCORES}
    _draw_matrices(path, panels, found.labels, ("first player", "second player"), _PERFECT, 1)


def draw_behaviour(found: CrossPlay, path: Path) -> None:
    """Draw what each agent shows of the two features with each partner."""
    features = np.moveaxis(features_with_partners(found), -1, 0)
    panels = dict(zip(FEATURE_LABELS, features, strict=True))
    _draw_matrices(path, panels, found.labels, ("agent", "partner"), 1, 2)


def _draw_matrices(
    path: Path,
    panels: Mapping[str, np.ndarray],
    names: Sequence[str],
    sides: tuple[str, str],
    highest: float,
    decimals: int,
) -> None:
    """Draw two square matrices: beside each other where they are small, else one below the other.

    Args:
        path: of the PNG file.
        panels: the matrices by their titles.
        names: of rows and columns.
        sides: what rows and columns are.
        highest: value that the brightest colour stands for; 0 is the darkest.
        decimals: of the numbers in the cells.
    """
    size = len(names)
    beside = size <= _MOST_BESIDE
    rows, columns = (1, 2) if beside else (2, 1)
    cells, words = max(_CELL * size, 1.8), _LETTER * max(map(len, names))
    figure = new_figure(columns * cells + words + 1.5, rows * (cells + 0.6 * words + 1.0))
    grid = figure.subplots(rows, columns, sharey=beside)
    for axes, (title, matrix) in zip(grid, panels.items(), strict=True):
        image = axes.imshow(matrix, vmin=0, vmax=highest, cmap="viridis")
        axes.set_title(title)
        axes.set_xlabel(sides[1])
        axes.set_xticks(range(size), names, rotation=40, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(size), names)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        _write_numbers(axes, matrix, highest, decimals)
    for axes in grid[: 1 if beside else 2]:
        axes.set_ylabel(sides[0])
    figure.colorbar(image, ax=grid, shrink=0.8 if beside else 0.35, aspect=25)
    save_figure(figure, path)


def _write_numbers(axes: Axes, matrix: np.ndarray, highest: float, decimals: int) -> None:
    for (row, column), value in np.ndenumerate(matrix):
        colour = "white" if value <= 0.6 * highest else "black"
        text = "-" if np.isnan(value) else f"{value:.{decimals}f}"
        axes.text(column, row, text, ha="center", va="center", color=colour, size=7)


def _tidy(axes: Axes, label: str) -> None:
    axes.set_ylabel(label)
    axes.set_ylim(0, _PERFECT)
    axes.grid(axis="y", color="#dddddd", lw=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def add_legend(figure: Drawn, axes: Axes) -> None:
    """Write what is drawn in the axes to the right of the figure."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)


def save_figure(figure: Drawn, path: Path) -> None:
    """Write a figure as a PNG file."""
    with write_atomically(path) as file:
        file.write(png(figure))


def old_figure(path: Path, caption: str) -> Figure:
    """Return a figure that was drawn and saved before."""
    return Figure(path.name, caption, _never)


def _never() -> Drawn:
    raise AssertionError


def write_report(
    folder: Path, page: Iterable[Block], numbers: Mapping[str, Any], lines: str
) -> Path:
    """Write a page whose figures were saved before."""
    make_folder(folder)
    title, *rest = page
    assert isinstance(title, Heading)
    report = Report(title.text, rest, [], {})
    pictures = {one.name: (folder / one.name).read_bytes() for one in report.figures}
    texts = {
        "report.md": to_markdown(report),
        "report.html": to_html(report, pictures),
        "results.json": plain_json(dict(numbers), indent=1) + "\n",
        "results.csv": lines,
    }
    for name, text in texts.items():
        with write_atomically(folder / name) as file:
            file.write(text.encode())
    return folder / "report.md"


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV with a heading."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
