"""The players of a table: what the names in a recipe mean, and what a player's games depend on.

A column of a table is a kind of player, or the name of any agent. To add a kind, write a subclass
of `Kind` and name it in `KINDS`.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, ClassVar, Final

from pydantic import Field

from hoad.adhoc.bayes.features import BehaviourBelief, Belief, Evidence, UniformBelief
from hoad.adhoc.bayes.in_game import InGameMetaAgent, SupportedMetaAgent
from hoad.adhoc.bayes.meta_agent import MetaAgent, certain, oracle
from hoad.adhoc.bayes.moves import LikelihoodBelief, Reveal
from hoad.adhoc.bayes.niche import NicheBelief
from hoad.adhoc.bayes.response import (
    ExpectedBest,
    MostLikelyBest,
    RandomResponse,
    Response,
    scores_with,
)
from hoad.adhoc.matchups import GAMES, MatchUps, Score, saved_match_ups
from hoad.adhoc.nearest import Nearest, NearestResponse
from hoad.adhoc.player import AdhocPlayer, Fixed, InTurn, RandomPartner
from hoad.adhoc.pool import Pool, agents_of, check_agents, make_pool
from hoad.adhoc.python_learner import AdhocLearner, PythonLearner, learner_identity
from hoad.adhoc.seeds import MATCH_UPS, ORACLE, other_seed
from hoad.adhoc.support import Support
from hoad.agents import Agent, get_fair_agent
from hoad.agents.python_agent import load_class
from hoad.core.errors import HoadError
from hoad.core.recipe import Recipe
from hoad.learning.held_out import agents_without, meta_model_name
from hoad.learning.names import HoldOut, Source, name_in
from hoad.learning.recipes import NaiveRecipe


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


@dataclass(frozen=True)
class Partner:
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
    """Makes the players of a table from what its recipe says about them.

    Attributes:
        seed, source, agents, trials, support_games, low_shot, naive, population, matchup_games,
            evidence, niche_threshold: as the keys of recipes.
        pool_agents: names of agents that are hypotheses and responses of meta-agents.
        match_ups: of the whole pool, if they were played already.
        match_ups_from: plain values that tell other match-ups of the same pool from these.
        hold_out: what is left out of pool, agents and meta-training with a partner; None if
            nothing is.
        score: the score that responses maximise.
        meta_models: how many meta-models, trained with seeds 0, 1, …, play the trials in turn.
        meta_model: name of the meta-model for all partners; None for that of each partner.
    """

    seed: int
    source: Source = "originals"
    agents: tuple[str, ...] = ()
    trials: int = 1
    support_games: int = 10
    low_shot: LowShotRecipe = field(default_factory=LowShotRecipe)
    naive: NaiveRecipe = field(default_factory=NaiveRecipe)
    pool_agents: tuple[str, ...] = ()
    population: str | None = None
    match_ups: MatchUps | None = None
    matchup_games: int = GAMES
    match_ups_from: tuple[Any, ...] = ()
    hold_out: HoldOut | None = "agent"
    score: Score = "lenient"
    meta_models: int = 1
    meta_model: str | None = None
    evidence: Evidence = "last_game"
    niche_threshold: int = 0

    def make(self, column: str, partner: Partner) -> AdhocPlayer:
        """Return a column's player for a partner; a HoadError if an agent or network is missing."""
        player = self._kind(column, partner).make()
        player.name = column
        return player

    def fingerprint(self, column: str, partner: Partner) -> str | None:
        """Return a digest of all that a player's moves depend on, besides the partner.

        None if an agent, a network or a population that it needs is not on this machine.
        """
        try:
            return digest(self._kind(column, partner).fingerprint())
        except HoadError:
            return None

    def partner_fingerprint(self, partner: Partner) -> str:
        """Return a digest of all that a partner's moves depend on; a HoadError if it is missing."""
        identity = _identity(self.seated(partner.name))
        if partner == Partner(partner.name):
            return digest(identity)
        return digest([identity, partner.hypothesis, partner.number])

    def check(self, columns: Iterable[tuple[str, Partner]]) -> None:
        """Raise the error of :meth:`make`, or of the pool, for these players; no game is played."""
        for name in self.agents:
            self.seated(name)
        for column, partner in columns:
            self._kind(column, partner).check()

    def seated(self, name: str) -> Agent:
        """Return the agent that plays for a name: itself or its imitator, as ``source`` says."""
        return get_fair_agent(name_in(self.source, name))

    @cached_property
    def pool(self) -> Pool:
        """The hypotheses and responses of meta-agents, before any is held out.

        Raises:
            HoadError: the population cannot be read, or an agent is unknown or named twice.
        """
        pool = make_pool(self.pool_agents, self.population)
        check_agents("pool", pool.agents)
        return pool

    @cached_property
    def pool_identities(self) -> list[str]:
        """The identities of the agents of the pool."""
        return list(map(_identity, agents_of(self.pool.agents)))

    def without(self, agents: Sequence[str], partner: Partner) -> tuple[str, ...]:
        """Return the agents that players may learn from, or play as, for this partner."""
        if self.hold_out is None:
            return tuple(agents)
        return agents_without(agents, partner.name, self.hold_out)

    def meta_model_names(self, partner: Partner) -> list[str]:
        """Return the names of the meta-models that play with a partner, by seed."""
        held_out = partner.name, self.hold_out or "agent"
        if self.meta_model is not None:
            held_out = self.meta_model, "agent"
        return [meta_model_name(*held_out, seed) for seed in range(self.meta_models)]

    def hypotheses(self, partner: Partner) -> Pool:
        """Return the pool of meta-agents that meet a partner; a HoadError if no agent remains."""
        names = self.without(self.pool.agents, partner)
        if not names:
            raise HoadError(f"{partner.name}: no hypothesis remains in the pool; name other agents")
        niches = dict(zip(self.pool.agents, self.pool.niches, strict=True))
        return Pool(names, tuple(niches[n] for n in names), self.pool.grid, self.pool.features)

    def play_match_ups(self, threads: int) -> MatchUps:
        """Play the match-ups of the whole pool, on decks of their own; those kept are found."""
        seed = other_seed(self.seed, MATCH_UPS)
        found = saved_match_ups(self.pool.agents, self.matchup_games, seed, threads)
        return replace(found, score=self.score)

    def match_ups_for(self, partner: Partner) -> MatchUps:
        """Return the match-ups of the hypotheses for a partner."""
        if self.match_ups is None:
            raise ValueError("match-ups are played before meta-agents are made")
        if not self.hold_out:
            return self.match_ups
        kept = self.hypotheses(partner).agents
        return self.match_ups.select(list(map(self.match_ups.agents.index, kept)))

    def _kind(self, column: str, partner: Partner) -> "Kind":
        parsed = Column.parse(column)
        return parsed.kind(self, parsed, partner)


