"""The recipe of ``evaluate.py bounds``."""

from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field, model_validator

from hoad.agents.registry import AgentName
from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Count, Recipe, Seed


class BoundsRecipe(Recipe):
    """Measure how well one can play with each agent: itself, the best response, search."""

    folder: ClassVar = "results"

    agents: tuple[AgentName, ...] = Field(min_length=1, description="Agents, which are fair.")
    population: str | None = Field(
        None, description="Population file, or run of evolve.py; its elites are agents too."
    )
    games: int = Field(
        1_000,
        ge=4,
        le=MOST_GAMES,
        multiple_of=4,
        description="Games of each agent with itself, and with its best response.",
    )
    choosing_games: Count = Field(
        500,
        description="Games of each ordered pair, on other decks, by which responses are chosen.",
    )
    search_games: int = Field(
        20,
        ge=0,
        le=MOST_GAMES,
        multiple_of=4,
        description="Games of search-oracle with each agent; 0 for none.",
    )
    longer: tuple[AgentName, ...] = Field(
        (), description="Agents with which search-oracle plays more games, where among the agents."
    )
    longer_games: int = Field(
        1_000, ge=4, le=MOST_GAMES, multiple_of=4, description="Games of search-oracle with these."
    )
    rollouts: int = Field(8_000, ge=1, description="Most rollouts of a decision of search-oracle.")
    seed: Seed = Field(0, description="Seed of the games.")
    kept: Path | None = Field(
        None,
        description="Folder that keeps the games of search-oracle, which studies of search may "
        "share; None for OUT.",
    )
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("agents", "longer")
        return self
