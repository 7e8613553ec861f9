"""The matchups that Canaan et al. 2022 published, for meta-agents that know these matchups."""

import csv
import os
from pathlib import Path

import numpy as np

from hoad.bayes.matchups import Matchups
from hoad.bayes.pool import Pool
from hoad.core.errors import HoadError
from hoad.evolution.published_files import MATCHUP_COLUMNS


def read_published(path: Path, number: int, pool: Pool) -> Matchups:
    """Return the matchups of a pool that Canaan et al. 2022 published.

    They published scores of responses in the first seat and features of the second seat only:
    features of the first seat, and strict scores, are NaN. The path of the table (CSV) may hold
    environment variables; the elites of population ``number`` (from 1) are the pool.

    Raises:
        HoadError: the file cannot be read, is another table, or has other niches than the pool.
    """
    size = len(pool.agents)
    scores, features = np.full((size, size), np.nan), np.full((size, size, 2, 2), np.nan)
    for line, row in _read_table(path):
        try:
            population = float(row["population"])
            first_x, first_y, second_x, second_y = (int(row[name]) for name in MATCHUP_COLUMNS[1:5])
            *shown, score = (float(row[name]) for name in MATCHUP_COLUMNS[5:])
        except (TypeError, ValueError) as error:  # TypeError: the line ends before its last column
            raise HoadError(f"{path}: line {line}: {error}") from error
        if population != number:
            continue
        niches = (first_x, first_y), (second_x, second_y)
        for niche in niches:
            if niche not in pool.niches:
                raise HoadError(f"{path}: population {number}: niche {niche} is not in the pool")
        pair = pool.niches.index(niches[0]), pool.niches.index(niches[1])
        scores[pair], features[pair][1] = score, shown
    if np.isnan(scores).any():
        raise HoadError(f"{path}: population {number} does not have all pairs of the pool")
    return Matchups(pool.agents, scores, np.full_like(scores, np.nan), features)


def _read_table(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Return the number and the values of each line of the published table."""
    try:
        with Path(os.path.expandvars(path)).open(newline="", encoding="utf-8") as file:
            lines = csv.DictReader(file)
            rows = [(lines.line_num, row) for row in lines]
    except OSError as error:
        raise HoadError(f"{path}: cannot read these matchups: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise HoadError(f"{path}: not a table (CSV): {error}") from error
    if not rows or not rows[0][1].keys() >= set(MATCHUP_COLUMNS):
        raise HoadError(f"{path}: not the table of matchups that Canaan et al. published")
    return rows