@dataclass(frozen=True)
class Column:
    """The parts of a player's name in a recipe: ``low-shot@500:X``.

    Attributes:
        word: key of `KINDS`; empty if the name is an agent's.
        step: milestone of meta-training; empty for the finished model.
        learned_from: the agent that games are taken from; empty for the partner.
        with_elites: whether the pool has elites besides (the recipe's ``elites``).
    """

    name: str
    word: str = ""
    step: str = ""
    learned_from: str = ""
    with_elites: bool = False

    @classmethod
    def parse(cls, name: str) -> "Column":
        """Return the parts of a name; a name that is no kind of player is an agent's."""
        plain = name.removesuffix(WITH_ELITES)
        if plain != name and plain in KINDS and KINDS[plain].needs_pool:
            return cls(name, plain, with_elites=True)
        head, _, learned_from = name.partition(":")
        word, _, step = head.partition("@")
        word = RENAMED.get(word, word)
        kind = KINDS.get(word)
        if kind and (kind.has_steps or not step) and (kind.learns_from_any or not learned_from):
            return cls(name, word, step, learned_from)
        return cls(name)

    @property
    def kind(self) -> "type[Kind]":
        """The kind of player."""
        return KINDS.get(self.word, PythonKind if self.name.startswith(PYTHON) else AgentKind)

    @property
    def current_name(self) -> str:
        """The name with the kind's current word, which is the same for old and new names."""
        if not self.word or self.with_elites:
            return self.name
        step, learned_from = self.step and f"@{self.step}", self.learned_from
        return self.word + step + (learned_from and f":{learned_from}")

    @property
    def plays_own_meta_model(self) -> bool:
        """Whether the meta-model plays that was trained without the partner."""
        return self.kind.has_steps and not self.learned_from


