"""The match-ups that Canaan et al. 2022 published of their three populations."""

import csv
import os
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.pool import Niche, Pool
from hoad.core.errors import HoadError

_NICHE: Final = {who: (f"{who}_comm_idx", f"{who}_ipp_idx") for who in "rh"}
_OTHER_TABLE: Final = "not the table of match-ups that Canaan et al. published"
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
        if row.population != number:
            continue
        if unknown := [niche for niche in row.niches if niche not in index]:
            raise HoadError(f"{path}: population {number}: niche {unknown[0]} is not in the pool")
        pair = index[row.niches[0]], index[row.niches[1]]
        scores[pair] = row.score
        features[pair][1] = row.features
    if np.isnan(scores).any():
        raise HoadError(f"{path}: population {number} does not have all pairs of the pool")
    return MatchUps(pool.agents, scores, np.full_like(scores, np.nan), features)


class _Row(NamedTuple):
    """A line of the table: niches are of the first and of the second seat."""

    population: int
    niches: tuple[Niche, Niche]
    score: float
    features: tuple[float, float]


def _read(path: Path) -> list[_Row]:
    try:
        with Path(os.path.expandvars(path)).open(newline="", encoding="utf-8") as file:
            lines = csv.DictReader(file)
            rows = [_row(line, f"{path}: line {lines.line_num}") for line in lines]
    except OSError as error:
        raise HoadError(f"{path}: cannot read these match-ups: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise HoadError(f"{path}: not a table (CSV): {error}") from error
    if not rows:
        raise HoadError(f"{path}: {_OTHER_TABLE}")
    return rows


def _row(line: dict[str, str], place: str) -> _Row:
    if not line.keys() >= _COLUMNS:
        raise HoadError(f"{place}: {_OTHER_TABLE}")
    try:
        first, second = ((int(line[comm]), int(line[ipp])) for comm, ipp in _NICHE.values())
        features = float(line["h_comm"]), float(line["h_ipp"])
        return _Row(int(line["population"]), (first, second), float(line["score"]), features)
    except (TypeError, ValueError) as error:  # TypeError: the line ends before its last column
        raise HoadError(f"{place}: {error}") from error
