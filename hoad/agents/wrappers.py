"""Agents that now and then make any legal move instead (Walton-Rivers et al. 2017)."""

from collections.abc import Hashable

import numpy as np
from numba import njit

from hoad.agents.agent import Agent, Batch
from hoad.agents.registry import get_agent
from hoad.agents.situation import spread_evenly
from hoad.agents.view import new_view, see
from hoad.core.errors import HoadError
from hoad.game.rules import legal_moves


class Noisy(Agent):
    """With probability ``noise`` any legal move, all equally likely; else the inner agent's.

    Args:
        name: its name.
        noise: 0 to 1.
        inner: any agent.
    """

    def __init__(self, name: str, noise: float, inner: Agent) -> None:
        self.name = name
        self.noise = noise
        self.inner = inner
        self.fair = inner.fair
        self.memory_size = inner.memory_size

    def weights(self, batch: Batch) -> np.ndarray:
        """Return the mixture of both distributions (see :meth:`Agent.weights`)."""
        weights = self.inner.weights(batch)
        legal = np.empty_like(weights)
        _share_legal_moves(batch.states, batch.seat, new_view()[0], legal)
        return self.noise * legal + (1 - self.noise) * weights

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Let the inner agent take note, of its own noisy moves as well."""
        self.inner.observe(states, seat, memory, actions)

    def new_memory(self, games: int) -> np.ndarray:
        """Return the inner agent's memory at the deal."""
        return self.inner.new_memory(games)

    @property
    def identity(self) -> Hashable:
        """The noise and who is inside."""
        return "noisy", self.noise, self.inner.identity


def noisy(argument: str) -> Noisy:
    """Return the agent of ``noisy:E:AGENT``.

    Raises:
        HoadError: E is not a probability, or there is no such agent.
    """
    number, _, inner = argument.partition(":")
    try:
        noise = float(number)
    except ValueError:
        noise = -1.0
    if not 0.0 <= noise <= 1.0 or not inner:
        raise HoadError(
            f"noisy:{argument}: expected noisy:E:AGENT with E from 0 to 1, as in noisy:0.1:iggi"
        )
    return Noisy(f"noisy:{argument}", noise, get_agent(inner))


@njit(cache=True, nogil=True)
def _share_legal_moves(
    states: np.ndarray, seat: int, hands: np.ndarray, shares: np.ndarray
) -> None:
    for game in range(len(states)):
        see(states[game], seat, hands)
        spread_evenly(legal_moves(states[game].table, hands), shares[game])
