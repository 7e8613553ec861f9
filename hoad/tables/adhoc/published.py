"""Ad-hoc tables that were published: the scores in their ``results.json``."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hoad.core.errors import HoadError
from hoad.reports.statistics import Estimate
from hoad.tables.scores import ALL_PARTNERS


def read_table(folder: Path) -> Mapping[str, Any]:
    """Return the facts of an ad-hoc table's report; a HoadError where there is none."""
    path = folder / "results.json"
    try:
        facts = json.loads(path.read_text())
        keys = {"players", "partners", "hold_out", "support_games", "trials", "episodes"}
        if keys <= facts["recipe"].keys() and {"rows", "made_with"} <= facts.keys():
            return facts
    except OSError as error:
        raise HoadError(f"{path}: cannot read this table: {error.strerror}") from error
    except (ValueError, KeyError, AttributeError, TypeError):
        pass
    raise HoadError(f"{path}: not the report of evaluate.py adhoc; make the table again")


def overall_scores(folder: Path, facts: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the strict score of each player with all partners, in both seats, with its interval."""
    partners = facts["recipe"]["partners"]
    wanted = (partners[0] if len(partners) == 1 else ALL_PARTNERS, "strict", "both")
    keys = ("player", "mean", "half_width", "repetitions")
    for row in facts["rows"]:
        if (row["partner"], row["score"], row["seat"]) == wanted:
            yield {"table": str(folder), **{key: row[key] for key in keys}}


def estimate_of(row: Mapping[str, Any]) -> Estimate:
    """Return the mean and the interval of a row of :func:`overall_scores`."""
    width = row["half_width"]
    return Estimate(row["mean"], width or 0.0, 1 if width is None else row["repetitions"])
