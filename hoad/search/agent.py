"""The agents ``search:MODEL``: search with a model for the partner."""

from collections.abc import Callable, Hashable
from dataclasses import astuple
from typing import Final

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch
from hoad.agents.follow import memory_at
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.game.moves import listed_moves
from hoad.game.rules import legal_moves
from hoad.partners.agents import ModelAgent
from hoad.partners.model import Ensemble
from hoad.search.belief import compiled
from hoad.search.decision import Decision, run_race
from hoad.search.effort import Effort
from hoad.search.lockstep import plays_in_lockstep
from hoad.search.past import Past, past_of

NOISE: Final = 0.01
"""Share of random moves that ``search:MODEL`` assumes of its partner in its belief.

It keeps the belief from collapsing where the partner does not play as the model.
"""


class SearchAgent(Agent):
    """Makes the move that does best in rollouts with its models of the partner.

    It remembers nothing: what it believes of its hand follows from what it saw of the game.

    Args:
        name: its name.
        blueprint: how it plays where search gains nothing: fair.
        model: what the partner may be: compiled agents; or a single agent that is not compiled
            and has no memory.
        effort: how much to compute.
        rollout_agent: how it plays on in rollouts: compiled and fair; None for the blueprint.
        least: moves are tried to which the blueprint gives at least this share of the largest
            probability, as in batch-constrained Q-learning (Fujimoto et al. 2019); 0 for all legal
            moves. Above 0 the blueprint must be a :class:`~hoad.partners.agents.ModelAgent`.

    Raises:
        HoadError: the blueprint or the rollout agent sees its own hand, or an agent is not
            compiled.
        ValueError: ``least`` is above 0, but the blueprint is no ``ModelAgent``.
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
        if least and not isinstance(blueprint, ModelAgent):
            raise ValueError(f"least = {least} with {blueprint.name}, expected a ModelAgent")
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
        self, states: np.ndarray, seat: int, progress: Callable[[float], None] = lambda done: None
    ) -> Decision:
        """Search the move of the player to move, ``seat``, in one game.

        Args:
            states: one record of dtype ``STATE``, shape ``(1,)``.
            seat: the player.
            progress: is called after each round with the share of the rollouts that are done,
                0 to 1.
        """
        past = past_of(states, seat)
        weights, tried = self._weights_and_tried(past)
        legal = listed_moves(legal_moves(past.now[0]["table"], past.now[0]["hands"]))
        moves = np.array([move for move in legal if tried[move]])
        moves = moves[np.argsort(-weights[moves], kind="stable")]
        rollout_agent = compiled(self.rollout_agent, seat)
        return run_race(
            past, moves, weights[moves], rollout_agent, self.model, self.effort, progress
        )

    def _weights_and_tried(self, past: Past) -> tuple[np.ndarray, np.ndarray]:
        """Return the blueprint's weight of each move of the player, and whether the move is tried.

        Both have the shape ``(MOVES,)``.
        """
        agent = self.blueprint.in_seat(past.seat)
        batch = Batch(past.now, past.seat, memory_at(agent, past.now, past.seat))
        if not self.least:
            return agent.weights(batch)[0], np.ones(MOVES, np.bool_)
        assert isinstance(agent, ModelAgent)  # or the constructor refused it
        [expected] = agent.expected(batch)
        return np.eye(MOVES)[expected.argmax()], expected >= self.least * expected.max()

    @property
    def identity(self) -> Hashable:
        """Its settings, and the identities of its agents."""
        agents = self.blueprint, self.rollout_agent
        partners = [agent.identity for agent in self.model.agents]
        model = self.model.noise, *self.model.probabilities.tolist(), *partners
        settings = *astuple(self.effort), 0.0  # no threshold; kept games contain it
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
