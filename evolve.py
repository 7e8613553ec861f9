#!/usr/bin/env python
"""Evolve a population of agents that behave differently."""

# First, for the other imports take a while and Ctrl-C may come.
import hoad.core.signals  # noqa: F401

# isort: split

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.core import cli
from hoad.core.paths import checkpoint_root
from hoad.evolution.folders import run_folder
from hoad.evolution.population import Population
from hoad.evolution.recipe import EvolveRecipe

CHECKPOINTS = checkpoint_root()
Count = Annotated[int, Field(ge=1, le=1_000)]


def main(
    recipe: EvolveRecipe,
    *,
    out: Path = CHECKPOINTS,
    resume: bool = False,
    runs: Count | None = None,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Evolve a population by MAP-Elites: the best list of rules for each way to behave.

    The population is left in OUT/populations/NAME, with a heat map, curves for TensorBoard and
    what going on needs. Its elites are agents named elite:NAME/c,i (niche c, i of the grid).

    Args:
        recipe: See above.
        out: Folder of all checkpoints.
        resume: Go on where stopped runs left off.
        runs: Make several populations: NAME-1 with the recipe's seed, NAME-2 with the next one...
        crew: Who plays: threads share out each run, others do whole runs at a time.
    """
    # Here, because curves and plots take seconds, for which --help need not wait.
    from hoad.evolution.search import evolve_all, recipes_of

    recipes = [recipe] if runs is None else recipes_of(recipe, runs)
    with crew.at_work():
        for population in evolve_all(recipes, out, resume, crew.threads, crew.backend):
            print(_in_short(population, recipe.final_games, run_folder(population.name, out)))


def _in_short(population: Population, games: int, folder: Path) -> str:
    fitness = [elite.fitness or 0.0 for elite in population.elites]
    return (
        f"{folder}: {len(fitness)} of {population.grid[0] * population.grid[1]} niches, "
        f"best score {max(fitness, default=0):.2f}, "
        f"mean {sum(fitness) / max(len(fitness), 1):.2f} over {games:,} games each"
    )


if __name__ == "__main__":
    cli.run(main)
