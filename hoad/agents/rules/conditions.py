"""When a rule of the catalogue is asked at all.

A condition is an int with a bit for each requirement; all of them must be met.
"""

from typing import Final

import numpy as np
from numba import njit

ALWAYS: Final = 0
LIVES_1: Final = 1
LIVES_ABOVE_1: Final = 2

# The requirements, in the order of their bits.
_WORDS: Final = (
    "lives=1",
    "lives>1",
    "lives=3",
    "tokens<4",
    "tokens>=4",
    "tokens=8",
    "deck<=10",
    "deck=0",
    "seat=0",
)


def condition_bits(words: str) -> int:
    """Return the condition of a text such as ``"lives>1 and tokens=8"``; always for no text."""
    return sum(1 << _WORDS.index(word) for word in words.split(" and ") if words)


@njit(cache=True, nogil=True)
def requirements_met(table: np.record, me: int) -> int:
    """Return the requirements that hold now for player ``me``, as a set of bits."""
    met = int(table.lives == 1)
    met |= int(table.lives > 1) << 1
    met |= int(table.lives == table.max_lives) << 2
    met |= int(table.tokens < 4) << 3
    met |= int(table.tokens >= 4) << 4
    met |= int(table.tokens == table.max_tokens) << 5
    met |= int(table.deck_left <= 10) << 6
    met |= int(table.deck_left == 0) << 7
    met |= int(me == 0) << 8
    return met
