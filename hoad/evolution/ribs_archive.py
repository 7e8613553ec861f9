"""Populations as archives of pyribs (https://pyribs.org), for its plots and emitters."""

from typing import TYPE_CHECKING

import numpy as np

from hoad.core.errors import HoadError
from hoad.evolution.population import Population

if TYPE_CHECKING:
    from ribs.archives import GridArchive


def to_ribs_archive(population: Population) -> "GridArchive":
    """Return a population as an archive of pyribs.

    Solutions are rule numbers and objectives are fitness. Measures are the centres of the niches,
    because a population file does not hold the features of its elites.

    Raises:
        HoadError: pyribs is not installed, or an elite's fitness is not known.
    """
    try:
        from ribs.archives import GridArchive
    except ImportError as error:
        raise HoadError("pyribs is not installed: pip install 'hoad[pyribs]'") from error
    fitness = [elite.fitness for elite in population.elites]
    if None in fitness:
        problem = "the fitness of an elite is not known; pyribs needs it"
        raise HoadError(f"population {population.name}: {problem}")
    rules = population.chromosomes
    archive = GridArchive(solution_dim=rules.shape[1], dims=population.grid, ranges=2 * [(0, 1)])
    niches = np.array([elite.niche for elite in population.elites])
    archive.add(rules, np.array(fitness), (niches + 0.5) / population.grid)
    return archive
