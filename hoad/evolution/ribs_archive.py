"""Populations as archives of pyribs (https://pyribs.org), for its plots and emitters."""

from typing import TYPE_CHECKING

import numpy as np

from hoad.core.errors import HoadError
from hoad.evolution.population import Population

if TYPE_CHECKING:
    from ribs.archives import GridArchive


def to_ribs_archive(population: Population) -> "GridArchive":
    """Return a population as pyribs has it: a solution, objective and measures for each niche.

    Solutions are the rule numbers, the objective is the fitness, and measures are the middle of
    the niche, because a population file does not tell where in its niche an elite lies.

    Raises:
        HoadError: pyribs is not installed, or an elite's fitness is not known.
    """
    try:
        from ribs.archives import GridArchive
    except ImportError as error:
        raise HoadError("pyribs is not installed: pip install 'hoad[pyribs]'") from error
    fitness = [elite.fitness for elite in population.elites]
    if None in fitness:
        raise HoadError(
            f"population {population.name}: an elite's fitness is not known; pyribs wants one"
        )
    rules = population.chromosomes
    archive = GridArchive(solution_dim=rules.shape[1], dims=population.grid, ranges=2 * [(0, 1)])
    niches = np.array([elite.niche for elite in population.elites])
    archive.add(rules, np.array(fitness), (niches + 0.5) / population.grid)
    return archive
