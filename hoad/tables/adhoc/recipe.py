"""What can be set about an ad-hoc table: the keys of ``results/demo.toml`` and others."""

from typing import ClassVar, Final, Self

from pydantic import Field, model_validator

from hoad.agents.families import HoldOut, Source
from hoad.agents.registry import AgentName
from hoad.bayes.settings import MATCHUP_GAMES
from hoad.core.capacity import MOST_GAMES
from hoad.core.recipe import Count, Several
from hoad.learning.recipes import LowShotRecipe, NaiveRecipe
from hoad.players.registry import KINDS, WITH_ELITES, Column, PlayerName
from hoad.tables.recipe import TableRecipe

PARTNERS: Final = {"originals": "the agents themselves", "imitators": "imitators of the agents"}
"""What the partners are, by the key ``source``."""

HEADLINE_PLAYERS: Final = (
    "random-partner",
    "low-shot",
    "bayes-moves-support",
    "search",
    "self-play",
)
"""The players of the README's table and figure, from the simplest to the partner itself."""


class AdhocRecipe(TableRecipe):
    """Let players meet partners that they have never met, and compare the players."""

    # A new key that players need is also a field of Roster, by the same name. Put a key on which
    # all games depend into game_keys, and one on which some players depend into the identity of
    # their kinds: otherwise games of other values are taken for those of the new one.

    game_keys: ClassVar = TableRecipe.game_keys | {"source"}

    partners: tuple[AgentName, ...] = Field(
        min_length=1, description="Held-out partners: a row of the table each."
    )
    players: tuple[PlayerName, ...] = Field(
        min_length=1,
        description=f"Columns of the table: {', '.join(KINDS)}; low-shot:X or naive:X, which "
        "learn from the games of X instead of the partner's; zero-shot@STEP or low-shot@STEP, a "
        "milestone of meta-training; "
        f"bayes-moves{WITH_ELITES} and others with a pool, with elites in the pool; the name of "
        "any agent; or python:FILE.py:CLASS, your own player.",
    )
    hold_out: HoldOut = Field(
        "agent",
        description="What is held out with the partner of a row, of pools, agents and "
        "meta-training: the partner itself under any name, or its whole family.",
    )
    agents: tuple[AgentName, ...] = Field(
        (), description="Agents that random-partner draws from, without the partner of the row."
    )
    source: Source = Field(
        "originals", description="Whether partners and random partners are agents or imitators."
    )
    pool: tuple[AgentName, ...] = Field(
        (),
        description="Agents that the partner may be and that players may play as, under these "
        "names, without the partner of the row: of meta-agents, nearest, model and search.",
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
        10,
        ge=0,
        le=MOST_GAMES,
        description="New self-play games of the partner that a trial learns from.",
    )
    support: str | None = Field(
        None,
        description="Recorded self-play games that are watched instead of new ones, the first of "
        "each partner for the first trial: a file, or a folder with NAME.h5 for each partner. Of a "
        "proxy of a person, they are the person's games. None for new games.",
    )
    meta_models: int = Field(
        1,
        ge=1,
        description="Meta-models, trained with seeds 0, 1, ..., that play the trials of zero-shot "
        "and low-shot in turn.",
    )
    meta_model: str | None = Field(
        None,
        description="Meta-model of zero-shot, low-shot, model and search, as in maml:NAME; None "
        "for the one that was trained without the partner, but of model and search for "
        "maml:rainbow if that has seen no game of the partner. It must not have seen games of the "
        "partners.",
    )
    matchup_games: Count = Field(
        MATCHUP_GAMES, description="Games of each ordered pair of the pool that meta-agents know."
    )
    cross_play_games: Several = Field(
        500, description="Games of each ordered pair of partners and agents; from 10 on, a figure."
    )
    figures: bool = Field(
        True, description="Draw figures; false for a table that is one point of a curve."
    )
    mean_without: tuple[str, ...] = Field(
        (), description="Partners that a second row of means leaves out."
    )
    low_shot: LowShotRecipe = Field(LowShotRecipe(), description="How low-shot adapts.")
    naive: NaiveRecipe = Field(NaiveRecipe(), description="Network and training of naive.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.trials > self.episodes:
            raise ValueError(f"trials = {self.trials} is more than episodes = {self.episodes}")
        if self.meta_models > self.trials:
            raise ValueError(
                f"meta_models = {self.meta_models} is more than trials = {self.trials}: each "
                "meta-model plays at least one trial"
            )
        if self.population and self.elites:
            raise ValueError("population and elites are both given; keep one of them")
        self.refuse_repeated("partners", "players", "agents")
        for player in self.players:
            column = Column.parse(player)
            kind, population = column.kind, self.population
            if column.with_elites and not (population := self.elites):
                raise ValueError(f"players has {player}, so elites is needed")
            if kind.needs_pool and not (self.pool or population):
                raise ValueError(f"players has {player}, so pool or population is needed")
            needs_games = kind.needs_support and not kind.support_is_optional
            if needs_games and not self.support_games:
                raise ValueError(f"players has {player}, so support_games is needed")
            if kind.needs_agents and not self.agents:
                raise ValueError(f"players has {player}, so agents is needed")
        return self
