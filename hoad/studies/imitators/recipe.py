"""The recipe of ``evaluate.py imitators``."""

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from hoad.agents.registry import AgentName
from hoad.core.recipe import Count, Recipe, Seed, Several


class ImitatorsRecipe(Recipe):
    """Compare imitators with the agents that they imitate."""

    folder: ClassVar = "results"

    agents: tuple[AgentName, ...] = Field(min_length=1, description="Agents with an imitator each.")
    test_games: Count = Field(
        5_000, description="Maximum of test games per agent, on which no network was trained."
    )
    games: Several = Field(1_000, description="Games of each ordered pair of cross-play.")
    seed: Seed = Field(0, description="Seed of cross-play.")
    out: Path = Field(description="Folder that the report is written to.")
