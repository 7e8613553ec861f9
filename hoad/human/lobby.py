"""The agents as the page lists them: by name, family and score in self-play."""

import csv
from functools import cache
from typing import Any, Final

from hoad.agents.registry import agent_families
from hoad.core.paths import SHIPPED

_CROSS_PLAY: Final = SHIPPED / "results" / "agents" / "results.csv"
"""The published table of all agents with each other."""


@cache
def listed_agents() -> list[dict[str, Any]]:
    """Return all agents, the best in self-play first, then the prefixes, as JSON has them.

    Each has its ``name``, which ends with a colon for a prefix, which needs an argument; author or
    program that it comes from (``family``, empty for a prefix); what is special ``about`` it (empty
    for a rule list); and the published mean strict ``score`` in self-play, or None.
    """
    scores, families = _self_play_scores(), agent_families()
    names = sorted(families, key=lambda name: (not families[name][0], -scores.get(name, 0), name))
    return [
        {"name": name, "family": family, "about": about, "score": scores.get(name)}
        for name, (family, about) in ((name, families[name]) for name in names)
    ]


def _self_play_scores() -> dict[str, float]:
    """Return the scores by agent; none where the published table was not installed."""
    if not _CROSS_PLAY.exists():
        return {}
    with _CROSS_PLAY.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["agent"] == row["partner"]]
    return {row["agent"]: float(row["strict"]) for row in rows}
