"""Players that play as a model of the partner.

torch takes seconds to import, so what needs it is imported where a player is made.
"""

from typing import TYPE_CHECKING, Any

from hoad.adhoc_player import AdhocPlayer
from hoad.agents.agent import Agent
from hoad.agents.registry import get_agent
from hoad.bayes.pool import agents_of
from hoad.players.player_kind import PoolKind

if TYPE_CHECKING:
    from hoad.partners.kinds import Knowledge
    from hoad.partners.regression.learner import Prior


_VERSION = "full mixture with a prior, 1"
"""How models play, on which kept games depend."""


class ModelKind(PoolKind):
    """What the mixture of partner models expects the partner to do in the player's place."""

    def make(self) -> AdhocPlayer:
        from hoad.partners.agents import ModelPlayer

        return ModelPlayer(self.name, self.support, self.knowledge.mixture)

    def check(self) -> None:
        self.make()
        self.refuse_acquainted(f"maml:{self.meta_model}")

    @property
    def meta_models(self) -> list[str]:
        return [self.meta_model]

    def options(self) -> list[Any]:
        network = get_agent(f"maml:{self.meta_model}")
        return [repr(network.identity), self.prior.identity, _VERSION]

    @property
    def knowledge(self) -> "Knowledge":
        """What its partner models know before they see games of the partner."""
        from hoad.partners.kinds import Knowledge

        return Knowledge(self.pool, self.meta_model, self.prior)

    @property
    def prior(self) -> "Prior":
        """The prior of the logit's weights, in which the partner has no part."""
        from hoad.partners.logit.prior import prior_without

        return prior_without(self.roster.held_out(self.partner))

    @property
    def pool(self) -> tuple[Agent, ...]:
        """The agents that the partner may be, and that the player may play as."""
        return agents_of(self.roster.pool_for(self.partner).agents)

    @property
    def meta_model(self) -> str:
        """The name of the recipe's meta-model, or of one that was trained without the partner."""
        from hoad.partners.kinds import meta_model_without

        if self.roster.meta_model is not None:
            return self.roster.meta_model
        return meta_model_without(self.roster.held_out(self.partner))
