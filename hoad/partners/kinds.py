"""The kinds of partner models by name, and what they may know when a partner is held out."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from hoad.agents.agent import Agent
from hoad.agents.families import FAMILIES
from hoad.agents.games import rules_by_seat
from hoad.agents.registry import agent_names, get_agent
from hoad.core.errors import HoadError
from hoad.knowledge import HeldOut
from hoad.learning.policies import network_file
from hoad.partners.choices import Seen
from hoad.partners.logit.model import Logit
from hoad.partners.logit.prior import prior_without
from hoad.partners.meta_model import LowShot, ZeroShot
from hoad.partners.mixture import Mixture
from hoad.partners.model import PartnerModel, Uniform
from hoad.partners.pool import Nearest, PoolPosterior
from hoad.partners.program.posterior import ProgramPosterior
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.population import (
    Observed,
    PopulationModel,
    RelatingInputs,
    fit_population,
)

META_MODEL: Final = "rainbow"
"""The meta-model that is taken where it never saw the partner."""


@dataclass(frozen=True, eq=False)  # a key of caches: by object
class Knowledge:
    """What partner models know before they see games of the partner."""

    pool: tuple[Agent, ...]  # fair agents, at least one
    meta_model: str  # name of a meta-model, as in maml:NAME; empty with several players
    # of the regressions' weights of rules and traits, see
    # :func:`~.logit.prior.prior_without`; None to learn them from the partner alone
    prior: Prior | None = None
    # of the weights of relating_inputs, if games of other strangers are known
    population: Prior | None = None
    players: int = 2  # in the games of the partner

    def knowing(self, strangers: Sequence[Observed]) -> "Knowledge":
        """Return the same with the prior that some strangers, at least one, suggest.

        Their inputs are ``relating_inputs``.
        """
        return replace(self, population=fit_population(strangers, self.relating_inputs.groups))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of models, in the order of tables."""
        if self.players > 2:
            return FOR_SEVERAL
        return (*KINDS,) if self.population is None else (*KINDS, POPULATION)

    @property
    def mixed(self) -> tuple[str, ...]:
        """The kinds that mixtures are made of."""
        if self.players > 2:
            return tuple(kind for kind in MIXED if kind in FOR_SEVERAL)
        return MIXED if self.population is None else (*MIXED, POPULATION)

    def make(self, kind: str) -> PartnerModel:
        """Return a new model of one of ``kinds`` that has learned nothing yet."""
        if kind == POPULATION and self.population is not None:
            return PopulationModel(self.population, self.relating_inputs)
        return KINDS[kind](self)

    def mixture(self) -> Mixture:
        """Return a new mixture of the kinds in ``mixed``, with the pool's agents as inputs.

        Its regression starts from ``prior``, unless other strangers are known. With several players
        it has none.
        """
        models = [partial(self.make, kind) for kind in self.mixed]
        counts = [POPULATION_COUNTS if kind == POPULATION else None for kind in self.mixed]
        prior = self.prior if self.population is None else None
        return Mixture(models, self.pool, counts, prior, regresses=self.players == 2)

    def logit(self) -> Logit:
        """Return a new conditional logit with the compiled agents of the pool as inputs."""
        return Logit(self.pool, self.prior)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the pool's agents and, if there is one, of the meta-model."""
        networks = (f"maml:{self.meta_model}",) if self.meta_model else ()
        return *(agent.name for agent in self.pool), *networks

    @cached_property
    def relating_inputs(self) -> RelatingInputs:
        """What makes the inputs of the prior that other strangers suggest."""
        return RelatingInputs(self.pool, [self.zero_shot])

    @cached_property
    def zero_shot(self) -> ZeroShot:
        """The meta-model as it is: one for all, because it learns nothing."""
        return ZeroShot(self.meta_model)

    def learn_all(self, games: Seen) -> "dict[str, tuple[PartnerModel, float]]":
        """Return a model of each kind that has learned some games, and its processor seconds.

        The models of the mixture are those of their kinds, so that they learn and predict once.
        """
        mixture: Mixture = self.mixture()
        learned: dict[str, tuple[PartnerModel, float]] = {}
        started = time.thread_time()
        mixture.learn(games)
        for kind, model, seconds in zip(self.mixed, mixture.models, mixture.seconds, strict=True):
            adapting = time.thread_time()
            if isinstance(model, LowShot):
                model.network()  # it adapts when it is first asked
            learned[kind] = model, seconds + time.thread_time() - adapting
        learned["mixture"] = mixture, time.thread_time() - started
        for kind in self.kinds:
            if kind in learned:
                continue
            model, started, saved = self.make(kind), time.thread_time(), games.saved
            model.learn(games)
            learned[kind] = model, time.thread_time() - started + games.saved - saved
        return {kind: learned[kind] for kind in self.kinds}


KINDS: Final[dict[str, Callable[[Knowledge], PartnerModel]]] = {
    "uniform": lambda known: Uniform(),
    "nearest": lambda known: Nearest(known.pool),
    "pool": lambda known: PoolPosterior(known.pool),
    "program": lambda known: ProgramPosterior(players=known.players),
    "zero-shot": lambda known: known.zero_shot,
    "low-shot": lambda known: LowShot(known.meta_model),
    "logit": Knowledge.logit,
    "mixture": Knowledge.mixture,
}
"""What makes a model of each kind."""

MIXED: Final = ("pool", "program", "zero-shot", "low-shot")
"""The kinds that mixtures are made of, besides uniform."""

FOR_SEVERAL: Final = ("uniform", "nearest", "pool", "program", "mixture")
"""The kinds that predict games of three to five players. Networks and regressions know two only."""

POPULATION: Final = "population"
"""The kind that knows games of other strangers."""

POPULATION_COUNTS: Final = 20.0
"""Decisions that speak for it in the mixture before games are seen: without any, it is followed."""


def knowledge_without(held_out: HeldOut | None, players: int = 2) -> Knowledge:
    """Return what models may know: all plain fair agents, and a meta-model.

    Agents that are ``held_out`` are not in the pool under any name, the meta-model has not learned
    from their games, and they have no part in the logit's prior. In games of several ``players``
    models know the rule lists that play with so many, and no meta-model. Which agents behave like
    the one that is held out is known from games of two.

    Raises:
        HoadError: there is no such agent, or every meta-model learned from its games.
    """
    fair = tuple(name for name in agent_names() if get_agent(name).fair)
    pool = held_out.others(fair) if held_out else fair
    agents = tuple(map(get_agent, pool))
    if players > 2:
        return Knowledge(tuple(filter(_plays_with_several, agents)), "", players=players)
    return Knowledge(agents, meta_model_without(held_out), prior_without(held_out))


def _plays_with_several(agent: Agent) -> bool:
    """Return whether an agent plays games of three to five players."""
    with suppress(HoadError):
        return bool(rules_by_seat([agent]))
    return False


def meta_model_without(held_out: HeldOut | None) -> str:
    """Return the name of a meta-model that models may know; a HoadError if there is none."""
    if held_out is None:
        return META_MODEL
    trained = (member for members in FAMILIES.values() for member in members)
    own = held_out.meta_model()
    for name in dict.fromkeys((META_MODEL, own, *trained)):
        if network_file("maml", name).exists() and held_out.allows(f"maml:{name}"):
            return name
    raise HoadError(
        f"{held_out.partner}: no meta-model was trained without {held_out.in_words}; train "
        f"maml:{own} with train_maml.py"
    )
