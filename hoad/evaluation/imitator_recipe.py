"""What can be set about judging imitators: the keys of ``results/imitators.toml``."""

from pathlib import Path

from pydantic import Field

from hoad.core.recipe import Recipe


class ImitatorsRecipe(Recipe):
    """Hold imitators against the agents that they imitate."""

    agents: tuple[str, ...] = Field(min_length=1, description="Agents whose imitators are judged.")
    test_games: int = Field(
        5_000, ge=1, description="Games, at most, that no network has learned from, per agent."
    )
    games: int = Field(1_000, ge=2, description="Games of each ordered pair of cross-play.")
    seed: int = Field(0, ge=0, lt=2**62, description="Seed of cross-play.")
    out: Path = Field(description="Folder that the report is written to.")