@dataclass(frozen=True)
class Kind(ABC):
    """A kind of player, bound to a column of a table and a partner.

    Attributes:
        needs_agents: whether it needs ``agents`` in the recipe.
        needs_pool: whether it needs a pool, and its match-ups.
        needs_support: whether it watches games of the partner before it plays.
        knows_partner: whether it is, or knows, the partner: an upper bound, not a competitor.
        has_steps: whether it plays a meta-model, with milestones as ``KIND@STEP``.
        learns_from_any: whether ``KIND:X`` learns from the games of X instead of the partner's.
    """

    needs_agents: ClassVar[bool] = False
    needs_pool: ClassVar[bool] = False
    needs_support: ClassVar[bool] = False
    knows_partner: ClassVar[bool] = False
    has_steps: ClassVar[bool] = False
    learns_from_any: ClassVar[bool] = False

    roster: Roster
    column: Column
    partner: Partner

    @abstractmethod
    def make(self) -> AdhocPlayer:
        """Return the player, which may play games to learn (see :meth:`Roster.make`)."""

    @abstractmethod
    def fingerprint(self) -> list[Any]:
        """Return plain values on which its moves depend, besides the partner.

        Kept games are found by them: a change makes players of this kind play again.

        Raises:
            HoadError: no such agent, or a network is missing.
        """

    def check(self) -> None:
        """Raise a HoadError if the player cannot be made."""
        self.make()

    def _refuse_acquainted(self, agent: str) -> None:
        """Raise a HoadError if an agent is, plays as, or was trained on the partner."""
        if not self.roster.without([agent], self.partner):
            family = " or its family" if self.roster.hold_out == "family" else ""
            raise HoadError(
                f"player {self.column.name}: {agent} is, plays as or was trained on the partner "
                f"{self.partner.name}{family}, which is held out; leave one of them out of the "
                "recipe (self-play is the partner with itself)"
            )

    @property
    def learned_from(self) -> str:
        """The agent that provides the games to learn from."""
        return self.column.learned_from or self.partner.name

    @property
    def meta_models(self) -> list[str]:
        """The names of the meta-models that play the trials in turn, as in ``maml:NAME@STEP``."""
        step = self.column.step and f"@{self.column.step}"
        return [name + step for name in self.roster.meta_model_names(self.partner)]

    @property
    def support(self) -> Support:
        """The games that it watches before it plays."""
        roster = self.roster
        return Support(roster.seated(self.learned_from), roster.trials, roster.support_games)

    @property
    def trials(self) -> list[Any]:
        """What all players that learn from games of an agent depend on."""
        learned_from = self.column.learned_from
        others = [_identity(self.roster.seated(learned_from))] if learned_from else []
        return [[self.roster.trials, self.roster.support_games], others]


class AgentKind(Kind):
    """Any agent, by its name."""

    def make(self) -> AdhocPlayer:
        return Fixed(self.column.name, self.agent())

    def check(self) -> None:
        """Raise a HoadError if there is no such agent, or it has met the partner."""
        self._refuse_acquainted(self.agent().name)

    def fingerprint(self) -> list[Any]:
        return [_identity(self.agent())]

    def agent(self) -> Agent:
        """Return the agent that plays with every partner."""
        name = self.column.name
        try:
            return get_fair_agent(name)
        except HoadError:
            for near in get_close_matches(name, [*KINDS, *RENAMED], n=1):
                suggestion = RENAMED.get(near, near)
                raise HoadError(f"unknown player {name!r}; did you mean {suggestion}?") from None
            raise


class PythonKind(AgentKind):
    """Your own agent, or your own ad-hoc player: ``python:FILE.py:CLASS``."""

    def make(self) -> AdhocPlayer:
        found = self._class()
        if not issubclass(found, AdhocLearner):
            return super().make()
        support = self.support if self.roster.support_games else None
        return PythonLearner(self.column.name, found, support, self._usable())

    def check(self) -> None:
        """Raise a HoadError if there is no such class, or it is an agent that met the partner."""
        if not issubclass(self._class(), AdhocLearner):
            super().check()

    def fingerprint(self) -> list[Any]:
        found = self._class()
        if not issubclass(found, AdhocLearner):
            return super().fingerprint()
        usable = [_identity(agent) for agent in agents_of(self._usable())]
        return [*learner_identity(found), usable, *self.trials]

    def _class(self) -> type:
        return load_class(self.column.name.removeprefix(PYTHON))

    def _usable(self) -> tuple[str, ...]:
        return self.roster.without(self.roster.pool.agents or self.roster.agents, self.partner)


class SelfPlayKind(AgentKind):
    """The partner itself."""

    knows_partner = True

    def check(self) -> None:
        self.agent()

    def agent(self) -> Agent:
        return self.roster.seated(self.partner.name)

    def fingerprint(self) -> list[Any]:
        return []


