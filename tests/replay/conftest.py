"""Games to put into logs."""

from collections.abc import Callable

import numpy as np
import pytest

from hoad.game.log import GameLogs, logs_of
from hoad.game.rules import apply, deal, legal_moves
from hoad.game.state import full_game

MakeLogs = Callable[[int, int, int], GameLogs]


@pytest.fixture(scope="session")
def random_logs() -> MakeLogs:
    """A function of (players, games, seed) that plays whole games with random legal moves."""

    def play(players: int, games: int, seed: int) -> GameLogs:
        random = np.random.default_rng(seed)
        variant = full_game(players)
        decks, actions = [], []
        for _ in range(games):
            state = variant.new_states(1)[0]
            state.deck[:] = random.permutation(variant.full_deck())
            deal(state, 0)
            while legal := legal_moves(state.table, state.hands):
                apply(state, int(random.choice([m for m in range(48) if legal >> m & 1])))
            decks.append(state.deck.tolist())
            actions.append(state.table.actions[: state.table.turn].tolist())
        return logs_of(players, decks, actions)

    return play
