"""The match-ups that Canaan et al. published."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hoad.bayes.matchups import MatchUps, read_published
from hoad.bayes.pool import make_pool


@pytest.fixture(scope="session")
def published(reference: Path) -> Callable[[int], MatchUps]:
    """Their match-ups by number of the population; agents are named by niche, as ``23``."""

    def match_ups(number: int) -> MatchUps:
        pool = make_pool(population=str(reference / f"canaan_5x5_population_{number}.json"))
        found = read_published(reference / "canaan_5x5_matchups.csv", number, pool)
        names = tuple(f"{niche[0]}{niche[1]}" for niche in pool.niches if niche)
        return MatchUps(names, found.lenient, found.strict, found.features)

    return match_ups
