"""The partner of a learner, in many games at once."""

from typing import Any, Final

import numpy as np
from numba import njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    FUNCTIONS,
    MOVES,
    PARAMETERS,
    STATES,
    Agent,
    Batch,
    CompiledAgent,
    describe_action,
    new_view,
    sample,
    see,
)
from hoad.agents.games import is_legal
from hoad.agents.registry import get_fair_agent
from hoad.core.errors import HoadError
from hoad.game.rules import apply

_LEGAL: Final = -1

# The types that the compiled functions take: of the agent its parameters, its memory of each game
# and room for the hands that it sees; of the games their states and its seat in each.
_AGENT: Final = types.Tuple((PARAMETERS, BYTE_ROWS, BYTE_ROWS))
_GAMES: Final = types.Tuple((STATES, BYTES))
_STREAMS: Final = types.Array(types.uint64, 1, "C")


class PartnerSeats:
    """An agent that plays one seat of each of many games.

    Compiled agents move in compiled code, all others a batch at a time.

    Attributes:
        seats: its seat in each game, uint8, shape ``(games,)``.
        streams: its random numbers in each game, uint64, shape ``(games,)``.
        memory: what it remembers of each game, uint8, shape ``(games, bytes)``.

    Raises:
        HoadError: there is no agent of this name, or it sees its own hand.
    """

    def __init__(self, agent: str | Agent, games: int) -> None:
        self.agent = get_fair_agent(agent) if isinstance(agent, str) else agent
        if not self.agent.fair:
            raise HoadError(f"agent {self.agent.name} sees its own hand; choose a fair agent")
        self.seats = np.zeros(games, np.uint8)
        self.streams = np.zeros(games, np.uint64)
        self.memory = self.agent.new_memory(games)

    def observe(self, states: np.ndarray, actions: np.ndarray) -> None:
        """Observe the learner's ``actions`` (uint8), before they are carried out in all games."""
        if not self.memory.shape[1]:
            return
        if isinstance(self.agent, CompiledAgent):
            games = states, self.seats
            _observe(self.agent.functions[1], self._compiled(self.agent), games, actions)
            return
        for seat in range(2):
            rows = np.flatnonzero(self.seats == seat)
            self._observe_rows(states[rows], seat, rows, actions[rows])

    def move(self, states: np.ndarray) -> None:
        """Move in each game in which it is the partner's turn.

        Raises:
            HoadError: the agent made an illegal move.
        """
        agent = self.agent
        if isinstance(agent, CompiledAgent):
            games, compiled = (states, self.seats), self._compiled(agent)
            self._check(_move(*agent.functions, compiled, games, self.streams))
            return
        table = states["table"]
        due = (table["over"] == 0) & (table["current"] == self.seats)
        for seat in range(2):
            rows = np.flatnonzero(due & (self.seats == seat))
            if len(rows):
                states[rows] = self._move_rows(states[rows], seat, rows)

    def _move_rows(self, states: np.ndarray, seat: int, rows: np.ndarray) -> np.ndarray:
        batch = Batch(states, seat, self.memory[rows], self.streams[rows])
        actions = self.agent.act(batch)
        self.memory[rows], self.streams[rows] = batch.memory, batch.streams
        self._observe_rows(states, seat, rows, actions)
        self._check(_apply_legal(states, actions))
        return states

    def _observe_rows(
        self, states: np.ndarray, seat: int, rows: np.ndarray, actions: np.ndarray
    ) -> None:
        memory = self.memory[rows]
        self.agent.observe(states, seat, memory, actions)
        self.memory[rows] = memory

    def _compiled(self, agent: CompiledAgent) -> tuple[np.ndarray, ...]:
        return agent.parameters, self.memory, new_view()

    def _check(self, illegal: int) -> None:
        if illegal != _LEGAL:
            raise HoadError(f"agent {self.agent.name}: illegal move; it cannot be a partner")


@njit(types.int64(*FUNCTIONS, _AGENT, _GAMES, _STREAMS), cache=True, nogil=True)
def _move(
    choose: Any,
    observe: Any,
    agent: tuple[np.ndarray, ...],
    games: tuple[np.ndarray, ...],
    streams: np.ndarray,
) -> int:
    """Move where it is the agent's turn; return the first game with an illegal move, or -1."""
    (parameters, memory, hands), (states, seats) = agent, games
    weights = np.zeros(MOVES)
    for game in range(len(states)):
        state, me = states[game], int(seats[game])
        table = state.table
        if table.over or table.current != me:
            continue
        see(state, me, hands)
        move = choose(parameters, table, hands, me, memory[game], weights)
        if move < 0:
            move = sample(weights, streams, game)
        event = describe_action(state, move)
        if not is_legal(table, event):
            return game
        observe(parameters, table, hands, me, memory[game], event)
        apply(state, move)
    return _LEGAL


@njit(types.void(FUNCTIONS[1], _AGENT, _GAMES, BYTES), cache=True, nogil=True)
def _observe(
    observe: Any,
    agent: tuple[np.ndarray, ...],
    games: tuple[np.ndarray, ...],
    actions: np.ndarray,
) -> None:
    """Let the agent observe an action of the learner in each game that is not over."""
    (parameters, memory, hands), (states, seats) = agent, games
    for game in range(len(states)):
        state, me = states[game], int(seats[game])
        if not state.table.over:
            see(state, me, hands)
            event = describe_action(state, int(actions[game]))
            observe(parameters, state.table, hands, me, memory[game], event)


@njit(cache=True, nogil=True)
def _apply_legal(states: np.ndarray, actions: np.ndarray) -> int:
    """Carry out an action in each game; return the first game with an illegal one, or -1."""
    for game in range(len(states)):
        event = describe_action(states[game], int(actions[game]))
        if not is_legal(states[game].table, event):
            return game
        apply(states[game], event.action)
    return _LEGAL
