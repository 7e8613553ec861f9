"""Uniformly random legal play, compiled: the simplest use of the rules.

Game ``i`` of a run depends on (seed, i) alone: its deck, and one stream for the moves of all seats.
"""

import numpy as np
from numba import njit

from hoad.game.deck import start_game
from hoad.game.log import GameLogs
from hoad.game.observation import encode
from hoad.game.rules import apply, legal_moves
from hoad.game.state import MAX_TURNS, full_game
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
    observations: np.ndarray,
    actions: np.ndarray,
) -> int:
    """Play random moves, game after game from game 0, for ``len(actions)`` steps.

    ``states`` holds one state to play in. ``actions`` receives the move ids, uint8, shape
    ``(steps,)``, and ``observations`` what the player to move sees, uint8, ``(steps, bytes)``.

    Returns:
        The number of games started; the last one may be incomplete.
    """
    state = states[0]
    streams = np.empty(1, np.uint64)
    games = 0
    for step in range(len(actions)):
        if games == 0 or state.table.over:
            start_game(state, full_deck, streams, seed, games)
            games += 1
        encode(state.table, state.hands, int(state.table.current), observations[step])
        move = pick_move(legal_moves(state.table, state.hands), streams, 0)
        actions[step] = move
        apply(state, move)
    return games


def random_logs(players: int, games: int, seed: int) -> GameLogs:
    """Return games ``0 .. games - 1`` of a run of random play of the full game, as logs."""
    variant = full_game(players)
    decks = np.empty((games, variant.cards), np.uint8)
    actions = np.empty(games * MAX_TURNS, np.uint8)
    offsets = np.zeros(games + 1, np.int64)
    _play_games(variant.new_states(1), variant.full_deck(), seed, decks, actions, offsets)
    return GameLogs(players, decks, actions[: offsets[-1]].copy(), offsets)


@njit(cache=True, nogil=True)
def _play_games(
    states: np.ndarray,
    full_deck: np.ndarray,
    seed: int,
    decks: np.ndarray,
    actions: np.ndarray,
    offsets: np.ndarray,
) -> None:
    state = states[0]
    streams = np.empty(1, np.uint64)
    step = 0
    for game in range(len(decks)):
        start_game(state, full_deck, streams, seed, game)
        decks[game] = state.deck[: len(full_deck)]
        while not state.table.over:
            move = pick_move(legal_moves(state.table, state.hands), streams, 0)
            actions[step] = move
            apply(state, move)
            step += 1
        offsets[game + 1] = step
