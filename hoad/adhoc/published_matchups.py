"""The match-ups that Canaan et al. 2022 published of their three populations."""

import csv
import os
from pathlib import Path
from typing import Final

import numpy as np

from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.pool import Pool
from hoad.errors import HoadError

GAMES: Final = 400
"""Games of each pair, with the response in the first seat."""

_NICHE: Final = {who: (f"{who}_comm_idx", f"{who}_ipp_idx") for who in "rh"}
_COLUMNS: Final = {"population", "h_comm", "h_ipp", "score", *_NICHE["r"], *_NICHE["h"]}


def read_published(path: Path, number: int, pool: Pool) -> MatchUps:
    """Return the published match-ups of a pool.

    Only scores of responses in the first seat and features of the second seat were published:
    features of the first seat are undefined, and strict scores not a number.

    Args:
        path: the table (CSV), which may hold environment variables.
        number: of the population, from 1.
        pool: its elites.

    Raises:
        HoadError: the file cannot be read, is another table, or has other niches than the pool.
    """
    index = {niche: place for place, niche in enumerate(pool.niches)}
    size = len(pool.agents)
    scores, features = np.full((size, size), np.nan), np.full((size, size, 2, 2), np.nan)
    for row in _read(path):
        if int(row["population"]) != number:
            continue
        niches = [(int(row[comm]), int(row[ipp])) for comm, ipp in _NICHE.values()]
        if unknown := [niche for niche in niches if niche not in index]:
            raise HoadError(f"{path}: population {number}: niche {unknown[0]} is not in the pool")
        pair = index[niches[0]], index[niches[1]]
        scores[pair] = float(row["score"])
        features[pair][1] = float(row["h_comm"]), float(row["h_ipp"])
    if np.isnan(scores).any():
        raise HoadError(f"{path}: population {number} does not have all pairs of the pool")
    return MatchUps(pool.agents, scores, np.full_like(scores, np.nan), features)


def _read(path: Path) -> list[dict[str, str]]:
    try:
        with Path(os.path.expandvars(path)).open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise HoadError(f"{path}: cannot read these match-ups: {error.strerror}") from error
    if not rows or not rows[0].keys() >= _COLUMNS:
        raise HoadError(f"{path}: not the table of match-ups that Canaan et al. published")
    return rows
