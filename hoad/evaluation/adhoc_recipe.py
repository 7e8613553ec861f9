"""What can be set about an ad-hoc evaluation: the keys of ``results/*.toml``."""

from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from hoad.adhoc.matchups import GAMES
from hoad.core.recipe import Recipe
from hoad.learning.names import Source
from hoad.learning.recipes import NaiveRecipe

META_AGENTS: Final = ("generalist", "adaptive", "oracle", "random-response")
"""The players that need a pool."""

Names = Annotated[tuple[str, ...], Field(min_length=1)]


class LowShotRecipe(Recipe):
    """How low-shot adapts to the partner's games."""

    steps: int | None = Field(
        None,
        ge=0,
        description="Inner steps on the games of a trial; None for as many as were best on "
        "unseen games of the agents of meta-training.",
    )
    rate: float | None = Field(
        None, gt=0, description="Inner learning rate; None for the one of meta-training."
    )


class AdhocRecipe(Recipe):
    """Let players meet partners that they have never met, and compare the players."""

    partners: Names = Field(description="Held-out partners: a row of the table each.")
    players: Names = Field(
        description="Columns of the table: self-play, random-partner, naive, zero-shot, low-shot, "
        "generalist, adaptive, oracle, random-response; low-shot:X or naive:X, which have learned "
        "from X (low-shot as maml:X) instead of the partner; zero-shot@STEP or low-shot@STEP, a "
        "milestone of meta-training; or the name of any agent."
    )
    agents: tuple[str, ...] = Field(
        (), description="Whom random-partner draws from, without the partner of the row."
    )
    source: Source = Field(
        "originals", description="Whether partners and random partners play or their imitators."
    )
    pool: tuple[str, ...] = Field(
        (),
        description="Agents that are the meta-agents' hypotheses and responses, as they are "
        "named here, without the partner of the row.",
    )
    population: str | None = Field(
        None, description="Run of evolve.py, or population file, whose elites join the pool."
    )
    episodes: int = Field(ge=2, description="Episodes of each partner with each player.")
    games_per_episode: int = Field(
        10, ge=2, multiple_of=2, description="Games of an episode, half of them in each seat."
    )
    trials: int = Field(
        10, ge=1, description="How often low-shot and naive players learn the partner anew."
    )
    support_games: int = Field(
        10, ge=1, description="Fresh self-play games of the partner that a trial learns from."
    )
    matchup_games: int = Field(
        GAMES, ge=1, description="Games of each ordered pair of the pool that meta-agents know."
    )
    cross_play_games: int = Field(
        500, ge=2, description="Games of each ordered pair of partners and agents (a figure)."
    )
    low_shot: LowShotRecipe = Field(LowShotRecipe(), description="How low-shot adapts.")
    naive: NaiveRecipe = Field(NaiveRecipe(), description="Network and training of naive.")
    seed: int = Field(0, ge=0, lt=2**62, description="Seed of all games.")
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.trials > self.episodes:
            raise ValueError(f"trials = {self.trials} is more than episodes = {self.episodes}")
        for key in ("partners", "players", "agents"):
            names = getattr(self, key)
            if len(set(names)) < len(names):
                raise ValueError(f"{key} names somebody twice")
        meta_agents = set(META_AGENTS) & set(self.players)
        if meta_agents and not (self.pool or self.population):
            raise ValueError(f"players has {min(meta_agents)}, so pool or population is needed")
        if "random-partner" in self.players and not self.agents:
            raise ValueError("players has random-partner, so agents is needed")
        return self
