"""Archives as pictures: fitness over communicativeness and IPP."""

import io
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from hoad.evolution.population import Population

_MOST_NUMBERED: Final = 10
_BEST_SCORE: Final = 25


def fitness_grid(population: Population) -> np.ndarray:
    """Return the fitness by niche, float64, shape ``grid``; NaN where empty or unknown."""
    grid = np.full(population.grid, np.nan)
    for elite in population.elites:
        grid[elite.niche] = np.nan if elite.fitness is None else elite.fitness
    return grid


def draw_heat_map(population: Population) -> Figure:
    """Draw the fitness of each niche: communicativeness upwards, IPP to the right."""
    fitness = fitness_grid(population)
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(
        fitness, origin="lower", extent=(0, 1, 0, 1), vmin=0, vmax=_BEST_SCORE, cmap="viridis"
    )
    figure.colorbar(image, label="mean lenient score in self-play")
    axes.set_xlabel("information per play")
    axes.set_ylabel("communicativeness")
    axes.set_title(f"{population.name}: {len(population.elites)} of {fitness.size} niches")
    if max(fitness.shape) <= _MOST_NUMBERED:
        for (row, column), score in np.ndenumerate(fitness):
            if not np.isnan(score):
                place = (column + 0.5) / fitness.shape[1], (row + 0.5) / fitness.shape[0]
                axes.annotate(
                    f"{score:.1f}", place, ha="center", va="center", color="white", fontsize=9
                )
    return figure


def heat_map_png(population: Population) -> bytes:
    """Return the picture of :func:`draw_heat_map` as a PNG file."""
    buffer = io.BytesIO()
    draw_heat_map(population).savefig(buffer, format="png", dpi=120)
    return buffer.getvalue()
