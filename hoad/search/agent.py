"""The agents ``search:MODEL``: search with a model for the partner."""

from collections.abc import Callable, Hashable
from dataclasses import astuple
from typing import Final

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.partners.model import Ensemble
from hoad.search.belief import compiled
from hoad.search.decision import Decision, decide, no_progress
from hoad.search.effort import Effort
from hoad.search.lockstep import plays_in_lockstep

NOISE: Final = 0.01
"""Share of random moves that ``search:MODEL`` assumes of its partner in its belief.

It keeps the belief from collapsing where the partner does not play as the model.
"""

_THRESHOLD: Final = 0.0
"""Points that a move has to gain over the blueprint's. Identities of kept games contain it."""


class SearchAgent(Agent):
    """Makes the move that does best in rollouts with its models of the partner.

    It remembers nothing: what it believes of its hand follows from what it saw of the game.

    Args:
        name: its name.
        blueprint: how it plays where search gains nothing: fair.
        model: what the partner may be (see :func:`decide`).
        effort: how much to compute.
        rollout_agent: how it plays on in rollouts: compiled and fair; None for the blueprint.
        least: how far it is held to the blueprint's moves (see :func:`decide`).

    Raises:
        HoadError: the blueprint sees its own hand, or an agent is not compiled.
    """

    def __init__(
        self,
        name: str,
        blueprint: Agent,
        model: Ensemble,
        effort: Effort = Effort(),  # noqa: B008 (frozen)
        rollout_agent: Agent | None = None,
        least: float = 0.0,
    ) -> None:
        self.rollout_agent = rollout_agent or blueprint
        for agent in (blueprint, self.rollout_agent):
            if not agent.fair:
                raise HoadError(f"{name}: {agent.name} sees its own hand, which search does not")
        for seat in range(2):
            partners = [] if plays_in_lockstep(model, seat) else model.agents
            for agent in (self.rollout_agent, *partners):
                compiled(agent, seat)
        self.name = name
        self.games_at_once = 10
        self.plays_as = (blueprint.name,)
        self.blueprint, self.model = blueprint, model
        self.effort, self.least = effort, least

    def weights(self, batch: Batch) -> np.ndarray:
        """Give all weight to the move that is chosen (see :meth:`Agent.weights`)."""
        weights = np.zeros((len(batch.states), MOVES))
        for game in range(len(batch.states)):
            weights[game, self.decide(batch.states[game : game + 1], batch.seat).move] = 1.0
        return weights

    def decide(
        self, states: np.ndarray, seat: int, progress: Callable[[float], None] = no_progress
    ) -> Decision:
        """Return what the search finds for one game (see :func:`decide`)."""
        return decide(
            states,
            seat,
            self.blueprint,
            self.model,
            effort=self.effort,
            rollout_agent=self.rollout_agent,
            least=self.least,
            progress=progress,
        )

    @property
    def identity(self) -> Hashable:
        """Its settings, and the identities of its agents."""
        agents = self.blueprint, self.rollout_agent
        partners = [agent.identity for agent in self.model.agents]
        model = self.model.noise, *self.model.probabilities.tolist(), *partners
        settings = *astuple(self.effort), _THRESHOLD
        if self.least:
            settings = *settings, self.least
        return "search", settings, *(agent.identity for agent in agents), model


def make_search(model: str) -> SearchAgent:
    """Return ``search:MODEL``, which takes MODEL for the partner and for its own blueprint.

    Raises:
        HoadError: there is no such agent, it is not compiled, or it sees its own hand.
    """
    agent = get_agent(model)
    return SearchAgent(f"search:{model}", agent, Ensemble.of(agent, NOISE))
