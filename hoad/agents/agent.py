"""What an agent is: a distribution over the legal moves, given what its player may see.

Playing samples from the distribution; agreement, imitation ceilings and likelihoods read it.
There are two kinds with one interface: compiled agents (rules, bots), two of which play whole
games without leaving compiled code, and the others (networks, plain Python), which play many games
in lockstep.

An agent computes everything from the public table and from the hands that :func:`see` shows, in
which its own row is hidden. It never gets the state. An agent that is not fair sees all hands.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype, njit, types

from hoad.core.errors import HoadError
from hoad.game.moves import COLOUR_HINT, MOVES, PLAY, RANK_HINT
from hoad.game.state import HIDDEN, MAX_HAND, MAX_PLAYERS, NO_CARD, STATE, TABLE, full_game, signed
from hoad.game.stream import next_unit

ALL_SEEING: Final = -1
"""In place of a player: an observer from whom no hand is hidden."""

# The types of compiled agents are written out so that the loop that plays whole games is compiled
# once and takes any agent as an argument (first-class functions of numba).
BYTES: Final = types.Array(types.uint8, 1, "C")
BYTE_ROWS: Final = types.Array(types.uint8, 2, "C")
PARAMETERS: Final = types.Array(types.int64, 1, "C")
WEIGHTS: Final = types.Array(types.float64, 1, "C")
MATRIX: Final = types.Array(types.float64, 2, "C")
STATES: Final = types.Array(from_dtype(STATE), 1, "C")

# What compiled agents are called with, in annotations.
Parameters = np.ndarray  # int64: the numbers that configure an agent
Table = np.record  # of the dtype TABLE: what is public of a game
Hands = np.ndarray  # uint8, shape (players, slots): what see shows
Memory = np.ndarray  # uint8, shape (bytes,): what an agent remembers of a game
Weights = np.ndarray  # float64, shape (MOVES,): a distribution over the moves

MAX_MEMORY: Final = 4_096
"""Most bytes that a compiled agent remembers of a game."""

SPREAD: Final = -2
"""Returned by a compiled ``choose`` that has written weights instead of choosing one move."""


class Event(NamedTuple):
    """An action that both players observe before it is carried out."""

    action: int  # the move id
    touched: int  # bit s for each slot hinted, played or discarded
    card: int  # the card played or discarded, else NO_CARD


# Parameters, table, hands, me and memory: what both functions are called with.
_SEEN: Final = (PARAMETERS, from_dtype(TABLE), BYTE_ROWS, types.int64, BYTES)

CHOOSE: Final = types.int64(*_SEEN, WEIGHTS)
"""``choose(parameters, table, hands, me, memory, weights)`` returns a move id or ``SPREAD``.

``hands`` is what :func:`see` shows, ``memory`` the agent's bytes for this game (all zero at the
deal), ``weights`` float64 of length ``MOVES``, to be filled for ``SPREAD``. Choosing twice in the
same state gives the same answer: ``choose`` writes to its memory only what follows from the memory
and the table, and what ``observe`` would derive again.
"""

OBSERVE: Final = types.int64(*_SEEN, types.NamedUniTuple(types.int64, len(Event._fields), Event))
"""``observe(parameters, table, hands, me, memory, event)`` returns 0."""

FUNCTIONS: Final = (types.FunctionType(CHOOSE), types.FunctionType(OBSERVE))
"""The types of an agent's two functions, as compiled functions take them."""

# Parameters, states, seat, observer, memory and room for the hands that are seen.
_BATCH: Final = types.Tuple((PARAMETERS, STATES, types.int64, types.int64, BYTE_ROWS, BYTE_ROWS))

_RANKS: Final = full_game(2).ranks
_compiling = Lock()


def new_view() -> np.ndarray:
    """Return a view in which every hand is hidden, uint8, shape ``(players, slots)``."""
    return np.full((MAX_PLAYERS, MAX_HAND), HIDDEN, np.uint8)


@njit(cache=True, nogil=True)
def see(state: np.record, player: int, hands: np.ndarray) -> None:
    """Write the hands that ``player`` (or ``ALL_SEEING``) sees into ``hands`` (players x slots)."""
    for other in range(int(state.table.players)):
        for slot in range(int(state.table.hand_size)):
            hands[other, slot] = HIDDEN if other == player else state.hands[other, slot]


