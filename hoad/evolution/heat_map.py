"""Heat maps of archives: fitness over the two features, as in Canaan et al. 2020 and 2022."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from hoad.core.figure_files import new_figure
from hoad.evolution.population import Population
from hoad.game.state import PERFECT_SCORE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FRAMES: Final = ("tab:red", "tab:orange")
_SMALL: Final = 10  # niches by feature of the largest grid in which scores are always written


def fitness_grid(population: Population) -> np.ndarray:
    """Return the fitness by niche, float64, shape ``grid``; NaN where empty or unknown."""
    grid = np.full(population.grid, np.nan)
    for elite in population.elites:
        grid[elite.niche] = np.nan if elite.fitness is None else elite.fitness
    return grid


def draw_heat_map(
    population: Population,
    numbered: bool = True,
    marked: Mapping[str, tuple[int, int]] | None = None,
) -> "Figure":
    """Draw the fitness of each niche: the first feature upwards, the second to the right.

    If ``numbered``, scores are written into the niches of large grids too (takes a second).
    ``marked`` are at most two niches to frame, by what they are called in the legend.
    """
    fitness = fitness_grid(population)
    small = max(fitness.shape) <= _SMALL
    figure = new_figure(6.4, 5.2) if small else new_figure(11, 9.4)
    axes = figure.add_subplot()
    image = axes.imshow(fitness, origin="lower", vmin=0, vmax=PERFECT_SCORE, cmap="viridis")
    axes.set_facecolor("#eeeeee")
    figure.colorbar(image, label="mean lenient score in self-play", shrink=0.8)
    upwards, to_the_right = (name.replace("_", " ") for name in population.features)
    axes.set_xlabel(to_the_right)
    axes.set_ylabel(upwards)
    axes.set_yticks(range(fitness.shape[0]), _ranges(fitness.shape[0]), fontsize=8)
    turned = 0 if small else 90
    axes.set_xticks(range(fitness.shape[1]), _ranges(fitness.shape[1]), fontsize=8, rotation=turned)
    axes.set_title(f"{population.name}: {len(population.elites)} of {fitness.size} niches")
    for inset, (name, (row, column)) in enumerate((marked or {}).items()):
        half = 0.46 - 0.1 * inset  # of the same niche, one frame lies inside the other
        to_the_right, upwards = np.array([[-1, 1, 1, -1, -1], [-1, -1, 1, 1, -1]]) * half
        frame, label = (column + to_the_right, row + upwards), f"{name}: {row},{column}"
        axes.plot(*frame, color=_FRAMES[inset], lw=2, label=label)
    if marked:
        figure.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False)
    if small or numbered:
        for (row, column), score in np.ndenumerate(fitness):
            if not np.isnan(score):
                colour = "black" if score > 0.66 * PERFECT_SCORE else "white"
                text = axes.text(column, row, f"{score:.1f}", ha="center", va="center")
                text.set(color=colour, size=9 if small else 6)
    return figure


def _ranges(niches: int) -> list[str]:
    """Return the range of a feature in each of its niches."""
    borders = [f"{index / niches:.3g}" for index in range(niches + 1)]
    return [f"{low}–{high}" for low, high in pairwise(borders)]
