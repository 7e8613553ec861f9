#!/usr/bin/env python
"""Evolve a population of agents that behave differently."""

# First, for the other imports take a while and Ctrl-C may come.
import hoad.interrupt  # noqa: F401

# isort: split

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad import cli
from hoad.checkpoints import checkpoint_root
from hoad.evolution.folders import run_folder
from hoad.evolution.recipe import EvolveRecipe

CHECKPOINTS = checkpoint_root()


def main(
    recipe: EvolveRecipe,
    *,
    out: Path = CHECKPOINTS,
    resume: bool = False,
    threads: Annotated[int, Field(ge=1)] = os.cpu_count() or 1,
) -> None:
    """Evolve a population by MAP-Elites: the best list of rules for each way to behave.

    The population is left in OUT/populations/NAME, with a heat map, curves for TensorBoard and
    what going on needs. Its elites are agents named elite:NAME/c,i (niche c, i of the grid).

    Args:
        recipe: See above.
        out: Folder of all checkpoints.
        resume: Go on where a stopped run left off.
        threads: Threads that play; the population does not depend on it.
    """
    from hoad.evolution.run import evolve  # plots and curves take seconds; --help need not wait

    population = evolve(recipe, out, resume, threads)
    fitness = [elite.fitness or 0.0 for elite in population.elites]
    print(
        f"{run_folder(recipe.name, out)}: {len(fitness)} of {recipe.grid[0] * recipe.grid[1]} "
        f"niches, best score {max(fitness, default=0):.2f}, mean "
        f"{sum(fitness) / max(len(fitness), 1):.2f} over {recipe.final_games:,} games each"
    )


if __name__ == "__main__":
    cli.run(main)
