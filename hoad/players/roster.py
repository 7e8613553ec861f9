"""What the players of a table are made from: agents, a pool, matchups; and what is held out."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.adhoc_player import Support
from hoad.agents.agent import Agent
from hoad.agents.families import HoldOut, Source, name_in
from hoad.agents.registry import get_fair_agent
from hoad.agents.seeds import other_seed
from hoad.bayes.matchups import Matchups, saved_matchups
from hoad.bayes.pool import Pool, agents_of, check_agents, make_pool
from hoad.bayes.settings import MATCHUP_GAMES, AdaptAfter, Evidence, Score
from hoad.core.errors import HoadError
from hoad.core.identity import identity_of
from hoad.core.recipe import Recipe
from hoad.game.log import GameLogs
from hoad.game.stream import Purpose
from hoad.knowledge import HeldOut
from hoad.learning.recipes import LowShotRecipe, NaiveRecipe
from hoad.replay.formats.convert import read_games
from hoad.replay.recorder import file_name

_KEPT_AS: Final = {"matchups_from": "match_ups_from"}
"""Names of fields in the identities of kept games, which no renaming changes."""


@dataclass(frozen=True)
class TablePartner:
    """A partner that players meet.

    Attributes:
        name: in the recipe.
        hypothesis: index of the hypothesis that stands for it: itself, or the elite of its niche;
            None if there is none, as where the partner is held out.
        number: index in its own pool; random-response draws other responses for each number.
    """

    name: str
    hypothesis: int | None = None
    number: int = 0


@dataclass(frozen=True)
class Roster:
    """What the players of a table are made from, as its recipe says.

    Attributes:
        seed, source, agents, trials, support_games, support, low_shot, naive, population,
            matchup_games, evidence, adapt_after, niche_threshold: as the keys of recipes.
        pool_agents: names of agents that are hypotheses and responses of meta-agents.
        matchups: of the whole pool, if they were played already.
        matchups_from: plain values that tell other matchups of the same pool from these.
        hold_out: what pool, agents and meta-training leave out with a partner; None for nothing.
        score: the score that responses maximise.
        meta_models: how many meta-models, trained with seeds 0, 1, …, play the trials in turn.
        meta_model: name of the meta-model for all partners; None for that of each partner.
    """

    seed: int
    source: Source = "originals"
    agents: tuple[str, ...] = ()
    trials: int = 1
    support_games: int = 10
    support: str | None = None
    low_shot: LowShotRecipe = field(default_factory=LowShotRecipe)
    naive: NaiveRecipe = field(default_factory=NaiveRecipe)
    pool_agents: tuple[str, ...] = ()
    population: str | None = None
    matchups: Matchups | None = None
    matchup_games: int = MATCHUP_GAMES
    matchups_from: tuple[Any, ...] = ()
    hold_out: HoldOut | None = "agent"
    score: Score = "lenient"
    meta_models: int = 1
    meta_model: str | None = None
    evidence: Evidence = "last_game"
    adapt_after: AdaptAfter = "game"
    niche_threshold: int = 0

    @classmethod
    def of(cls, recipe: Recipe, **others: Any) -> "Roster":
        """Return the roster of a recipe: its keys that are fields here too, and ``others``."""
        shared = {field.name for field in fields(cls)} & type(recipe).model_fields.keys()
        return cls(**{name: getattr(recipe, name) for name in shared} | others)

    @cached_property
    def settings_identity(self) -> str:
        """The identity of all settings but the seed, whether a player depends on them or not."""
        names = [field.name for field in fields(self)]
        plain = {_KEPT_AS.get(name, name): getattr(self, name) for name in names}
        del plain["seed"], plain["matchups"]
        if self.support is None:
            del plain["support"]
        if self.adapt_after == "game":  # games that were kept before there was this key
            del plain["adapt_after"]
        recipes = {"low_shot": self.low_shot.model_dump(), "naive": self.naive.model_dump()}
        return identity_of(plain | recipes)

    def partner_identity(self, partner: TablePartner) -> str:
        """Return a partner's identity; a HoadError if it is missing."""
        agent = repr(self.agent_named(partner.name).identity)
        if partner == TablePartner(partner.name):
            return identity_of(agent)
        return identity_of([agent, partner.hypothesis, partner.number])

    def check(self) -> None:
        """Raise a HoadError if an agent that random-partner draws from is missing."""
        for name in self.agents:
            self.agent_named(name)

    def agent_named(self, name: str) -> Agent:
        """Return the agent that plays for a name: itself or its imitator, as ``source`` says."""
        return get_fair_agent(name_in(self.source, name))

    def support_of(self, name: str) -> Support:
        """Return the games of an agent that players watch; see :func:`recorded_support`."""
        agent, recorded, seats = self.agent_named(name), None, None
        if self.support is not None and self.support_games:
            wanted = self.trials * self.support_games
            recorded, seats = recorded_support(Path(self.support), agent, wanted)
        sizes = self.trials, self.support_games
        return Support(agent, *sizes, recorded=recorded, seats=seats)

    @cached_property
    def pool(self) -> Pool:
        """The hypotheses and responses of meta-agents, before any is held out.

        It raises a HoadError if the population is unreadable, or an agent unknown or named twice.
        """
        pool = make_pool(self.pool_agents, self.population)
        check_agents("pool", pool.agents)
        return pool

    @cached_property
    def pool_identities(self) -> list[str]:
        """The identities of the agents of the pool."""
        return [repr(agent.identity) for agent in agents_of(self.pool.agents)]

    def without(self, agents: Sequence[str], partner: TablePartner) -> tuple[str, ...]:
        """Return the agents that players may learn from, or play as, for this partner."""
        held_out = self.held_out(partner)
        return held_out.others(agents) if held_out else tuple(agents)

    def held_out(self, partner: TablePartner) -> HeldOut | None:
        """Return what is held out with a partner; None for nothing."""
        return HeldOut(partner.name, self.hold_out) if self.hold_out else None

    def meta_model_names(self, partner: TablePartner) -> list[str]:
        """Return the names of the meta-models that play with a partner, by seed.

        ``iggi`` is the one that was trained without iggi, ``iggi.1`` the same with another seed.
        """
        held_out = self.held_out(partner) or HeldOut(partner.name)
        if self.meta_model is not None:
            held_out = HeldOut(self.meta_model)
        return [held_out.meta_model(seed) for seed in range(self.meta_models)]

    def pool_for(self, partner: TablePartner) -> Pool:
        """Return the pool of meta-agents that meet a partner; a HoadError if no agent remains."""
        names = self.without(self.pool.agents, partner)
        if not names:
            raise HoadError(f"{partner.name}: no hypothesis remains in the pool; name other agents")
        niches = dict(zip(self.pool.agents, self.pool.niches, strict=True))
        return Pool(names, tuple(niches[n] for n in names), self.pool.grid, self.pool.features)

    def play_matchups(self, threads: int) -> Matchups:
        """Play the matchups of the whole pool, on decks of their own; those kept are found."""
        seed = other_seed(self.seed, Purpose.MATCHUPS)
        of_pool = saved_matchups(self.pool.agents, self.matchup_games, seed, threads)
        return replace(of_pool, score=self.score)

    def matchups_for(self, partner: TablePartner) -> Matchups:
        """Return the matchups of the hypotheses for a partner."""
        if self.matchups is None:
            raise ValueError("matchups are played before meta-agents are made")
        if not self.hold_out:
            return self.matchups
        kept = self.pool_for(partner).agents
        return self.matchups.select(list(map(self.matchups.agents.index, kept)))


