"""One agent that is somebody else in each seat."""

from collections.abc import Hashable

import numpy as np

from hoad.agents.agent import Agent, Batch


class BySeat(Agent):
    """Plays as one agent where it moves first, and as another where it moves second.

    Args:
        name: its name.
        first: who plays in the first seat.
        second: who plays in the second seat.
    """

    def __init__(self, name: str, first: Agent, second: Agent) -> None:
        self.name = name
        self.fair = first.fair and second.fair
        self.memory_size = max(first.memory_size, second.memory_size)
        self._agents = (first, second)

    def in_seat(self, seat: int) -> Agent:
        """Return who plays there, which is much faster to play with (see :meth:`Agent.in_seat`)."""
        return self._agents[seat]

    def weights(self, batch: Batch) -> np.ndarray:
        """Ask who plays in the seat (see :meth:`Agent.weights`)."""
        agent = self._agents[batch.seat]
        memory = np.ascontiguousarray(batch.memory[:, : agent.memory_size])
        return agent.weights(Batch(batch.states, batch.seat, memory, batch.streams))

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Tell who plays in the seat (see :meth:`Agent.observe`)."""
        agent = self._agents[seat]
        remembered = np.ascontiguousarray(memory[:, : agent.memory_size])
        agent.observe(states, seat, remembered, actions)
        memory[:, : agent.memory_size] = remembered

    @property
    def identity(self) -> Hashable:
        """Whatever makes out both."""
        return "by seat", *(agent.identity for agent in self._agents)