class RandomPartnerKind(Kind):
    """Another agent in each game."""

    needs_agents = True

    def make(self) -> AdhocPlayer:
        return RandomPartner(self.column.name, self._agents())

    def fingerprint(self) -> list[Any]:
        return list(map(_identity, self._agents()))

    def _agents(self) -> list[Agent]:
        names = self.roster.without(self.roster.agents, self.partner)
        return list(map(self.roster.seated, names))


class ZeroShotKind(Kind):
    """The meta-model that was trained without the partner, as it is."""

    has_steps = True

    def make(self) -> AdhocPlayer:
        name, agents = self.column.name, self._agents()
        if len(agents) == 1:
            return Fixed(name, *agents)
        return InTurn(name, agents, self.roster.trials)

    def check(self) -> None:
        """Raise a HoadError if a meta-model is missing, or was trained on the partner."""
        for agent in self._agents():
            self._refuse_acquainted(agent.name)

    def fingerprint(self) -> list[Any]:
        trials = [self.roster.trials] if self.roster.meta_models > 1 else []
        return [*map(_identity, self._agents()), *trials]

    def _agents(self) -> list[Agent]:
        return [get_fair_agent(f"maml:{name}") for name in self.meta_models]


class LowShotKind(Kind):
    """The meta-model, adapted to a few games of the partner in each trial."""

    has_steps = learns_from_any = needs_support = True

    def make(self) -> AdhocPlayer:
        from hoad.adhoc.learned import LowShot  # torch takes seconds

        adapting = self.roster.low_shot
        settings = self.meta_models, adapting.steps, adapting.rate
        return LowShot(self.column.name, self.support, *settings)

    def check(self) -> None:
        self.make()
        for name in self.meta_models:
            self._refuse_acquainted(f"maml:{name}")

    def fingerprint(self) -> list[Any]:
        from hoad.learning.policies import PolicyAgent, load_meta_model

        found: list[Any] = []
        for name in self.meta_models:
            model, about = load_meta_model(name)
            learned = [about.get("play_steps"), about["facts"]["inner_rate"]]
            found += [_identity(PolicyAgent("meta-model", model)), learned]
        return [*found, self.roster.low_shot.stored_values(), *self.trials]


class NaiveKind(Kind):
    """A network that is trained on a few games of the partner in each trial."""

    learns_from_any = needs_support = True

    def make(self) -> AdhocPlayer:
        from hoad.adhoc.learned import Naive  # torch takes seconds

        return Naive(self.column.name, self.support, self.roster.naive)

    def fingerprint(self) -> list[Any]:
        return [self.roster.naive.stored_values(), *self.trials]


class MetaAgentKind(Kind):
    """A meta-agent: it plays as an agent of the pool; without evidence, as the generalist."""

    needs_pool = True

    @property
    def match_ups(self) -> MatchUps:
        """The match-ups that it knows."""
        return self.roster.match_ups_for(self.partner)

    def check(self) -> None:
        self.roster.hypotheses(self.partner)

    def fingerprint(self) -> list[Any]:
        roster = self.roster
        options = [*self.options(), *(self.trials if self.needs_support else [])]
        options += [roster.score] if roster.score != "lenient" else []
        options += [roster.hold_out] if roster.hold_out == "family" else []
        return [roster.pool_identities, roster.matchup_games, *roster.match_ups_from, *options]

    def options(self) -> list[Any]:
        """Return what its moves depend on besides pool and match-ups, where not the default."""
        return []

    def make(self) -> AdhocPlayer:
        match_ups, partner = self.match_ups, self.partner.hypothesis
        belief, response = self.belief(match_ups), self.response(match_ups)
        return MetaAgent(self.column.name, match_ups.agents, belief, response, partner)

    def belief(self, match_ups: MatchUps) -> Belief:
        """Return how evidence becomes belief; uniform without evidence."""
        return UniformBelief(len(match_ups.agents))

    def response(self, match_ups: MatchUps) -> Response:
        """Return how belief becomes a response."""
        return ExpectedBest(match_ups)


class OracleKind(MetaAgentKind):
    """The best response to the partner, known from other games with it."""

    knows_partner = True

    def make(self) -> AdhocPlayer:
        match_ups, roster = self.match_ups, self.roster
        if self.partner.hypothesis is not None:
            return certain(match_ups, self.partner.hypothesis)
        responses, partner = agents_of(match_ups.agents), roster.seated(self.partner.name)
        seed, games = other_seed(roster.seed, ORACLE), roster.matchup_games
        return oracle(match_ups, scores_with(partner, responses, games, seed, score=roster.score))


