"""The match-ups that Canaan et al. published."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hoad.adhoc.matchups import MatchUps


@pytest.fixture(scope="session")
def published(reference: Path) -> Callable[[int], MatchUps]:
    """Their match-ups by number of the population; agents are named by niche, as ``23``.

    Only the features of the second seat were published; the others are undefined.
    """
    with (reference / "canaan_5x5_matchups.csv").open() as file:
        rows = list(csv.DictReader(file))

    def match_ups(population: int) -> MatchUps:
        mine = [row for row in rows if row["population"] == str(population)]
        names = sorted({row["h_comm_idx"] + row["h_ipp_idx"] for row in mine})
        scores = np.full((len(names), len(names)), np.nan)
        features = np.full((len(names), len(names), 2, 2), np.nan)
        for row in mine:
            response = names.index(row["r_comm_idx"] + row["r_ipp_idx"])
            hypothesis = names.index(row["h_comm_idx"] + row["h_ipp_idx"])
            scores[response, hypothesis] = float(row["score"])
            features[response, hypothesis, 1] = float(row["h_comm"]), float(row["h_ipp"])
        return MatchUps(tuple(names), scores, scores, features)

    return match_ups
