"""The one door through which agents look at a game.

Whatever an agent computes, it computes from the public table and from the hands that this module
hands out, in which its own row is hidden. It never gets the state. An agent that is not fair
looks as ``NOBODY`` and so sees all hands.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.game.state import HIDDEN, MAX_HAND, MAX_PLAYERS

NOBODY: Final = -1
"""In place of a player: the one whose own hand is hidden from no one."""


def new_view(games: int = 1) -> np.ndarray:
    """Return views in which every hand is hidden, uint8, shape ``(games, players, slots)``."""
    return np.full((games, MAX_PLAYERS, MAX_HAND), HIDDEN, np.uint8)


@njit(cache=True, nogil=True)
def see(state: np.record, player: int, hands: np.ndarray) -> None:
    """Write the hands that ``player`` can see into ``hands`` (players x slots, by slot).

    ``NOBODY`` sees them all.
    """
    for other in range(int(state.table.players)):
        for slot in range(int(state.table.hand_size)):
            hands[other, slot] = HIDDEN if other == player else state.hands[other, slot]