class RandomResponseKind(MetaAgentKind):
    """A random agent of the pool in each game."""

    def response(self, match_ups: MatchUps) -> Response:
        return RandomResponse(self.partner.number)


class BayesFeaturesKind(MetaAgentKind):
    """Belief from the partner's behaviour (Canaan et al. 2022)."""

    def belief(self, match_ups: MatchUps) -> Belief:
        return BehaviourBelief(match_ups, self.roster.evidence)

    def options(self) -> list[Any]:
        return [] if self.roster.evidence == "last_game" else [self.roster.evidence]


class MostLikelyKind(BayesFeaturesKind):
    """The same belief; the best response to its most likely hypothesis."""

    def response(self, match_ups: MatchUps) -> Response:
        return MostLikelyBest(match_ups)


class LikelihoodKind(MetaAgentKind):
    """Belief from the likelihood of the partner's moves, after each game."""

    reveal: ClassVar[Reveal] = "none"

    def belief(self, match_ups: MatchUps) -> Belief:
        return LikelihoodBelief(agents_of(match_ups.agents), self.reveal)


class LikelihoodRevealedKind(LikelihoodKind):
    """The same, with its own cards shown to it after each game."""

    reveal = "after_game"


class BayesMovesKind(MetaAgentKind):
    """Belief from the likelihood of the partner's moves, after each move."""

    def make(self) -> AdhocPlayer:
        return InGameMetaAgent(self.column.name, self.match_ups, self.partner.hypothesis)


class NearestKind(MetaAgentKind):
    """The agent of the pool that is most likely to have played the support."""

    needs_support = True

    def make(self) -> AdhocPlayer:
        return Nearest(self.column.name, self.support, self.match_ups)


class NearestResponseKind(NearestKind):
    """The best response of the pool to that agent."""

    def make(self) -> AdhocPlayer:
        return NearestResponse(self.column.name, self.support, self.match_ups)


class BayesMovesSupportKind(BayesMovesKind):
    """Belief from the likelihood of the moves in the support, then after each move."""

    needs_support = True

    def make(self) -> AdhocPlayer:
        known = self.match_ups, self.partner.hypothesis
        return SupportedMetaAgent(self.column.name, self.support, *known)


class NicheKind(MetaAgentKind):
    """Belief from the niche of the partner's behaviour (Canaan et al. 2020)."""

    def belief(self, match_ups: MatchUps | None = None) -> Belief:
        return NicheBelief(self.roster.hypotheses(self.partner), self.roster.niche_threshold)

    def check(self) -> None:
        self.belief()

    def options(self) -> list[Any]:
        return [self.roster.niche_threshold, self.roster.pool.grid, self.roster.pool.niches]


KINDS: Final[dict[str, type[Kind]]] = {
    "self-play": SelfPlayKind,
    "random-partner": RandomPartnerKind,
    "naive": NaiveKind,
    "zero-shot": ZeroShotKind,
    "low-shot": LowShotKind,
    "generalist": MetaAgentKind,
    "bayes-features": BayesFeaturesKind,
    "most-likely": MostLikelyKind,
    "likelihood": LikelihoodKind,
    "likelihood-revealed": LikelihoodRevealedKind,
    "bayes-moves": BayesMovesKind,
    "bayes-moves-support": BayesMovesSupportKind,
    "nearest": NearestKind,
    "nearest-response": NearestResponseKind,
    "niche": NicheKind,
    "oracle": OracleKind,
    "random-response": RandomResponseKind,
}
"""The class of each kind of player, by its name in recipes."""

PYTHON: Final = "python:"
"""Before the file and the class of an agent or a player of your own."""

WITH_ELITES: Final = "+elites"
"""After a kind that needs a pool: the pool has elites besides."""

RENAMED: Final = {"adaptive": "bayes-features", "likelihood-in-game": "bayes-moves"}
"""Current names of kinds that have old ones, which recipes may still use."""

FORMER: Final = {new: old for old, new in RENAMED.items()}
"""Old names of kinds by current ones: published tables use the old names."""


def digest(value: Any) -> str:
    """Return a digest of plain values, 12 hexadecimal digits."""
    text = json.dumps(value, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _identity(agent: Agent) -> str:
    return repr(agent.identity)
