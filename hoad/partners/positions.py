"""What a partner model is asked about: states in which the partner is to move."""

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.agents.follow import memory_at
from hoad.agents.views import encode_views
from hoad.core.errors import HoadError
from hoad.game.moves import legal_flags
from hoad.game.state import full_game

Value = TypeVar("Value")


class Asked(Protocol):
    """Decisions of a partner: in recorded games (:class:`~.choices.Seen`), or positions.

    What models need of them is computed once, however many models ask for it.
    """

    @property
    def states(self) -> np.ndarray:
        """The state at each decision, records of dtype ``STATE``, shape ``(decisions,)``."""

    @property
    def legal(self) -> np.ndarray:
        """The legal moves, bool, shape ``(decisions, moves)``; two players have ``MOVES``."""

    @property
    def observations(self) -> np.ndarray:
        """What the player sees, packed, uint8; with two players ``(decisions, 83)``."""

    @property
    def uniform(self) -> np.ndarray:
        """All legal moves alike, float64, shape ``(decisions, moves)``."""

    def weights_of(self, agent: Agent) -> np.ndarray:
        """Return an agent's distribution at each decision, float64, ``(decisions, moves)``."""

    def once(self, what: Hashable, compute: Callable[[], Value]) -> Value:
        """Return what ``compute`` returned when ``what`` was first asked for."""


def refuse_other_players(games: Asked, players: int) -> None:
    """Raise a HoadError unless the games have so many players: compiled code does not check."""
    if games.legal.shape[1] != full_game(players).moves:
        raise HoadError(f"this model is for games of {players} players, and these have others")


class Positions:
    """States (dtype ``STATE``, shape ``(decisions,)``) of games in which the same seat is to move.

    No game is replayed but by agents that have a memory: a state holds its deal and its moves.
    """

    def __init__(self, states: np.ndarray, seat: int) -> None:
        self.states, self._seat = states, seat
        self.observations, legal = encode_views(states, seat)
        self.legal: np.ndarray = legal_flags(legal)
        self._kept: dict[Hashable, Any] = {}

    @property
    def uniform(self) -> np.ndarray:
        """All legal moves alike (see :attr:`Asked.uniform`)."""
        return self.legal / self.legal.sum(1, keepdims=True)

    def weights_of(self, agent: Agent) -> np.ndarray:
        """Return an agent's distribution at each position (see :meth:`Asked.weights_of`)."""
        return self.once(agent, lambda: weights_at(agent, self.states, self._seat))

    def once(self, what: Hashable, compute: Callable[[], Value]) -> Value:
        """Return what was computed first (see :meth:`Asked.once`)."""
        if what not in self._kept:
            self._kept[what] = compute()
        return self._kept[what]


def weights_at(agent: Agent, states: np.ndarray, seat: int) -> np.ndarray:
    """Return what an agent would do in states that it has not followed from the deal.

    Float64, shape ``(states, MOVES)``; ``seat`` is to move in all of them.
    """
    seated = agent.in_seat(seat)
    streams = np.zeros(len(states), np.uint64)  # not drawn from
    return seated.weights(Batch(states, seat, memory_at(seated, states, seat), streams))
