"""What can be set about tables: the keys of ``results/*.toml``."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from hoad.adhoc.bayes.features import Evidence
from hoad.adhoc.matchups import GAMES, Score
from hoad.adhoc.roster import KINDS, WITH_ELITES, Column, LowShotRecipe, Roster
from hoad.adhoc.seeds import POOL_SEED
from hoad.core.recipe import Recipe
from hoad.learning.names import HoldOut, Source
from hoad.learning.recipes import NaiveRecipe

Names = Annotated[tuple[str, ...], Field(min_length=1)]

ELITES: Final = "elites"
"""What players know whose pool has elites besides, in keys of cells."""

META_AGENTS: Final = tuple(
    word for word, kind in KINDS.items() if kind.needs_pool and not kind.needs_support
)
"""The kinds of players that need a pool, and no games of the partner."""


class TableRecipe(Recipe):
    """What all tables have in common."""

    seed: int = Field(0, ge=0, lt=2**62, description="Seed of all games.")
    out: Path = Field(description="Folder that the report is written to.")

    players: tuple[str, ...]
    episodes: int
    games_per_episode: int

    score: Score = Field(
        "lenient", description="Score that meta-agents, nearest-response and oracle maximise."
    )

    game_keys: ClassVar[frozenset[str]] = frozenset({"seed", "episodes", "games_per_episode"})
    """Keys on which the games of all cells depend."""

    @property
    def settings(self) -> dict[str, Any]:
        """Plain values on which the games of all cells depend, part of their fingerprints."""
        return self.model_dump(mode="json", include=set(self.game_keys))

    @property
    def seat(self) -> int | None:
        """The players' seat in all games; None for both seats in turn."""
        return None

    def _refuse_repeated(self, *keys: str) -> None:
        for key in keys:
            names = [getattr(name, "name", name) for name in getattr(self, key)]
            if len(set(names)) < len(names):
                raise ValueError(f"{key} names an agent, a player or a pool twice")


class AdhocRecipe(TableRecipe):
    """Let players meet partners that they have never met, and compare the players."""

    game_keys: ClassVar = TableRecipe.game_keys | {"source"}

    partners: Names = Field(description="Held-out partners: a row of the table each.")
    players: Names = Field(
        description=f"Columns of the table: {', '.join(KINDS)}; low-shot:X or naive:X, which "
        "learn from the games of X instead of the partner's; zero-shot@STEP or low-shot@STEP, a "
        f"milestone of meta-training; bayes-moves{WITH_ELITES} and others with a pool, with "
        "elites in the pool; the name of any agent; or python:FILE.py:CLASS, your own player."
    )
    hold_out: HoldOut = Field(
        "agent",
        description="What is held out with the partner of a row, of pools, agents and "
        "meta-training: the partner itself under any name, or its whole family.",
    )
    agents: tuple[str, ...] = Field(
        (), description="Agents that random-partner draws from, without the partner of the row."
    )
    source: Source = Field(
        "originals", description="Whether partners and random partners are agents or imitators."
    )
    pool: tuple[str, ...] = Field(
        (),
        description="Agents that are the meta-agents' hypotheses and responses, under these "
        "names, without the partner of the row.",
    )
    population: str | None = Field(
        None, description="Run of evolve.py, or population file, whose elites join the pool."
    )
    elites: str | None = Field(
        None, description=f"The same for players named KIND{WITH_ELITES} only."
    )
    episodes: int = Field(ge=2, description="Episodes of each partner with each player.")
    games_per_episode: int = Field(
        10, ge=2, multiple_of=2, description="Games of an episode, half of them in each seat."
    )
    trials: int = Field(
        10, ge=1, description="How often players that learn from the partner's games do so again."
    )
    support_games: int = Field(
        10, ge=0, description="New self-play games of the partner that a trial learns from."
    )
    meta_models: int = Field(
        1,
        ge=1,
        description="Meta-models, trained with seeds 0, 1, ..., that play the trials of zero-shot "
        "and low-shot in turn.",
    )
    meta_model: str | None = Field(
        None,
        description="Meta-model of zero-shot and low-shot, as in maml:NAME; None for the one that "
        "was trained without the partner. It must not have seen games of the partners.",
    )
    matchup_games: int = Field(
        GAMES, ge=1, description="Games of each ordered pair of the pool that meta-agents know."
    )
    cross_play_games: int = Field(
        500, ge=2, description="Games of each ordered pair of partners and agents (a figure)."
    )
    mean_without: tuple[str, ...] = Field(
        (), description="Partners that a second row of means leaves out."
    )
    low_shot: LowShotRecipe = Field(LowShotRecipe(), description="How low-shot adapts.")
    naive: NaiveRecipe = Field(NaiveRecipe(), description="Network and training of naive.")

    @property
    def rosters(self) -> dict[str, Roster]:
        """What makes the players, by what they know: nothing else, or the elites too."""
        same = ("seed", "source", "agents", "trials", "support_games", "low_shot", "naive")
        others = ("population", "matchup_games", "hold_out", "score", "meta_models", "meta_model")
        roster = Roster(pool_agents=self.pool, **{key: getattr(self, key) for key in same + others})
        with_elites = {ELITES: replace(roster, population=self.elites)} if self.elites else {}
        return {"": roster, **with_elites}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.trials > self.episodes:
            raise ValueError(f"trials = {self.trials} is more than episodes = {self.episodes}")
        self._refuse_repeated("partners", "players", "agents")
        for player in self.players:
            column = Column.parse(player)
            kind, population = column.kind, self.population
            if column.with_elites and not (population := self.elites):
                raise ValueError(f"players has {player}, so elites is needed")
            if kind.needs_pool and not (self.pool or population):
                raise ValueError(f"players has {player}, so pool or population is needed")
            if kind.needs_support and not self.support_games:
                raise ValueError(f"players has {player}, so support_games is needed")
            if kind.needs_agents and not self.agents:
                raise ValueError(f"players has {player}, so agents is needed")
        return self


