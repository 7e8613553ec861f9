"""What can be set about a table of meta-agents: the keys of ``results/meta-agents*.toml``."""

from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from hoad.agents.registry import AgentName
from hoad.agents.seeds import POOL_SEED
from hoad.bayes.settings import MATCHUP_GAMES, AdaptAfter, Evidence
from hoad.core.recipe import Count, Recipe, Seed
from hoad.players.registry import META_AGENTS
from hoad.tables.recipe import TableRecipe


class PoolRecipe(Recipe):
    """A pool: meta-agents learn from it, and meet its agents."""

    name: str = Field(min_length=1, description="Name of the pool in tables.")
    population: str | None = Field(
        None, description="Population file, or run of evolve.py, whose elites are the pool."
    )
    agents: tuple[AgentName, ...] = Field((), description="Agents of the pool, besides the elites.")
    responses: tuple[AgentName, ...] = Field(
        (),
        description="Agents that meta-agents play as when they know the pool; none: those of the "
        "pool.",
    )

    @model_validator(mode="after")
    def _has_agents(self) -> Self:
        if self.population is None and not self.agents:
            raise ValueError(f"pool {self.name} has neither a population nor agents")
        return self


class MetaAgentsRecipe(TableRecipe):
    """Let meta-agents learn from each of some pools, and meet the agents of each pool."""

    game_keys: ClassVar = TableRecipe.game_keys | {"seats"}

    pools: tuple[PoolRecipe, ...] = Field(min_length=1, description="The pools.")
    players: tuple[str, ...] = Field(
        min_length=1, description=f"The meta-agents: {', '.join(META_AGENTS)}."
    )
    evidence: Evidence = Field(
        "last_game",
        description="What bayes-features and most-likely observe at an update: the last game, all "
        "games (cumulative), all games as the published program does (as_published), or the last "
        "game by histograms in place of Gaussians (histograms). With as_published, niche plays as "
        "the published program too.",
    )
    adapt_after: AdaptAfter = Field(
        "game",
        description="When bayes-features and most-likely update their belief: after each game "
        "(game), at each card of either player that does not fit (mistake), or after so many turns "
        "of the partner. Then last_game is what the partner did since the last update.",
    )
    niche_threshold: int = Field(
        0, ge=0, description="Turns of the partner with a token before niche uses its estimate."
    )
    published_matchups: Path | None = Field(
        None,
        description="Table (CSV) of Canaan et al. 2022 that meta-agents know instead of matchups "
        "played here; the pools are its populations, in order.",
    )
    matchup_games: Count = Field(MATCHUP_GAMES, description="Games of each ordered pair of a pool.")
    matchup_seed: Seed = Field(
        POOL_SEED, description="Seed of these games, as of `evaluate.py matchups`."
    )
    tell_seats_apart: bool = Field(
        True, description="Whether responses are chosen for the seat, or for the mean of both."
    )
    seats: Literal["both", "first"] = Field(
        "both", description="Seat of the meta-agents: both seats in turn, or always first."
    )
    episodes: int = Field(200, ge=2, description="Episodes with each partner.")
    games_per_episode: int = Field(10, ge=2, description="Games of an episode.")
    compare_with: Literal["nothing", "canaan-2022", "canaan-2020"] = Field(
        "nothing", description="Published table that the scores are compared with."
    )
    belief_about: str | None = Field(
        None,
        description="Partner whose beliefs are drawn: its niche, as in 2,2, or its name; None for "
        "the first of the pool.",
    )

    @property
    def seat(self) -> int | None:
        """The players' seat in all games; None for both seats in turn."""
        return 0 if self.seats == "first" else None

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        self.refuse_repeated("pools", "players")
        for player in self.players:
            if player not in META_AGENTS:
                raise ValueError(
                    f"players has {player}, which is no meta-agent; choose from "
                    f"{', '.join(META_AGENTS)}"
                )
        if self.evidence == "as_published" and self.niche_threshold and "niche" in self.players:
            raise ValueError("niche_threshold: niche has none with evidence = as_published")
        has_responses = any(pool.responses for pool in self.pools)
        if self.evidence == "as_published" and has_responses and "niche" in self.players:
            raise ValueError("responses: niche has none with evidence = as_published")
        if self.adapt_after != "game" and self.evidence not in ("last_game", "cumulative"):
            raise ValueError(f"adapt_after: evidence = {self.evidence} is of whole games")
        if self.published_matchups and self.evidence == "histograms":
            raise ValueError("published_matchups hold no histograms")
        if self.evidence == "histograms" and not self.tell_seats_apart:
            raise ValueError("histograms are those of a seat: leave tell_seats_apart as it is")
        if self.published_matchups and not self.tell_seats_apart:
            raise ValueError(
                "published_matchups hold the behaviour of one seat only: leave tell_seats_apart as "
                "it is"
            )
        if self.published_matchups and self.score == "strict":
            raise ValueError("published_matchups hold lenient scores only")
        if self.published_matchups and self.seats != "first":
            raise ValueError('published_matchups hold the first seat only: set seats = "first"')
        if self.published_matchups and has_responses:
            raise ValueError("published_matchups hold no other responses than the pools' agents")
        if self.compare_with != "nothing" and len(self.pools) != 3:
            raise ValueError(
                f"compare_with = {self.compare_with!r} needs the three published populations"
            )
        return self
