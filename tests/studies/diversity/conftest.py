"""Populations and their diversity, measured once."""

import pytest

from hoad.evolution.population import save_population
from hoad.studies.diversity.measure import Diversity, measure_diversity
from tests.studies.diversity.examples import MUCH, ONE, TWO


@pytest.fixture(scope="session")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("populations")
    for population in (ONE, TWO):
        save_population(folder / f"{population.name}.json", population)
    return [str(folder / "one.json"), str(folder / "two.json")]


@pytest.fixture(scope="session")
def found(names: list[str]) -> Diversity:
    return measure_diversity(names, **MUCH, threads=2)
