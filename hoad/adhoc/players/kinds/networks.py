"""Players with a network: a meta-model as it is, one that is adapted to the partner, and a new one.

torch takes seconds to import, so what needs it is imported where a player is made.
"""

from typing import Any

from hoad.adhoc.player import AdhocPlayer, Fixed, InTurn
from hoad.adhoc.players.kinds.kind import Kind
from hoad.adhoc.players.roster import identity
from hoad.agents.agent import Agent
from hoad.agents.registry import get_fair_agent


class MetaModelKind(Kind):
    """Plays meta-models that were trained without the partner, of several seeds in turn."""

    has_steps = True

    @property
    def meta_models(self) -> list[str]:
        """The names of the meta-models that play the trials in turn, as in ``maml:NAME@STEP``."""
        step = self.step and f"@{self.step}"
        return [name + step for name in self.roster.meta_model_names(self.partner)]


class ZeroShotKind(MetaModelKind):
    """The meta-model that was trained without the partner, as it is."""

    def make(self) -> AdhocPlayer:
        agents = self._agents()
        if len(agents) == 1:
            return Fixed(self.name, *agents)
        return InTurn(self.name, agents, self.roster.trials)

    def check(self) -> None:
        """Raise a HoadError if a meta-model is missing, or was trained on the partner."""
        for agent in self._agents():
            self.refuse_acquainted(agent.name)

    def fingerprint(self) -> list[Any]:
        trials = [self.roster.trials] if self.roster.meta_models > 1 else []
        return [*map(identity, self._agents()), *trials]

    def _agents(self) -> list[Agent]:
        return [get_fair_agent(f"maml:{name}") for name in self.meta_models]


class LowShotKind(MetaModelKind):
    """The meta-model, adapted to a few games of the partner in each trial."""

    learns_from_any = needs_support = True

    def make(self) -> AdhocPlayer:
        from hoad.adhoc.learned import LowShot

        adapting = self.roster.low_shot
        settings = self.meta_models, adapting.steps, adapting.rate
        return LowShot(self.name, self.support, *settings)

    def check(self) -> None:
        self.make()
        for name in self.meta_models:
            self.refuse_acquainted(f"maml:{name}")

    def fingerprint(self) -> list[Any]:
        from hoad.learning.policies import PolicyAgent, load_meta_model

        found: list[Any] = []
        for name in self.meta_models:
            model, about = load_meta_model(name)
            learned = [about.get("play_steps"), about["facts"]["inner_rate"]]
            found += [identity(PolicyAgent("meta-model", model)), learned]
        return [*found, self.roster.low_shot.stored_values(), *self.trials]


class NaiveKind(Kind):
    """A network that is trained on a few games of the partner in each trial."""

    learns_from_any = needs_support = True

    def make(self) -> AdhocPlayer:
        from hoad.adhoc.learned import Naive

        return Naive(self.name, self.support, self.roster.naive)

    def fingerprint(self) -> list[Any]:
        return [self.roster.naive.stored_values(), *self.trials]