class PoolRecipe(Recipe):
    """A pool: meta-agents learn from it, and meet its agents."""

    name: str = Field(min_length=1, description="Name of the pool in tables.")
    population: str | None = Field(
        None, description="Population file, or run of evolve.py, whose elites are the pool."
    )
    agents: tuple[str, ...] = Field((), description="Agents of the pool, besides the elites.")

    @model_validator(mode="after")
    def _has_agents(self) -> Self:
        if self.population is None and not self.agents:
            raise ValueError(f"pool {self.name} has neither a population nor agents")
        return self


class MetaAgentsRecipe(TableRecipe):
    """Let meta-agents learn from each of some pools, and meet the agents of each pool."""

    renamed: ClassVar = {"beside": "compare_with"}
    game_keys: ClassVar = TableRecipe.game_keys | {"seats"}

    pools: tuple[PoolRecipe, ...] = Field(min_length=1, description="The pools.")
    players: Names = Field(description=f"The meta-agents: {', '.join(META_AGENTS)}.")
    evidence: Evidence = Field(
        "last_game",
        description="What bayes-features and most-likely observe at an update: the last game, all "
        "games (cumulative), or all games as the published program does (as_published).",
    )
    niche_threshold: int = Field(
        0, ge=0, description="Turns of the partner with a token before niche uses its estimate."
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
        self._refuse_repeated("pools", "players")
        for player in self.players:
            if Column.parse(player).word not in META_AGENTS:
                raise ValueError(
                    f"players has {player}, which is no meta-agent; choose from "
                    f"{', '.join(META_AGENTS)}"
                )
        if self.published_match_ups and self.score == "strict":
            raise ValueError("published_match_ups hold lenient scores only")
        if self.published_match_ups and self.seats != "first":
            raise ValueError('published_match_ups hold the first seat only: set seats = "first"')
        if self.compare_with != "nothing" and len(self.pools) != 3:
            raise ValueError(
                f"compare_with = {self.compare_with!r} needs the three published populations"
            )
        return self
