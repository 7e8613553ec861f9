"""The recipe of ``evaluate.py imitators``."""

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from hoad.agents.registry import AgentName
from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Recipe


class ImitatorsRecipe(Recipe):
    """Compare imitators with the agents that they imitate."""

    folder: ClassVar = "results"

    agents: tuple[AgentName, ...] = Field(min_length=1, description="Agents with an imitator each.")
    test_games: int = Field(
        5_000,
        ge=1,
        le=MOST_GAMES,
        description="Maximum of test games per agent, on which no network was trained.",
    )
    games: int = Field(
        1_000, ge=2, le=MOST_GAMES, description="Games of each ordered pair of cross-play."
    )
    seed: int = Field(0, ge=0, lt=2**62, description="Seed of cross-play.")
    out: Path = Field(description="Folder that the report is written to.")
