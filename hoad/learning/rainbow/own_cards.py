"""The status of a player's own cards, which it cannot see: playable, useless or neither.

Hu and Foerster, "Simplified action decoder" (2020), train their network to predict it besides the
values: the features that read a hint about a card and value its play are learned from every turn.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.situation import playable_cards, useless_cards

PLAYABLE, USELESS, NEITHER = range(3)
STATUSES: Final = 3
ABSENT: Final = STATUSES
"""An empty place, because the deck ran out: not predicted."""


@njit(cache=True, nogil=True)
def write_statuses(state: np.record, out: np.ndarray) -> None:
    """Write the status of each card of the player to move, oldest first, uint8, shape ``(5,)``."""
    table = state.table
    me = int(table.current)
    playable, useless = playable_cards(table), useless_cards(table)
    for position in range(len(out)):
        card = int(state.hands[me, int(table.order[me, position])])
        if position >= int(table.hand_length[me]):
            out[position] = ABSENT
        elif playable >> card & 1:
            out[position] = PLAYABLE
        elif useless >> card & 1:
            out[position] = USELESS
        else:
            out[position] = NEITHER
