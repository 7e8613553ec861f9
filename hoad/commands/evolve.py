"""The command that evolves a population of agents that behave differently."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.core import cli
from hoad.core.paths import checkpoint_root
from hoad.evolution.folders import refuse_run, run_folder
from hoad.evolution.recipe import EvolveRecipe, recipes_of


def evolve(
    recipe: EvolveRecipe,
    *,
    out: Path | None = None,
    resume: bool = False,
    runs: Annotated[int, Field(ge=1, le=1_000)] | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Evolve a population with MAP-Elites: the best rule list for each way to behave.

    The population is written to OUT/populations/NAME, with a heat map, curves for TensorBoard and
    what --resume needs. Its elites are agents named elite:NAME/c,i (niche c, i of the grid).

    Args:
        recipe: See above.
        out: Folder of all checkpoints; without it, $HOAD_CHECKPOINTS or checkpoints.
        resume: Continue runs that were stopped.
        runs: Make several populations: NAME-1 with the recipe's seed, NAME-2 with the next one...
        workers: What plays: threads share each run, others do whole runs at a time.
    """
    root = out or checkpoint_root()
    recipes = [recipe] if runs is None else recipes_of(recipe, runs)
    for run in recipes:
        refuse_run(run_folder(run.name, root), resume)

    from hoad.evolution.run import evolve_all

    with workers.in_use():
        for population in evolve_all(recipes, root, resume, workers.threads, workers.backend):
            fitness = [elite.fitness or 0.0 for elite in population.elites]
            print(
                f"{run_folder(population.name, root)}: "
                f"{len(fitness)} of {population.grid[0] * population.grid[1]} niches, "
                f"best score {max(fitness, default=0):.2f}, "
                f"mean {sum(fitness) / max(len(fitness), 1):.2f} "
                f"over {recipe.final_games:,} games each"
            )
