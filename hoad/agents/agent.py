"""What an agent is: a distribution over the legal moves, given what its player may see.

Playing samples from the distribution; agreement, imitation ceilings and likelihoods read it.
There are two kinds with one interface for everyone above: compiled agents (rules, bots), two of
which play whole games without leaving compiled code, and the others (networks, plain Python),
which play many games in lockstep.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np
from numba import njit, types

from hoad.agents.signatures import (
    BYTES,
    CHOOSE,
    HANDS,
    MATRIX,
    OBSERVE,
    PARAMETERS,
    SPREAD,
    STATES,
    TABLES,
)
from hoad.agents.view import NOBODY, new_view, see
from hoad.core.errors import HoadError
from hoad.game.state import MAX_HAND, NO_CARD, full_game
from hoad.game.stream import next_unit

MOVES: Final = full_game(2).moves
"""Move ids of the full game of two players, which is the game that agents play."""

_compiling = Lock()


@dataclass(frozen=True)
class Batch:
    """Games of the full game of two players in which ``seat`` is to move.

    Attributes:
        states: records of dtype ``STATE``, shape ``(games,)``.
        seat: the seat that is to move.
        memory: what the seat's agent remembers of each game, uint8, shape ``(games, bytes)``.
        streams: the random streams of this seat, uint64, shape ``(games,)``.
    """

    states: np.ndarray
    seat: int
    memory: np.ndarray
    streams: np.ndarray


class Agent(ABC):
    """Somebody who can sit at the table of the full game of two players.

    Attributes:
        name: the name that the registry, recipes, logs and tables use.
        fair: whether the agent sees only what its player may see.
        memory_size: bytes that the agent keeps of each game, from the deal on.
    """

    name: str
    fair: bool = True
    memory_size: int = 0

    @abstractmethod
    def weights(self, batch: Batch) -> np.ndarray:
        """Return the distribution over the moves, float64, shape ``(games, MOVES)``.

        Rows sum to 1 and have weight on legal moves only. The states do not change, and the
        memory at most so that asking again gives the same.
        """

    def act(self, batch: Batch) -> np.ndarray:
        """Sample a move for each game, uint8, shape ``(games,)``; advances ``batch.streams``."""
        actions = np.empty(len(batch.states), np.uint8)
        _sample_batch(self.weights(batch), batch.streams, actions)
        return actions

    def observe(  # noqa: B027 - most agents remember nothing
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Take note of the ``actions`` that are about to be carried out in ``states``.

        Both players are told of every action; ``seat`` is where this agent sits.
        """

    def in_seat(self, seat: int) -> "Agent":
        """Return whom to ask when the agent sits there: itself, if it is the same in each seat."""
        return self

    def new_memory(self, games: int) -> np.ndarray:
        """Return the memory at the deal, uint8 zeros, shape ``(games, memory_size)``."""
        return np.zeros((games, self.memory_size), np.uint8)

    @property
    def identity(self) -> Hashable:
        """Something equal for agents that behave the same under different names."""
        return self.name


