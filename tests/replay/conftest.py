"""Games that tests record."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from hoad.game.log import GameLogs, logs_of
from hoad.game.rules import apply, deal, legal_moves
from hoad.game.state import full_game

MakeLogs = Callable[[int, int, int], GameLogs]


@pytest.fixture(scope="session")
def random_logs() -> MakeLogs:
    """A function of (players, games, seed) that plays whole games with random legal moves."""
    return lambda players, games, seed: _play(players, games, seed, careful=False)


@pytest.fixture(scope="session")
def careful_logs() -> MakeLogs:
    """The same for players that play every playable card and no other, else move at random."""
    return lambda players, games, seed: _play(players, games, seed, careful=True)


@cache  # no test changes the arrays
def _play(players: int, games: int, seed: int, careful: bool) -> GameLogs:
    random = np.random.default_rng(seed)
    variant = full_game(players)
    decks, actions = [], []
    for _ in range(games):
        state = variant.new_states(1)[0]
        state.deck[:] = random.permutation(variant.full_deck())
        deal(state, 0)
        while legal := legal_moves(state.table, state.hands):
            moves = [move for move in range(48) if legal >> move & 1]
            if careful:
                others = [move for move in moves if not _is_play(state, move)]
                moves = [move for move in moves if _fits(state, move)] or others
            apply(state, int(random.choice(moves)))
        decks.append(state.deck.tolist())
        actions.append(state.table.actions[: state.table.turn].tolist())
    return logs_of(players, decks, actions)


def _is_play(state: np.record, move: int) -> bool:
    hand_size = int(state.table.hand_size)
    return hand_size <= move < 2 * hand_size


def _fits(state: np.record, move: int) -> bool:
    """Whether a move is a play of a card that its firework needs next."""
    table = state.table
    if not _is_play(state, move):
        return False
    slot = table.order[table.current, move - int(table.hand_size)]
    colour, rank = divmod(int(state.hands[table.current, slot]), 5)
    return rank == table.fireworks[colour]
