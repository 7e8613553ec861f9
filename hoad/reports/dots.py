"""Means with intervals as rows of dots: for more players than fit side by side."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from hoad.core.figure_files import new_figure
from hoad.reports.plots import PERFECT, SCORE_RANGE, holding
from hoad.reports.styles import Style, look

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW: Final = 0.24  # height of a row, in inches
_LETTER: Final = 0.08  # approximate width of a letter of a row's name, in inches
_WIDTHS: Final = (4.0, 0.95)  # width of the first panel and of each other one, in inches
_ALIKE: Final = 2.2  # width of each of several panels of the same width
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
    places = np.arange(len(rows)) + _GAP * (np.arange(len(rows)) >= len(rows) - apart)
    widths = [_WIDTHS[0], *[_WIDTHS[1]] * (len(panels) - 1)]
    if alike:
        widths = [_ALIKE] * len(panels)
    width = sum(widths) + _LETTER * max(map(len, rows)) + 0.4
    figure = new_figure(width, _ROW * (places[-1] + 1.2) + 0.8)
    grid = figure.subplots(1, len(panels), sharey=True, squeeze=False, width_ratios=widths)[0]
    for axes, (title, (means, half_widths)) in zip(grid, panels.items(), strict=True):
        errors = np.nan_to_num(half_widths)
        for name, place, mean, error in zip(rows, places, means, errors, strict=True):
            dot = look(styles[name]) | {"linestyle": "none", "ms": 5, "elinewidth": 1.3}
            axes.errorbar(mean, place, xerr=error, **dot, clip_on=False, zorder=3)
        large = alike or axes is grid[0]
        axes.set_title(title, fontsize="medium" if large else "small")
        axes.set_yticks(places, rows)
        axes.tick_params(axis="y", length=0)
        axes.grid(color="#e4e4e4", lw=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        if 0 < apart < len(rows):
            axes.axhline(places[-apart] - (1 + _GAP) / 2, color="#888888", lw=0.8)
        axes.set_xticks(range(0, PERFECT + 1, 5 if large else 10))
        axes.set_xlim(holding(SCORE_RANGE, axes.dataLim.intervalx))
    grid[0].set(ylim=(places[-1] + 0.6, -0.6))
    for axes in grid if alike else grid[:1]:
        axes.set_xlabel(x_label)
    return figure
