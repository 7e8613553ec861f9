"""Means with intervals and distributions in rows: for more players than fit side by side."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hoad.core.figure_files import new_figure
from hoad.game.state import PERFECT_SCORE
from hoad.reports.plots import SCORE_RANGE, holding
from hoad.reports.styles import Style, plot_arguments

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW: Final = 0.24  # height of a row, in inches
_LETTER: Final = 0.08  # approximate width of a letter of a row's name, in inches
_WIDTHS: Final = (4.0, 0.95)  # width of the first panel and of each other one, in inches
_ALIKE: Final = 2.2  # width of each of several panels of the same width
_VIOLIN: Final = 0.42  # the most height of a violin above its middle, in rows
_GAP: Final = 0.7  # rows between those that stand apart and the others


def draw_dots(
    rows: Sequence[str],
    panels: Mapping[str, tuple[np.ndarray, np.ndarray]],
    x_label: str,
    styles: Mapping[str, Style],
    apart: int = 0,
    alike: bool = False,
) -> "Figure":
    """Draw mean scores with intervals, a row for each name.

    Args:
        rows: the names, from top to bottom.
        panels: means and half widths of the rows, by title.
        x_label: which score the means are of.
        styles: of the rows, by name.
        apart: how many of the last rows stand apart.
        alike: whether all panels have the same width; else the first is the largest.
    """
    widths = [_WIDTHS[0], *[_WIDTHS[1]] * (len(panels) - 1)]
    if alike:
        widths = [_ALIKE] * len(panels)
    figure, grid, places = _panels_of_rows(rows, widths, apart)
    for axes, (title, estimates) in zip(grid, panels.items(), strict=True):
        _draw_row_dots(axes, rows, places, estimates, styles)
        large = alike or axes is grid[0]
        axes.set_title(title, fontsize="medium" if large else "small")
        axes.set_xticks(range(0, PERFECT_SCORE + 1, 5 if large else 10))
        axes.set_xlim(holding(SCORE_RANGE, axes.dataLim.intervalx))
    for axes in grid if alike else grid[:1]:
        axes.set_xlabel(x_label)
    return figure


def draw_distributions(
    rows: Sequence[str],
    counts: np.ndarray,
    lost: tuple[np.ndarray, np.ndarray],
    styles: Mapping[str, Style],
    apart: int = 0,
) -> "Figure":
    """Draw how often each score is reached, and the share of games that are lost, a row a name.

    Args:
        rows: the names, from top to bottom.
        counts: games by strict score from 0 to 25, shape ``(rows, 26)``; those with 0 are lost. Of
            the others each row is a violin, as high as its most frequent score, and has a white
            line at the median.
        lost: share of lost games with half the width of its interval, in per cent; intervals end
            at 0 and 100.
        styles: of the rows, by name.
        apart: how many of the last rows stand apart.
    """
    figure, (scores, shares), places = _panels_of_rows(rows, [_WIDTHS[0], _ALIKE], apart)
    for name, place, games in zip(rows, places, counts[:, 1:], strict=True):
        if not games.any():
            continue
        heights = _VIOLIN * games / games.max()
        colour = plot_arguments(styles[name])["color"]
        ends = np.arange(1, PERFECT_SCORE + 1), place - heights, place + heights
        alpha = 0.5 if styles[name].hollow else 1.0
        scores.fill_between(*ends, step="mid", color=colour, lw=0, alpha=alpha, antialiased=False)
        median = 1 + int(np.searchsorted(games.cumsum(), games.sum() / 2))
        middle = [place - heights[median - 1], place + heights[median - 1]]
        scores.plot([median, median], middle, color="white", lw=1.2)
    means, half_widths = lost
    lost = means, np.minimum(np.nan_to_num(half_widths), [means, 100 - means])
    _draw_row_dots(shares, rows, places, lost, styles)
    scores.set(xlabel="strict score of games that are not lost", xlim=SCORE_RANGE)
    shares.set(xlabel="lost games, per cent", xlim=(0, 100))
    return figure


def _panels_of_rows(
    rows: Sequence[str], widths: Sequence[float], apart: int
) -> "tuple[Figure, Sequence[Any], np.ndarray]":
    """Return a figure, panels of these widths (inches) with a row for each name, and its places."""
    places = np.arange(len(rows)) + _GAP * (np.arange(len(rows)) >= len(rows) - apart)
    width = sum(widths) + _LETTER * max(map(len, rows)) + 0.4
    figure = new_figure(width, _ROW * (places[-1] + 1.2) + 0.8)
    grid = figure.subplots(1, len(widths), sharey=True, squeeze=False, width_ratios=widths)[0]
    for axes in grid:
        axes.set_yticks(places, rows)
        axes.tick_params(axis="y", length=0)
        axes.grid(color="#e4e4e4", lw=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        if 0 < apart < len(rows):
            axes.axhline(places[-apart] - (1 + _GAP) / 2, color="#888888", lw=0.8)
    grid[0].set(ylim=(places[-1] + 0.6, -0.6))
    return figure, grid, places


def _draw_row_dots(
    axes: "Axes",
    rows: Sequence[str],
    places: np.ndarray,
    estimates: tuple[np.ndarray, np.ndarray],
    styles: Mapping[str, Style],
) -> None:
    means, half_widths = estimates
    errors = np.broadcast_to(np.nan_to_num(half_widths), (2, len(rows)))  # below and above
    for index, (name, place) in enumerate(zip(rows, places, strict=True)):
        dot = plot_arguments(styles[name]) | {"linestyle": "none", "ms": 5, "elinewidth": 1.3}
        error = errors[:, index : index + 1]
        axes.errorbar(means[index], place, xerr=error, **dot, clip_on=False, zorder=3)