class CompiledAgent(Agent):
    """An agent made of two compiled functions and the numbers that configure them.

    Args:
        name: its name.
        code: a constant that identifies the two functions in recordings and kept games. It stays
            the same wherever the functions move, and changes when they play differently.
        choose: a numba function, to be compiled with the signature ``CHOOSE``.
        observe: likewise with ``OBSERVE``; ``remember_nothing`` for agents without memory.
        parameters: int64, shape ``(n,)``, passed to both functions.
        memory_size: bytes of memory of one game.
        fair: False for an agent that is to see its own hand too.
    """

    def __init__(
        self,
        name: str,
        code: tuple[str, str],
        choose: Any,
        observe: Any,
        parameters: Sequence[int] | np.ndarray = (),
        memory_size: int = 0,
        fair: bool = True,
    ) -> None:
        self.name = name
        self.code = code
        self.choose = _compile(choose, CHOOSE)
        self.observe_one = _compile(observe, OBSERVE)
        self.parameters = np.ascontiguousarray(parameters, dtype=np.int64)
        self.memory_size = memory_size
        self.fair = fair

    def eyes(self, seat: int) -> int:
        """Return as whom the agent looks at the hands in this seat (see :mod:`view`)."""
        return seat if self.fair else NOBODY

    def weights(self, batch: Batch) -> np.ndarray:
        """Return the distribution over the moves (see :meth:`Agent.weights`)."""
        weights = np.zeros((len(batch.states), MOVES))
        _weigh_batch(
            self.choose,
            self.parameters,
            batch.states,
            batch.seat,
            self.eyes(batch.seat),
            batch.memory,
            new_view()[0],
            weights,
        )
        return weights

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Take note of the actions (see :meth:`Agent.observe`)."""
        if self.memory_size:
            _observe_batch(
                self.observe_one,
                self.parameters,
                states,
                seat,
                self.eyes(seat),
                memory,
                new_view()[0],
                actions,
            )

    @property
    def identity(self) -> Hashable:
        """The code and the parameters."""
        return *self.code, tuple(self.parameters.tolist())


def _compile(function: Any, signature: Any) -> Any:
    """Compile a numba function for one signature, which makes it a first-class function."""
    with _compiling:  # workers make agents in several threads
        if hasattr(function, "compile") and not function.signatures:
            function.compile(signature)
            function.disable_compile()
    return function


@njit(cache=True, nogil=True)
def remember_nothing(
    parameters: np.ndarray,
    table: np.record,
    hands: np.ndarray,
    me: int,
    memory: np.ndarray,
    action: int,
    touched: int,
    card: int,
) -> int:
    """Observe for agents without memory."""
    return 0


@njit(cache=True, nogil=True)
def sample(weights: np.ndarray, streams: np.ndarray, index: int) -> int:
    """Return a move drawn with probability proportional to ``weights`` (sum 1)."""
    draw = next_unit(streams, index)
    chosen = 0
    for move in range(len(weights)):
        if weights[move] > 0.0:
            chosen = move
            draw -= weights[move]
            if draw < 0.0:
                break
    return chosen


@njit(cache=True, nogil=True)
def certain_move(weights: np.ndarray) -> int:
    """Return the only move of positive weight, or ``SPREAD`` if there are several."""
    found = SPREAD
    for move in range(len(weights)):
        if weights[move] > 0.0:
            if found != SPREAD:
                return SPREAD
            found = move
    return found


@njit(cache=True, nogil=True)
def describe_action(state: np.record, action: int) -> tuple[int, int]:
    """Return (touched, card) of an action, as ``OBSERVE`` wants them."""
    table = state.table
    me, hand_size = int(table.current), int(table.hand_size)
    if action < 2 * hand_size:
        slot = int(table.order[me, action % hand_size])
        return 1 << slot, int(state.hands[me, slot])
    hint = action - 2 * hand_size
    colours, ranks = int(table.colours), int(table.ranks)
    touched = 0
    for slot in range(MAX_HAND):
        card = int(state.hands[1 - me, slot])
        if card != NO_CARD:
            match = card // ranks == hint if hint < colours else card % ranks == hint - colours
            touched |= int(match) << slot
    return touched, NO_CARD


@njit(cache=True, nogil=True)
def _sample_batch(weights: np.ndarray, streams: np.ndarray, actions: np.ndarray) -> None:
    for game in range(len(actions)):
        move = certain_move(weights[game])
        actions[game] = move if move != SPREAD else sample(weights[game], streams, game)


@njit(
    types.void(
        types.FunctionType(CHOOSE),
        PARAMETERS,
        STATES,
        types.int64,
        types.int64,
        TABLES,
        HANDS,
        MATRIX,
    ),
    cache=True,
    nogil=True,
)
def _weigh_batch(
    choose: Any,
    parameters: np.ndarray,
    states: np.ndarray,
    seat: int,
    eyes: int,
    memory: np.ndarray,
    hands: np.ndarray,
    weights: np.ndarray,
) -> None:
    for game in range(len(states)):
        see(states[game], eyes, hands)
        move = choose(parameters, states[game].table, hands, seat, memory[game], weights[game])
        if move != SPREAD:
            weights[game, move] = 1.0


@njit(
    types.void(
        types.FunctionType(OBSERVE),
        PARAMETERS,
        STATES,
        types.int64,
        types.int64,
        TABLES,
        HANDS,
        BYTES,
    ),
    cache=True,
    nogil=True,
)
def _observe_batch(
    observe: Any,
    parameters: np.ndarray,
    states: np.ndarray,
    seat: int,
    eyes: int,
    memory: np.ndarray,
    hands: np.ndarray,
    actions: np.ndarray,
) -> None:
    for game in range(len(states)):
        see(states[game], eyes, hands)
        action = int(actions[game])
        touched, card = describe_action(states[game], action)
        observe(parameters, states[game].table, hands, seat, memory[game], action, touched, card)


def require_fair(agent: Agent) -> None:
    """Check that an agent sees only what its player may see.

    Raises:
        HoadError: it sees more.
    """
    if not agent.fair:
        raise HoadError(f"agent {agent.name} sees its own hand: choose one that plays fair")
