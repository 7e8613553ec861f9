"""The choices of a partner in recorded games: the moves that were legal, and the one it made."""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.follow import distributions, followed_turns, states_at, turns_of_seats
from hoad.game.log import GameLogs, join_logs
from hoad.game.moves import legal_flags
from hoad.game.state import full_game

FOLDS: Final = 5
"""Parts that the first games are divided into; two take half the time and lose 0.01 nats a move."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class Choices:
    """The decisions of the followed seats, in the order of ``logs.actions``.

    Attributes:
        games: index of the game, int64, shape ``(choices,)``.
        turns: turn of the game, int64.
        legal: the legal moves, bool, shape ``(choices, moves)``; two players have ``MOVES``.
        actions: the moves made, uint8.
        observations: what the player saw, packed, uint8; with two players ``(choices, 83)``.
    """

    games: np.ndarray
    turns: np.ndarray
    legal: np.ndarray
    actions: np.ndarray
    observations: np.ndarray

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.actions)

    @property
    def uniform(self) -> np.ndarray:
        """All legal moves alike, float64, shape ``(choices, moves)``."""
        return self.legal / self.legal.sum(1, keepdims=True)

    def made(self, weights: np.ndarray) -> np.ndarray:
        """Return the weights, shape ``(choices, moves)``, of the moves that were made."""
        return weights[np.arange(len(self)), self.actions]


def choices_of(logs: GameLogs, seats: np.ndarray) -> Choices:
    """Return the choices of the followed seats; ``logs`` and ``seats`` as models learn from."""
    made = turns_of_seats(logs, seats)
    turns = logs.turns[followed_turns(logs, seats)]
    legal = legal_flags(made.legal, full_game(logs.players).moves)
    return Choices(made.games, turns, legal, made.actions, made.observations)


@dataclass
class _Kept:
    """What was computed of some games, with the seconds that it took; and the seconds saved."""

    values: dict[Hashable, tuple[Any, float]] = field(default_factory=dict)
    saved: float = 0.0


@dataclass(frozen=True)
class Seen:
    """Games of a partner: those that a model learns from, or predicts.

    What follows from the games alone is computed once, however many models ask for it.

    Attributes:
        logs: the games.
        seats: where the partner sat, bool, shape ``(games, players)``.
    """

    logs: GameLogs
    seats: np.ndarray
    _kept: _Kept = field(default_factory=_Kept, init=False, repr=False, compare=False)

    @property
    def choices(self) -> "Choices":
        """The decisions of the partner."""
        return self.once("choices", lambda: choices_of(self.logs, self.seats))

    @property
    def states(self) -> np.ndarray:
        """The state at each decision (see :attr:`~.positions.Asked.states`)."""
        return self.once("states", lambda: states_at(self.logs, self.seats))

    @property
    def legal(self) -> np.ndarray:
        """The legal moves at each decision."""
        return self.choices.legal

    @property
    def observations(self) -> np.ndarray:
        """What the partner saw at each decision."""
        return self.choices.observations

    @property
    def uniform(self) -> np.ndarray:
        """All legal moves alike, at each decision."""
        return self.choices.uniform

    def weights_of(self, agent: Agent) -> np.ndarray:
        """Return an agent's distribution at each decision, float64, shape ``(choices, moves)``."""
        return self.once(agent, lambda: distributions(agent, self.logs, self.seats))

    def once(self, what: Hashable, compute: Callable[[], Value]) -> Value:
        """Return what ``compute`` returned when ``what`` was first asked for."""
        kept = self._kept.values
        if what in kept:
            self._kept.saved += kept[what][1]
        else:
            started = time.thread_time()
            result = compute()
            kept[what] = result, time.thread_time() - started
        return kept[what][0]

    @property
    def saved(self) -> float:
        """Processor time that asking for the same again has saved, seconds."""
        return self._kept.saved

    def select(self, games: np.ndarray) -> "Seen":
        """Return some of the games."""
        return Seen(self.logs.select(games), self.seats[games])

    def first(self, count: int) -> "Seen":
        """Return the first games, at most ``count``."""
        return self.select(np.arange(len(self.logs))[:count])

    def blocks(self, size: int) -> Iterator[tuple[int, "Seen"]]:
        """Yield the games in blocks, with the index of the first game of each."""
        for start in range(0, len(self.logs), size):
            yield start, self.select(np.arange(start, min(start + size, len(self.logs))))

    @property
    def has_folds(self) -> bool:
        """Whether a part can be left out and another be learned: two games, or seats of one."""
        return int(self.seats.sum()) > 1

    def folds(self, number: int) -> Iterator[tuple["Seen", "Seen"]]:
        """Yield the games that are learned, and those left out; of a single game, the seats."""
        if len(self.logs) == 1:
            for seat in np.flatnonzero(self.seats[0]):
                out = self.seats & (np.arange(self.logs.players) == seat)
                yield Seen(self.logs, self.seats & ~out), Seen(self.logs, out)
            return
        fold = np.arange(len(self.logs)) % number
        for left_out in range(min(number, len(self.logs))):
            out = fold == left_out
            yield self.select(np.flatnonzero(~out)), self.select(np.flatnonzero(out))


def join_seen(parts: Sequence[Seen]) -> Seen:
    """Return all games, at least one part, in order."""
    seats = np.concatenate([part.seats for part in parts])
    return Seen(join_logs([part.logs for part in parts]), seats)


def join_choices(parts: Sequence[Choices]) -> Choices:
    """Return all choices; games are numbered on."""
    first = np.cumsum([0, *(int(part.games.max(initial=-1)) + 1 for part in parts)])
    games = [part.games + start for part, start in zip(parts, first, strict=False)]
    names = ("turns", "legal", "actions", "observations")
    columns = [np.concatenate([getattr(part, name) for part in parts]) for name in names]
    return Choices(np.concatenate(games), *columns)
