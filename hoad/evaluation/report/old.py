"""What the reports of `adhoc` and `meta_agents` use until they are Reports; new code does not."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawn

from hoad.adhoc.bayes.recorder import Beliefs
from hoad.core.files import make_folder, write_atomically
from hoad.evaluation.adhoc_table import ALL_PARTNERS, AdhocTable
from hoad.evaluation.agents import FEATURE_LABELS, features_with_partners
from hoad.evaluation.crossplay import CrossPlay
from hoad.evaluation.meta_training import SHOTS, MetaTraining
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


def draw_players(table: AdhocTable, path: Path) -> None:
    """Draw each player's mean score with each partner, with its 95 % interval."""
    rows, players = table.rows, table.players
    figure = new_figure(max(7.0, 2.0 + 0.1 * len(rows) * (len(players) + 2)), 6.4)
    for axes, score in zip(figure.subplots(2, 1, sharex=True), SCORES, strict=True):
        for index, player in enumerate(players):
            found = [table.over_repetitions(row, player, score) for row in rows]
            offset = (index - (len(players) - 1) / 2) / (len(players) + 2)
            axes.errorbar(
                np.arange(len(rows)) + offset,
                [one.mean for one in found],
                yerr=[np.nan_to_num(one.half_width) for one in found],
                fmt=MARKERS[index % len(MARKERS)],
                color=COLOURS[index % len(COLOURS)],
                label=player,
                markersize=4,
                elinewidth=1.0,
                clip_on=False,
            )
        _tidy(axes, f"{score} score")
        axes.set_xlim(-0.5, len(rows) - 0.5)
        axes.set_xticks(range(len(rows)), rows)
        axes.tick_params(axis="x", length=0)
    figure.supxlabel("held-out partner", fontsize="medium")
    add_legend(figure, axes)
    save_figure(figure, path)


def draw_by_game(table: AdhocTable, path: Path) -> None:
    """Draw each player's mean score by the number of the game within its episode."""
    figure = new_figure(9.5, 4.2)
    row = ALL_PARTNERS if ALL_PARTNERS in table.rows else table.rows[0]
    for axes, score in zip(figure.subplots(1, 2), SCORES, strict=True):
        for index, player in enumerate(table.players):
            found = table.by_game(row, player, score)
            means = np.array([one.mean for one in found])
            widths = np.nan_to_num([one.half_width for one in found])
            games = np.arange(1, len(found) + 1)
            colour = COLOURS[index % len(COLOURS)]
            marker = MARKERS[index % len(MARKERS)]
            axes.fill_between(games, means - widths, means + widths, color=colour, alpha=0.12, lw=0)
            axes.plot(games, means, color=colour, marker=marker, ms=4, lw=1.4, label=player)
        _tidy(axes, f"{score} score")
        axes.set_xticks(games)
        axes.set_xlabel("game of the episode (odd: partner first)")
    figure.suptitle(f"with {row}", fontsize="medium")
    add_legend(figure, axes)
    save_figure(figure, path)


def draw_belief(beliefs: Beliefs, partner: str, path: Path) -> None:
    """Draw how the mean belief in each hypothesis about a partner moves from game to game."""
    games, hypotheses = beliefs.means.shape
    figure = new_figure(2.5 + 0.55 * games, 1.6 + 0.24 * hypotheses)
    axes = figure.subplots()
    image = axes.imshow(beliefs.means.T, vmin=0, vmax=1, aspect="auto", cmap="magma_r")
    axes.set_xticks(range(games), [str(game + 1) for game in range(games)])
    axes.set_yticks(range(hypotheses), beliefs.hypotheses)
    axes.set_xlabel("before this game of the episode")
    axes.set_title(f"belief about {partner}", fontsize="medium")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, label="mean belief")
    save_figure(figure, path)


def draw_training(trainings: Mapping[str, MetaTraining], path: Path) -> None:
    """Draw how meta-models do with their held-out partners as their training goes on."""
    figure = new_figure(11.0, 4.4)
    for axes, what in zip(figure.subplots(1, 2), ("accuracy", "strict score"), strict=True):
        for index, (partner, training) in enumerate(trainings.items()):
            for shot, style in zip(SHOTS, ("--", "-"), strict=True):
                steps, values = training.curves.get(f"held-out/{shot} {what}", ([], []))
                colour = COLOURS[index % len(COLOURS)]
                label = f"{partner}, {shot}"
                axes.plot(steps, values, style, color=colour, marker=".", lw=1.3, label=label)
        _tidy(axes, f"{what} with the held-out partner")
        axes.set_xlabel("steps of meta-training")
        if what == "accuracy":
            axes.set_ylim(0, 1)
    add_legend(figure, axes)
    save_figure(figure, path)


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
