"""Players that search: with models of the partner, or with the partner itself."""

from dataclasses import astuple, replace
from typing import Any

from hoad.adhoc_player import AdhocPlayer, Fixed
from hoad.agents.agent import Agent, CompiledAgent
from hoad.bayes.pool import agents_of
from hoad.core.errors import HoadError
from hoad.partners.agents import SHARPNESS
from hoad.partners.model import HYPOTHESES, Ensemble
from hoad.players.models import ModelKind
from hoad.players.player_kind import PoolKind
from hoad.search import blueprint as blueprints
from hoad.search import strategy
from hoad.search.agent import NOISE, SearchAgent
from hoad.search.effort import LEARNED_EFFORT, LOGIT_EFFORT, NETWORK_EFFORT, ORACLE_EFFORT
from hoad.search.player import SearchPlayer

_BLUEPRINT = blueprints.FIRST_GAMES, blueprints.FINALISTS, blueprints.GAMES
"""Settings of the choice of a blueprint, on which kept games depend."""

_VERSION = "logit, programs and pool in rollouts, 2"
"""How search learns and plays; games kept before were played otherwise."""


class SearchKind(ModelKind):
    """Search with models of the partner, learned from the support and from each game."""

    def make(self) -> AdhocPlayer:
        return SearchPlayer(self.name, self.support, self.knowledge, self.roster.score)

    def options(self) -> list[Any]:
        efforts = astuple(LEARNED_EFFORT), astuple(LOGIT_EFFORT)
        settings = *efforts, HYPOTHESES, NOISE, SHARPNESS
        gains = list(strategy.GAINS.items())
        choice = (
            strategy.PRIOR_GAMES,
            strategy.BASE_GAMES,
            gains,
            strategy.HELD,
            strategy.PROMISED,
        )
        return [*super().options(), *settings, choice, *_BLUEPRINT, _VERSION]


class SearchOracleKind(PoolKind):
    """Search with the partner itself as its model: how well one can play with the partner.

    The blueprint is the partner's best response among itself and the agents of the pool; those that
    are networks are left out.
    """

    def make(self) -> AdhocPlayer:
        partner, score = self.roster.agent_named(self.partner.name), self.roster.score
        best = blueprints.best_response(self.possible_blueprints(), partner, score)
        return Fixed(self.name, self._agent(best))

    def check(self) -> None:
        """Raise a HoadError if nothing may be the blueprint, or the partner cannot be a model."""
        self._agent(self.possible_blueprints()[0])

    def _agent(self, blueprint: Agent) -> SearchAgent:
        partner = self.roster.agent_named(self.partner.name)
        seated = [partner.in_seat(seat) for seat in range(2)]
        compiled = all(isinstance(agent, CompiledAgent) for agent in seated)
        effort = ORACLE_EFFORT if compiled else NETWORK_EFFORT
        effort = replace(effort, strict=self.roster.score == "strict")
        return SearchAgent(self.name, blueprint, Ensemble.of(partner, NOISE), effort)

    def possible_blueprints(self) -> list[CompiledAgent]:
        """Return what may be the blueprint; a HoadError if there is nothing."""
        partner, pool = (
            self.roster.agent_named(self.partner.name),
            agents_of(self.roster.pool.agents),
        )
        agents = [partner, *(agent for agent in pool if agent.identity != partner.identity)]
        compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
        if not compiled:
            problem = f"{self.partner.name} is not compiled"
            raise HoadError(f"{self.name}: {problem}, so it needs a rule list or bot in the pool")
        return compiled

    def options(self) -> list[Any]:
        return [astuple(ORACLE_EFFORT), astuple(NETWORK_EFFORT), NOISE, *_BLUEPRINT]
