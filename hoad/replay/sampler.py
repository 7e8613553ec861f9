"""Samples of transitions for training, encoded while games are replayed.

Observations are not stored: encoding a turn is faster than reading it from a disk.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numba import njit

from hoad.core.errors import HoadError, refuse_outside
from hoad.game.log import GameLogs, Transitions, encode_turns, join_transitions
from hoad.game.observation import encode, observation_bytes
from hoad.game.rules import legal_moves, replay_moves
from hoad.game.state import full_game
from hoad.replay.split import hash_games

BUFFER: Final = 500_000
"""Transitions of a shuffle buffer (46 MB with two players)."""


class TransitionSampler:
    """An endless iterator over batches of transitions in shuffled order.

    Each epoch takes the games in a new order. The buffer is filled with whole games and emptied
    in random order before it is filled again, so every transition occurs exactly once an epoch.
    The stream is a function of the games, the batch size, ``buffer`` and ``seed``.
    """

    def __init__(self, logs: GameLogs, batch_size: int, seed: int, buffer: int = BUFFER) -> None:
        """Start a stream over legal games; ``seed`` is at least 0.

        At least ``buffer`` transitions are shuffled together; games are not cut.

        Raises:
            HoadError: The games have no turns; or batch size or seed are out of range.
        """
        refuse_outside("batch_size", batch_size, 1)
        refuse_outside("seed", seed, 0)
        if not len(logs.actions):
            raise HoadError("no transitions to sample: the logs have no turns; record games")
        self.batch_size = batch_size
        self._logs = logs
        self._seed = seed
        self._size = buffer
        self._start_epoch(0)
        self._fill(0)

    def __iter__(self) -> Iterator[Transitions]:
        """Return the sampler itself."""
        return self

    def __next__(self) -> Transitions:
        """Return the next ``batch_size`` transitions; ``games`` are indices into the logs."""
        pieces = [self._take(self.batch_size)]
        while (missing := self.batch_size - sum(len(piece.actions) for piece in pieces)) > 0:
            pieces.append(self._take(missing))
        return pieces[0] if len(pieces) == 1 else join_transitions(pieces)

    def state_dict(self) -> dict[str, int]:
        """Return the position in the stream."""
        return {"epoch": self._epoch, "first_game": self._first, "position": self._position}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Continue at a position of a sampler of the same games, batch size, seed and buffer."""
        self._start_epoch(state["epoch"])
        self._fill(state["first_game"])
        self._position = state["position"]

    def _take(self, most: int) -> Transitions:
        """Return up to ``most`` transitions of the buffer, which is refilled when it is empty."""
        if self._position == len(self._order):
            if self._end == len(self._games):
                self._start_epoch(self._epoch + 1)
            self._fill(self._end)
        turns = self._order[self._position : self._position + most]
        self._position += len(turns)
        return self._buffer.select(turns)

    def _start_epoch(self, epoch: int) -> None:
        self._epoch, self._end = epoch, 0
        self._games = np.random.default_rng((self._seed, epoch)).permutation(len(self._logs))
        self._turns = np.concatenate([[0], np.cumsum(np.diff(self._logs.offsets)[self._games])])

    def _fill(self, first: int) -> None:
        """Fill the buffer with the epoch's games, from game ``first`` on."""
        full = np.searchsorted(self._turns, self._turns[first] + self._size)
        self._first, self._end = first, min(int(full), len(self._games))
        self._buffer = _encode_games(self._logs, self._games[first : self._end])
        random = np.random.default_rng((self._seed, self._epoch, first))
        self._order = random.permutation(len(self._buffer.actions))
        self._position = 0


def sample_games(
    logs: GameLogs, indices: np.ndarray, games: int, seed: int, step: int
) -> tuple[Transitions, Transitions]:
    """Return all transitions of ``games`` support games and of ``games`` query games.

    The games are drawn from ``indices`` without replacement, for each (seed, step) again. All
    drawn games differ, even if the logs hold duplicates. The ``games`` of the transitions are
    indices into ``logs``.

    Raises:
        HoadError: There are too few different games.
    """
    random, count = np.random.default_rng((seed, step)), 2 * games
    for size in (2 * count, len(indices)):  # the first size suffices unless most are duplicates
        drawn = random.choice(indices, min(size, len(indices)), replace=False)
        first = np.sort(np.unique(hash_games(logs, drawn), return_index=True)[1])
        if len(first) >= count:
            support, query = np.split(drawn[first[:count]], 2)
            return _encode_games(logs, support), _encode_games(logs, query)
    raise HoadError(
        f"support and query need {count} different games, but there are {len(first)}; "
        "record more games or ask for fewer"
    )


def sample_transitions(
    logs: GameLogs, indices: np.ndarray, batches: int, batch_size: int, seed: int, step: int
) -> tuple[Transitions, Transitions]:
    """Return support and query of ``batches * batch_size`` single transitions each.

    As in the code published with the thesis (10 mini-batches of 64 each), they are drawn without
    replacement from all transitions of the games of ``indices``. Rows are in random order:
    mini-batch k is rows ``k * batch_size`` to ``(k + 1) * batch_size``. A function of (seed, step).

    Raises:
        HoadError: There are too few transitions.
    """
    ends = np.cumsum(np.diff(logs.offsets)[indices])
    wanted, available = 2 * batches * batch_size, int(ends[-1]) if len(ends) else 0
    if available < wanted:
        raise HoadError(
            f"support and query need {wanted} transitions, but the games have {available}; "
            "record more games or ask for smaller batches"
        )
    drawn = np.random.default_rng((seed, step)).choice(available, wanted, replace=False)
    places = np.searchsorted(ends, drawn, side="right")
    games = np.asarray(indices, np.int64)[places]
    turns = drawn - ends[places] + np.diff(logs.offsets)[games]
    half = batches * batch_size
    return (
        _encode_single_turns(logs, games[:half], turns[:half]),
        _encode_single_turns(logs, games[half:], turns[half:]),
    )


def _encode_games(logs: GameLogs, games: np.ndarray) -> Transitions:
    encoded = encode_turns(logs.select(games))
    return Transitions(encoded.observations, encoded.legal, encoded.actions, games[encoded.games])


def _encode_single_turns(logs: GameLogs, games: np.ndarray, turns: np.ndarray) -> Transitions:
    """Return one transition for each row: turn ``turns[row]`` (from 0) of game ``games[row]``."""
    variant = full_game(logs.players)
    observations = np.empty((len(games), observation_bytes(variant)), np.uint8)
    legal = np.empty(len(games), np.int64)
    first = logs.offsets[games]
    rows = logs.decks[games], first, first + turns, observations, legal
    _encode_rows(variant.new_states(1), logs.actions, rows)
    return Transitions(observations, legal, logs.actions[first + turns], games)


@njit(cache=True, nogil=True)
def _encode_rows(states: np.ndarray, actions: np.ndarray, rows: tuple[np.ndarray, ...]) -> None:
    state, (decks, first, end, observations, legal) = states[0], rows
    for row in range(len(decks)):
        replay_moves(state, decks[row], actions[first[row] : end[row]])
        encode(state.table, state.hands, int(state.table.current), observations[row])
        legal[row] = legal_moves(state.table, state.hands)
