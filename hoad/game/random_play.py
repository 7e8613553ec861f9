"""Uniformly random legal play, compiled: the simplest use of the rules.

Game ``i`` of a run depends on (seed, i) alone: its deck, and one stream for the moves of all seats.
"""

import numpy as np
from numba import njit

from hoad.game.deck import start_game
from hoad.game.observation import encode
from hoad.game.rules import apply, legal_moves
from hoad.game.stream import next_below


@njit(cache=True, nogil=True)
def pick_move(moves: int, streams: np.ndarray, index: int) -> int:
    """Return one of a set of moves (bits, not empty), each with the same probability."""
    count, rest = 0, moves
    while rest:
        rest &= rest - 1
        count += 1
    for _ in range(next_below(streams, index, count)):
        moves &= moves - 1
    move = 0
    while not moves >> move & 1:
        move += 1
    return move


@njit(cache=True, nogil=True)
def play_random(
    states: np.ndarray,
    full_deck: np.ndarray,
    seed: int,
    decks: np.ndarray,
    actions: np.ndarray,
    offsets: np.ndarray,
    observations: np.ndarray,
) -> None:
    """Play the games from number 0 on, and write them as in :class:`hoad.game.log.GameLogs`.

    ``states`` holds one state to play in. ``observations`` receives what the player to move sees,
    uint8, shape ``(turns, bytes)``, for as many turns as it has rows.
    """
    state = states[0]
    streams = np.empty(1, np.uint64)
    step = 0
    for game in range(len(decks)):
        start_game(state, full_deck, streams, seed, game)
        decks[game] = state.deck[: len(full_deck)]
        while not state.table.over:
            if step < len(observations):
                encode(state.table, state.hands, int(state.table.current), observations[step])
            move = pick_move(legal_moves(state.table, state.hands), streams, 0)
            actions[step] = move
            apply(state, move)
            step += 1
        offsets[game + 1] = step
