"""The style of all figures, and functions that draw arrays.

Every ``draw_`` function returns a figure, for a :class:`~hoad.reports.page.Figure`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hoad.agents.families import split_games_file
from hoad.core.figure_files import new_figure
from hoad.game.state import PERFECT_SCORE
from hoad.reports.statistics import Estimate, means_and_widths
from hoad.reports.styles import COLOURS, Style, plot_arguments, styles_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCORE_RANGE: Final = (0.0, float(PERFECT_SCORE))

_CELL: Final = 0.38  # width and height of a matrix cell with a number, in inches

_CELL_WITHOUT_NUMBER: Final = 0.26

_LETTER: Final = 0.08  # approximate width of a letter of a label, in inches

_TURNED: Final[Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
"""Arguments of matplotlib for labels below an axis that need more room than there is."""

_FEATURE_TICKS: Final = (0, 0.2, 0.4, 0.6, 0.8, 1)
"""Borders of niches where features have five or twenty of them."""

MOST_CURVES: Final = 7
"""The most series in a figure of scores by game; with more, lines hide each other."""

_MOST_SIDE_BY_SIDE: Final = 10
"""Columns of the largest matrices with numbers that are drawn side by side."""


@dataclass(frozen=True)
class Series:
    """A line of a figure: values ``y`` at the positions ``x``.

    Attributes:
        label: in the legend; series of one figure with the same label share an entry.
        half_widths: of the interval about each value; not drawn where NaN.
        line: style of matplotlib: ``-``, ``--``, ``:``, or an empty string for points only.
        style: colour and marker; None for those of the label (:func:`styles_of`).
    """

    label: str
    x: Sequence[float] | np.ndarray
    y: Sequence[float] | np.ndarray
    half_widths: np.ndarray | None = None
    line: str = "-"
    style: Style | None = None

    @classmethod
    def of_estimates(cls, label: str, x: Sequence[float], means: Iterable[Estimate]) -> "Series":
        """Return the line of means with their intervals."""
        return cls(label, x, *means_and_widths(means))


@dataclass(frozen=True)
class Panel:
    """One plot of a figure; None at one end of a range takes that end from the data.

    A range grows to hold all values and their intervals.
    With ``log_ticks`` the horizontal axis is logarithmic, and has these ticks.
    """

    x_label: str
    y_label: str
    series: Sequence[Series]
    title: str = ""
    x_range: tuple[float | None, float | None] = (None, None)
    y_range: tuple[float | None, float | None] = (None, None)
    log_ticks: Sequence[int] = ()


def draw_lines(panels: Sequence[Panel], title: str = "") -> "Figure":
    """Draw series with a common legend, one panel right of the other."""
    labels = [series.label for panel in panels for series in panel.series]
    styles = styles_of(labels)
    figure = new_figure(3.75 * len(panels) + _legend_width(labels), 4.2)
    axes_of_panels = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, panel in zip(axes_of_panels, panels, strict=True):
        for series in panel.series:
            _draw_series(axes, series, series.style or styles[series.label])
        _tidy(axes, panel.y_label)
        if all(isinstance(series.x, range) for series in panel.series):
            axes.xaxis.get_major_locator().set_params(integer=True)
        if panel.log_ticks:
            axes.set_xscale("log")
            axes.set_xticks(panel.log_ticks, [f"{tick:,}" for tick in panel.log_ticks])
            axes.minorticks_off()
        axes.set(title=panel.title, xlabel=panel.x_label)
        axes.set_xlim(holding(panel.x_range, axes.dataLim.intervalx))
        axes.set_ylim(holding(panel.y_range, axes.dataLim.intervaly))
    if title:
        figure.suptitle(title, fontsize="medium")
    _add_legend(figure, axes_of_panels)
    return figure


def draw_intervals(
    panels: Mapping[str, Mapping[str, tuple[np.ndarray, np.ndarray]]],
    categories: Sequence[str],
    x_label: str,
) -> "Figure":
    """Draw mean scores with intervals by category; panels are below each other.

    ``panels`` has, by label of the vertical axis and by series, means and half widths by category.
    Intervals end at the lowest and the highest score. Categories are named without files of games.
    """
    count = max(len(series) for series in panels.values())
    names = [name for series in panels.values() for name in series]
    styles, width = styles_of(names), max(5.0, 0.1 * len(categories) * (count + 2))
    labels = _without_files(categories)
    turned = _overlap(labels, width / len(labels))
    height = 3.2 * len(panels) + (0.6 * _LETTER * max(map(len, labels)) if turned else 0.0)
    figure = new_figure(width + _legend_width(names), height)
    rows = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (label, series) in zip(rows, panels.items(), strict=True):
        for index, (name, (means, half_widths)) in enumerate(series.items()):
            shift = (index - (len(series) - 1) / 2) / (len(series) + 2)
            dot = plot_arguments(styles[name]) | {"linestyle": "none", "ms": 4, "elinewidth": 1.0}
            x, error = np.arange(len(labels)) + shift, np.nan_to_num(half_widths)
            below, above = means - SCORE_RANGE[0], SCORE_RANGE[1] - means
            error = np.minimum(error, [below, above])
            axes.errorbar(x, means, yerr=error, **dot, label=name, clip_on=False)
        _tidy(axes, label)
        axes.set_xlim(-0.5, len(labels) - 0.5)
        axes.set_ylim(SCORE_RANGE)
        axes.set_xticks(range(len(labels)), labels, **(_TURNED if turned else {}))
        axes.tick_params(axis="x", length=0)
    figure.supxlabel(x_label, fontsize="medium")
    _add_legend(figure, rows)
    return figure


def _without_files(names: Sequence[str]) -> list[str]:
    """Return names for the labels of a figure: ``logit P001`` for ``logit:people.h5:P001``.

    Names that would be the same are left as they are.
    """
    shorter = []
    for name in names:
        model, _, rest = name.partition(":")
        file, person = split_games_file(rest) or ("", "")
        shorter.append(f"{model} {person}" if file and person else name)
    return [
        short if shorter.count(short) == 1 else name
        for short, name in zip(shorter, names, strict=True)
    ]


def _overlap(labels: Sequence[str], room: float) -> bool:
    """Return whether neighbours of labels would overlap, with this room for each, in inches."""
    letters = [(len(one) + len(next_one)) / 2 + 1 for one, next_one in pairwise(labels)]
    return _LETTER * max(letters, default=0.0) > room


def holding(
    wanted: tuple[float | None, float | None], drawn: np.ndarray
) -> tuple[float | None, float | None]:
    """Return a range of an axis that holds the wanted one, and all that is drawn.

    ``drawn``: the smallest and the largest coordinate, intervals included.
    """
    low, high = wanted
    return (
        None if low is None else min(low, float(drawn[0])),
        None if high is None else max(high, float(drawn[1])),
    )


def draw_matrices(
    panels: Mapping[str, np.ndarray],
    labels: tuple[Sequence[str], Sequence[str]],
    sides: tuple[str, str],
    highest: float,
    decimals: int | None = None,
    unit: str = "",
) -> "Figure":
    """Draw matrices; large ones with numbers below each other, others side by side.

    Args:
        panels: the matrices by title, all of one shape.
        labels: of the rows and of the columns.
        sides: what rows and columns are.
        highest: value at the end of the colours; 0 is at their beginning.
        decimals: of the numbers in the cells; None writes no numbers.
        unit: label of the colour bar.
    """
    rows, columns = map(len, labels)
    cell = _CELL if decimals is not None else _CELL_WITHOUT_NUMBER
    abreast = columns <= _MOST_SIDE_BY_SIDE or decimals is None
    across, down = (len(panels), 1) if abreast else (1, len(panels))
    row_words, column_words = (_LETTER * max(map(len, names)) for names in labels)
    width, height = max(cell * columns, 2.2), max(cell * rows, 2.2) + 0.6 * column_words + 1.0
    figure = new_figure(across * width + row_words + 1.5, down * height)
    grid = figure.subplots(down, across, sharey=abreast, squeeze=False)
    for axes, (title, matrix) in zip(grid.flat, panels.items(), strict=True):
        image = axes.imshow(matrix, vmin=0, vmax=highest, cmap="viridis")
        frameless(axes, title)
        axes.set_xlabel(sides[1])
        axes.set_xticks(range(columns), labels[1], **_TURNED)
        axes.set_yticks(range(rows), labels[0])
        if decimals is not None:
            _write_numbers(axes, matrix, highest, decimals)
    for axes in grid[:, 0]:
        axes.set_ylabel(sides[0])
    figure.colorbar(image, ax=grid, shrink=0.8 if abreast else 0.35, aspect=25, label=unit)
    return figure


def draw_niches(
    panels: Sequence[Sequence[tuple[str, np.ndarray]]],
    sides: tuple[str, str],
    unit: str,
    colour_map: str = "viridis",
    framed: tuple[int, int] | None = None,
) -> "Figure":
    """Draw values from 0 to 1 by niche, over features that go from 0 to 1.

    The first feature goes upwards, as in :func:`hoad.evolution.heat_map.draw_heat_map`.

    Args:
        panels: rows of panels, each a title and the values, whose shape is that of the grid;
            NaN where a niche is empty.
        sides: the names of the two features.
        unit: label of the colour bar.
        colour_map: name in matplotlib.
        framed: a niche to mark in each panel.
    """
    rows, columns = len(panels), len(panels[0])
    figure = new_figure(2.4 * columns + 0.9, 2.6 * rows + 0.3)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, (title, values) in zip(grid.flat, [p for row in panels for p in row], strict=True):
        image = axes.imshow(
            values, vmin=0, vmax=1, cmap=colour_map, origin="lower", extent=(0, 1, 0, 1)
        )
        if framed is not None:
            upwards = (framed[0] + np.array([0, 1, 1, 0, 0])) / values.shape[0]
            to_the_right = (framed[1] + np.array([0, 0, 1, 1, 0])) / values.shape[1]
            axes.plot(to_the_right, upwards, color=COLOURS["blue"], lw=2, clip_on=False)
        frameless(axes, title, labelsize="small")
        axes.set(xticks=_FEATURE_TICKS, yticks=_FEATURE_TICKS)
        axes.set_facecolor("#eeeeee")
    figure.supxlabel(sides[1], fontsize="medium")
    figure.supylabel(sides[0], fontsize="medium")
    figure.colorbar(image, ax=grid, label=unit, shrink=0.8)
    return figure


def frameless(axes: "Axes", title: str, **labels: Any) -> None:
    """Give axes with an image a title, and neither ticks nor a frame."""
    axes.set_title(title, fontsize="medium")
    axes.tick_params(length=0, **labels)
    axes.spines[:].set_visible(False)


def _draw_series(axes: "Axes", series: Series, style: Style) -> None:
    line = plot_arguments(style)
    if series.half_widths is not None:
        y, half = np.asarray(series.y), np.nan_to_num(series.half_widths)
        if len(y) > 1:
            axes.fill_between(series.x, y - half, y + half, color=line["color"], alpha=0.12, lw=0)
        else:  # a band has no width there
            axes.errorbar(series.x, y, yerr=half, color=line["color"], linestyle="none", lw=1.4)
    line |= {"linestyle": series.line or "none", "label": series.label}
    axes.plot(series.x, series.y, **line, ms=4, lw=1.4, alpha=1.0 if series.line else 0.7)


def _tidy(axes: "Axes", y_label: str) -> None:
    axes.set_ylabel(y_label)
    axes.grid(axis="y", color="#dddddd", lw=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _add_legend(figure: "Figure", panels: "Iterable[Axes]") -> None:
    """Write the legend of all panels to the right of the figure."""
    handles: dict[str, Artist] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    legend = figure.legend(
        handles.values(), list(handles), loc="outside right center", frameon=False, markerscale=1.4
    )
    for shown in legend.legend_handles:
        if shown is not None:
            shown.set_alpha(1.0)  # points are drawn paler, because many lie on each other


def _legend_width(labels: Iterable[str]) -> float:
    """Return how wide a legend is, in inches, so that long labels leave the panels their width."""
    return 0.9 + _LETTER * max(map(len, labels))


def _write_numbers(axes: "Axes", matrix: np.ndarray, highest: float, decimals: int) -> None:
    for (row, column), value in np.ndenumerate(matrix):
        colour = "white" if value <= 0.6 * highest else "black"
        text = "-" if np.isnan(value) else f"{value:.{decimals}f}"
        axes.text(column, row, text, ha="center", va="center", color=colour, size=7)
