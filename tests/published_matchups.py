"""The matchups that Canaan et al. published."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hoad.bayes.matchups import Matchups, read_published
from hoad.bayes.pool import make_pool


@pytest.fixture(scope="session")
def published(reference: Path) -> Callable[[int], Matchups]:
    """Their matchups by number of the population; agents are named by niche, as ``23``."""

    def matchups(number: int) -> Matchups:
        pool = make_pool(population=str(reference / f"canaan_5x5_population_{number}.json"))
        found = read_published(reference / "canaan_5x5_matchups.csv", number, pool)
        names = tuple(f"{niche[0]}{niche[1]}" for niche in pool.niches if niche)
        return Matchups(names, found.lenient, found.strict, found.features)

    return matchups
