"""Agents made of other agents: with noise, or different by seat."""

from collections.abc import Hashable
from contextlib import AbstractContextManager

import numpy as np
from numba import njit

from hoad.agents.agent import Agent, Batch, new_view, see
from hoad.agents.registry import get_agent
from hoad.agents.situation import spread_evenly
from hoad.core.errors import HoadError
from hoad.game.rules import legal_moves


class Noisy(Agent):
    """Makes any legal move with probability ``noise`` (0 to 1), else the inner agent's move.

    All legal moves are equally likely (Walton-Rivers et al. 2017).
    """

    def __init__(self, name: str, noise: float, inner: Agent) -> None:
        self.name, self.noise, self.inner = name, noise, inner
        self.fair, self.memory_size = inner.fair, inner.memory_size
        self.plays_as = (inner.name,)
        self.games_at_once = inner.games_at_once
        self.one_game_at_a_time = inner.one_game_at_a_time

    def weights(self, batch: Batch) -> np.ndarray:
        """Return the mixture of both distributions (see :meth:`Agent.weights`)."""
        weights = self.inner.weights(batch)
        legal = np.empty_like(weights)
        _share_legal_moves(batch.states, batch.seat, new_view(), legal)
        return self.noise * legal + (1 - self.noise) * weights

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Let the inner agent observe all moves, its own noisy ones as well."""
        self.inner.observe(states, seat, memory, actions)

    def new_memory(self, games: int) -> np.ndarray:
        """Return the memory of the inner agent at the deal."""
        return self.inner.new_memory(games)

    def playing(self) -> AbstractContextManager[None]:
        """Return the context in which the inner agent plays."""
        return self.inner.playing()

    @property
    def identity(self) -> Hashable:
        """The noise and the identity of the inner agent."""
        return "noisy", self.noise, self.inner.identity


class BySeat(Agent):
    """Plays as ``first`` where it moves first, and as ``second`` where it moves second."""

    def __init__(self, name: str, first: Agent, second: Agent) -> None:
        self.name = name
        self.fair = first.fair and second.fair
        self.memory_size = max(first.memory_size, second.memory_size)
        self.plays_as = (first.name, second.name)
        self._agents = (first, second)

    def in_seat(self, seat: int) -> Agent:
        """Return the agent of this seat, which plays much faster (see :meth:`Agent.in_seat`)."""
        return self._agents[seat]

    def weights(self, batch: Batch) -> np.ndarray:
        """Ask the agent of the seat (see :meth:`Agent.weights`)."""
        agent = self._agents[batch.seat]
        memory = np.ascontiguousarray(batch.memory[:, : agent.memory_size])
        return agent.weights(Batch(batch.states, batch.seat, memory, batch.streams))

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Let the agent of the seat observe (see :meth:`Agent.observe`)."""
        agent = self._agents[seat]
        remembered = np.ascontiguousarray(memory[:, : agent.memory_size])
        agent.observe(states, seat, remembered, actions)
        memory[:, : agent.memory_size] = remembered

    @property
    def identity(self) -> Hashable:
        """The identities of both."""
        return "by seat", *(agent.identity for agent in self._agents)


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
