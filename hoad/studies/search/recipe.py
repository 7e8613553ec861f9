"""The recipe of ``evaluate.py search``."""

from pathlib import Path
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from hoad.agents.registry import AgentName
from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Recipe, Seed, Several


class SearchRecipe(Recipe):
    """Measure what search gains with agents as model and blueprint."""

    folder: ClassVar = "results"

    agents: tuple[AgentName, ...] = Field(min_length=1, description="Agents: rule lists and bots.")
    games: Several = Field(1_000, multiple_of=2, description="Games of each row of the table.")
    both_games: int | None = Field(
        None,
        ge=2,
        le=MOST_GAMES,
        multiple_of=2,
        description="Games of the rows in which both players search, which take twice as long; "
        "None for as many as the other rows have.",
    )
    rollouts: int = Field(ge=1, description="Most rollouts of a decision, in the table.")
    curve: tuple[AgentName, ...] = Field((), description="Agents whose score is drawn by rollouts.")
    curve_rollouts: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), description="Most rollouts of a decision, for each point of the curve."
    )
    curve_games: Several = Field(400, multiple_of=2, description="Games of each of its points.")
    seed: Seed = Field(0, description="Seed of the games.")
    kept: Path | None = Field(
        None, description="Folder that keeps the games, which tables may share; None for OUT."
    )
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("agents", "curve", "curve_rollouts")
        if bool(self.curve) != bool(self.curve_rollouts):
            raise ValueError("curve and curve_rollouts: give both or neither")
        return self
