"""Ad-hoc tables that were published: what their ``results.json`` and ``results.csv`` hold."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hoad.core.errors import HoadError
from hoad.reports.statistics import Estimate
from hoad.tables.scores import ALL_PARTNERS

HEADLINE_PLAYERS: Final = (
    "random-partner",
    "low-shot",
    "bayes-moves-support",
    "search",
    "self-play",
)
"""The players of the README's table and figure, from the simplest to the partner itself."""


def read_table(folder: Path) -> Mapping[str, Any]:
    """Return the facts of an ad-hoc table's report; a HoadError where there is none."""
    path = folder / "results.json"
    try:
        facts = json.loads(path.read_text())
        keys = {"players", "partners", "hold_out", "support_games", "trials", "episodes"}
        if keys <= facts["recipe"].keys() and "made_with" in facts:
            return facts
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, KeyError, AttributeError, TypeError):
        pass
    raise _other_report(path)


def overall_scores(folder: Path, facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the strict score of each player with all partners, in both seats, with its interval.

    Raises:
        HoadError: the folder's table of scores cannot be read.
    """
    partners = facts["recipe"]["partners"]
    wanted = [partners[0] if len(partners) == 1 else ALL_PARTNERS, "strict", "both"]
    path = folder / "results.csv"
    try:
        scores = [
            {
                "table": str(folder),
                "player": row["player"],
                "mean": float(row["mean"]),
                "half_width": float(row["half_width"]) if row["half_width"] else None,
                "repetitions": int(row["repetitions"]),
            }
            for row in csv.DictReader(path.read_text().splitlines())
            if [row["partner"], row["score"], row["seat"]] == wanted
        ]
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, KeyError, TypeError, csv.Error) as error:
        raise _other_report(path) from error
    if not scores:
        raise _other_report(path)
    return scores


def estimate_of(row: Mapping[str, Any]) -> Estimate:
    """Return the mean and the interval of a row of :func:`overall_scores`."""
    width = row["half_width"]
    return Estimate(row["mean"], width or 0.0, 1 if width is None else row["repetitions"])


def _unreadable(path: Path, error: OSError) -> HoadError:
    return HoadError(f"{path}: cannot read this table: {error.strerror}")


def _other_report(path: Path) -> HoadError:
    return HoadError(f"{path}: not the report of evaluate.py adhoc; make the table again")
