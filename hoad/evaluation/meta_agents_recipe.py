"""What can be set about tables of meta-agents: the keys of ``results/meta-agents*.toml``."""

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from hoad.adhoc.bayes.features import Evidence
from hoad.adhoc.matchups import GAMES
from hoad.adhoc.seeds import POOL_SEED
from hoad.core.recipe import Recipe

Player = Literal[
    "oracle",
    "adaptive",
    "most-likely",
    "likelihood",
    "likelihood-revealed",
    "likelihood-in-game",
    "niche",
    "generalist",
    "random-response",
]
"""The meta-agents, by the names that recipes and tables use."""

Beside = Literal["nothing", "canaan-2022", "canaan-2020"]


class PoolRecipe(Recipe):
    """A pool: meta-agents are trained on it, and meet it."""

    name: str = Field(min_length=1, description="What tables call the pool.")
    population: str | None = Field(
        None, description="Population file, or run of evolve.py, whose elites are the pool."
    )
    agents: tuple[str, ...] = Field((), description="Agents of the pool, beside the elites.")

    @model_validator(mode="after")
    def _has_agents(self) -> Self:
        if self.population is None and not self.agents:
            raise ValueError(f"pool {self.name} has neither a population nor agents")
        return self


class MetaAgentsRecipe(Recipe):
    """Train meta-agents on each of some pools, and let them meet the agents of each pool."""

    pools: tuple[PoolRecipe, ...] = Field(min_length=1, description="The pools.")
    players: tuple[Player, ...] = Field(min_length=1, description="The meta-agents.")
    evidence: Evidence = Field(
        "last_game",
        description="What adaptive and most-likely observe at an update: the last game, all games "
        "(cumulative), or all games with the published program's ways (as_published).",
    )
    niche_threshold: int = Field(
        0, ge=0, description="Turns of the partner with a token before niche trusts what it saw."
    )
    published_match_ups: Path | None = Field(
        None,
        description="Table (CSV) of Canaan et al. 2022 that meta-agents know instead of match-ups "
        "played here; the pools are its populations, in order.",
    )
    matchup_games: int = Field(GAMES, ge=1, description="Games of each ordered pair of a pool.")
    matchup_seed: int = Field(
        POOL_SEED, ge=0, lt=2**62, description="Seed of these games, as of `evaluate.py matchups`."
    )
    tell_seats_apart: bool = Field(
        True, description="Whether responses are chosen for the seat, or for the mean of both."
    )
    seats: Literal["both", "first"] = Field(
        "both", description="Where meta-agents sit: in both seats in turn, or always first."
    )
    episodes: int = Field(200, ge=2, description="Episodes with each partner.")
    games_per_episode: int = Field(10, ge=2, description="Games of an episode.")
    beside: Beside = Field("nothing", description="Published table that ours stands beside.")
    belief_about: str | None = Field(
        None,
        description="Partner whose beliefs are drawn: its niche, as in 2,2, or its name; None for "
        "the first of the pool.",
    )
    seed: int = Field(0, ge=0, lt=2**62, description="Seed of all games.")
    out: Path = Field(description="Folder that the report is written to.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        names = [pool.name for pool in self.pools]
        for key, values in (("pools", names), ("players", list(self.players))):
            if len(set(values)) < len(values):
                raise ValueError(f"{key} names somebody twice")
        if self.published_match_ups and self.seats != "first":
            raise ValueError('published_match_ups tell of the first seat only: seats = "first"')
        if self.beside != "nothing" and len(self.pools) != 3:
            raise ValueError(f"beside = {self.beside!r} needs the three published populations")
        return self