@dataclass(frozen=True)
class Batch:
    """Games of the full game of two players in which ``seat`` is to move.

    Attributes:
        states: records of dtype ``STATE``, shape ``(games,)``.
        seat: the seat that is to move.
        memory: what the seat's agent remembers of each game, uint8, shape ``(games, bytes)``.
        streams: the random streams of this seat, uint64, shape ``(games,)``; none where only
            weights are asked for.
    """

    states: np.ndarray
    seat: int
    memory: np.ndarray
    streams: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))


class Agent(ABC):
    """A player of the full game of two players.

    Attributes:
        name: the name that the registry, recipes, logs and tables use.
        fair: whether the agent sees only what its player may see.
        memory_size: bytes that the agent keeps for each game, from the deal on.
        plays_as: names of other agents whose moves it makes, at least in some games.
        trained_on: names of agents whose games it was trained on.
        games_at_once: games that a worker plays at a time; few for an agent that thinks long.
        one_game_at_a_time: whether it follows one game after another, each from its deal on, and
            cannot be asked what it would do in many games side by side, or in imagined ones.
    """

    name: str
    fair: bool = True
    memory_size: int = 0
    plays_as: tuple[str, ...] = ()
    trained_on: tuple[str, ...] = ()
    games_at_once: int = 1_000
    one_game_at_a_time: bool = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {getattr(self, 'name', 'without a name')}>"

    @abstractmethod
    def weights(self, batch: Batch) -> np.ndarray:
        """Return the distribution over the moves, float64, shape ``(games, MOVES)``.

        Rows sum to 1 and have weight on legal moves only. The call leaves the states as they are;
        it may change the memory as long as a second call returns the same.
        """

    def act(self, batch: Batch) -> np.ndarray:
        """Sample a move for each game, uint8, shape ``(games,)``; advances ``batch.streams``."""
        actions = np.empty(len(batch.states), np.uint8)
        _sample_batch(self.weights(batch), batch.streams, actions)
        return actions

    def observe(  # noqa: B027 - most agents remember nothing
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Update the memory by the ``actions`` that are about to be carried out in ``states``.

        Both players observe every action; ``seat`` is where this agent sits.
        """

    def in_seat(self, seat: int) -> "Agent":
        """Return the agent that plays in this seat: itself, unless it differs by seat."""
        return self

    def new_memory(self, games: int) -> np.ndarray:
        """Return the memory at the deal, uint8 zeros, shape ``(games, memory_size)``."""
        return np.zeros((games, self.memory_size), np.uint8)

    def playing(self) -> AbstractContextManager[None]:
        """Return the context in which an agent plays that plays ``one_game_at_a_time``."""
        return nullcontext()

    @property
    def identity(self) -> Hashable:
        """Something equal for agents that behave the same under different names."""
        return self.name


def refuse_other_moves(name: str, moves: Any, games: int) -> None:
    """Raise a HoadError unless the agent's ``act`` has returned a move of each game.

    Compiled code does not check its arguments. Whatever passes moves of own agents to it calls this
    first.
    """
    if not isinstance(moves, np.ndarray) or (moves.dtype, moves.shape) != (np.uint8, (games,)):
        raise HoadError(
            f"agent {name}: act returned {describe_array(moves)}; return uint8, shape ({games},)"
        )


def describe_array(result: Any) -> str:
    """Return type and shape of what an own method has returned, for an error message."""
    if isinstance(result, np.ndarray):
        return f"{result.dtype}, shape {result.shape}"
    return type(result).__name__


class CompiledAgent(Agent):
    """An agent made of two compiled functions and the numbers that configure them.

    Args:
        name: its name.
        code: a constant that identifies the two functions in recordings and kept games. It stays
            the same when the functions move, and changes when they play differently.
        choose: a numba function, compiled with the signature ``CHOOSE`` when it is first needed.
        observe: the same with ``OBSERVE``; ``remember_nothing`` for agents without memory.
        parameters: int64, shape ``(n,)``, passed to both functions.
        memory_size: bytes of memory for each game, at most ``MAX_MEMORY``.
        fair: False for an agent that sees its own hand too.

    Raises:
        HoadError: it wants more memory.
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
        if memory_size > MAX_MEMORY:
            raise HoadError(
                f"agent {name}: {memory_size} bytes of memory; a compiled agent has {MAX_MEMORY}"
            )
        self.name = name
        self.code = code
        self.choose = choose
        self.observe_one = observe
        self.parameters = np.ascontiguousarray(parameters, dtype=np.int64)
        self.memory_size = memory_size
        self.fair = fair

    def compile(self) -> None:
        """Compile both functions. Call it before compiled code that calls one of them by name."""
        _compile(self.choose, CHOOSE)
        _compile(self.observe_one, OBSERVE)

    @property
    def functions(self) -> tuple[Any, Any]:
        """The two functions as compiled functions take them."""
        return _first_class(self.choose, CHOOSE), _first_class(self.observe_one, OBSERVE)

    def observer(self, seat: int) -> int:
        """Return the player whose view the agent gets in this seat (see :func:`see`)."""
        return seat if self.fair else ALL_SEEING

    def weights(self, batch: Batch) -> np.ndarray:
        """See :meth:`Agent.weights`."""
        weights = np.zeros((len(batch.states), MOVES))
        _weigh_batch(self.functions[0], self._seen(batch.states, batch.seat, batch.memory), weights)
        return weights

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """See :meth:`Agent.observe`."""
        if self.memory_size:
            _observe_batch(self.functions[1], self._seen(states, seat, memory), actions)

    def _seen(self, states: np.ndarray, seat: int, memory: np.ndarray) -> tuple[Any, ...]:
        return self.parameters, states, seat, self.observer(seat), memory, new_view()

    @property
    def identity(self) -> Hashable:
        """The code and the parameters."""
        return *self.code, tuple(self.parameters.tolist())


def _compile(function: Any, signature: Any) -> None:
    """Compile a numba function for one signature, which makes it a first-class function."""
    with _compiling:  # agents play in several threads
        if getattr(function, "_can_compile", False):
            function.compile(signature)
            function.disable_compile()


class _FirstClass(types.CompileResultWAP):
    """A compiled function with its address and type, which numba otherwise finds in each call."""

    def __init__(self, compiled: Any) -> None:
        super().__init__(compiled)
        self._numba_type_ = types.FunctionType(compiled.signature)


@cache
def _first_class(function: Any, signature: Any) -> Any:
    _compile(function, signature)
    if not hasattr(function, "get_compile_result"):  # run with NUMBA_DISABLE_JIT=1
        return function
    return _FirstClass(function.get_compile_result(signature))


@njit(cache=True, nogil=True)
def remember_nothing(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
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
    certain = SPREAD
    for move in range(len(weights)):
        if weights[move] > 0.0:
            if certain != SPREAD:
                return SPREAD
            certain = move
    return certain


@njit(cache=True, nogil=True)
def describe_action(state: np.record, action: int) -> Event:
    """Return an action of the player to move, as players observe it."""
    table = state.table
    me = int(table.current)
    if action < COLOUR_HINT:
        slot = int(table.order[me, action % PLAY])
        return Event(action, 1 << slot, signed(state.hands[me, slot]))
    touched = 0
    for slot in range(MAX_HAND):
        card = int(state.hands[1 - me, slot])
        if card != NO_CARD:
            colour_hint, rank_hint = COLOUR_HINT + card // _RANKS, RANK_HINT + card % _RANKS
            touched |= int(action in (colour_hint, rank_hint)) << slot
    return Event(action, touched, NO_CARD)


@njit(cache=True, nogil=True)
def _sample_batch(weights: np.ndarray, streams: np.ndarray, actions: np.ndarray) -> None:
    for game in range(len(actions)):
        move = certain_move(weights[game])
        actions[game] = move if move != SPREAD else sample(weights[game], streams, game)


@njit(types.void(FUNCTIONS[0], _BATCH, MATRIX), cache=True, nogil=True)
def _weigh_batch(choose: Any, seen: tuple[Any, ...], weights: np.ndarray) -> None:
    parameters, states, seat, observer, memory, hands = seen
    for game in range(len(states)):
        see(states[game], observer, hands)
        move = choose(parameters, states[game].table, hands, seat, memory[game], weights[game])
        if move != SPREAD:
            weights[game, move] = 1.0


@njit(types.void(FUNCTIONS[1], _BATCH, BYTES), cache=True, nogil=True)
def _observe_batch(observe: Any, seen: tuple[Any, ...], actions: np.ndarray) -> None:
    parameters, states, seat, observer, memory, hands = seen
    for game in range(len(states)):
        see(states[game], observer, hands)
        event = describe_action(states[game], int(actions[game]))
        observe(parameters, states[game].table, hands, seat, memory[game], event)