def recorded_support(path: Path, agent: Agent, wanted: int) -> tuple[GameLogs, np.ndarray | None]:
    """Return the first ``wanted`` games of an agent in a file, and its seats unless it has both.

    They are its self-play games; or those of the person of which the agent is a proxy. The file is
    HDF5 or JSON Lines; a folder holds a file for each agent, ``NAME.h5``.

    Raises:
        HoadError: the file cannot be read, has games of more players, or fewer games of the agent.
    """
    file = path / file_name([agent.name]) if path.is_dir() else path
    games = read_games(file)
    if games.logs.players != 2:
        raise HoadError(
            f"{file}: games of {games.logs.players} players, but players learn from games of two; "
            "give another file (support)"
        )
    name, kind = agent.name, "self-play games"
    own = np.flatnonzero((games.names == name).all(axis=1))
    if not len(own) and len(agent.trained_on) == 1:
        name, kind = agent.trained_on[0], "games"
        own = np.flatnonzero((games.names == name).any(axis=1))
    if len(own) < wanted:
        raise HoadError(
            f"{file}: {len(own)} {kind} of {name}, expected {wanted}, support_games for "
            "each trial; record more, or take fewer trials"
        )
    seats = games.names[own[:wanted]] == name
    return games.logs.select(own[:wanted]), None if seats.all() else seats
