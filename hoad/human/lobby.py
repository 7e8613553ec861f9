"""The agents as the page lists them: by name, family and score in self-play."""

import csv
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

from hoad.agents.registry import agent_families
from hoad.core.paths import SHIPPED

_CROSS_PLAY: Final = SHIPPED / "results" / "agents" / "results.csv"
"""The published table of all agents with each other."""


@dataclass(frozen=True)
class ListedAgent:
    """An agent that a person can choose.

    Attributes:
        name: its name; a prefix, which needs an argument, ends with a colon.
        family: author or program that it comes from; empty for a prefix.
        about: what is special about it; empty for rule lists.
        score: the published mean strict score in self-play; None if there is none.
    """

    name: str
    family: str
    about: str
    score: float | None


@cache
def listed_agents() -> list[dict[str, Any]]:
    """Return all agents, the best in self-play first, then the prefixes, as JSON has them."""
    scores = _self_play_scores()
    agents = [
        ListedAgent(name, family, about, scores.get(name))
        for name, (family, about) in agent_families().items()
    ]
    agents.sort(key=lambda agent: (not agent.family, -(agent.score or 0), agent.name))
    return [asdict(agent) for agent in agents]


def _self_play_scores() -> dict[str, float]:
    """Return the scores by agent; none where the published table was not installed."""
    if not _CROSS_PLAY.exists():
        return {}
    with _CROSS_PLAY.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["agent"] == row["partner"]]
    return {row["agent"]: float(row["strict"]) for row in rows}
