"""When a rule of the catalogue is asked at all.

A condition is an int with a bit for each requirement; all of them must be met.
"""

from typing import Final

import numpy as np
from numba import njit

ALWAYS: Final = 0
LIVES_1: Final = 1
LIVES_ABOVE_1: Final = 2
ALL_LIVES: Final = 4
TOKENS_BELOW_4: Final = 8
TOKENS_FROM_4: Final = 16
ALL_TOKENS: Final = 32
DECK_UP_TO_10: Final = 64
DECK_EMPTY: Final = 128
FIRST_SEAT: Final = 256

_BITS: Final = {
    "lives=1": LIVES_1,
    "lives>1": LIVES_ABOVE_1,
    "lives=3": ALL_LIVES,
    "tokens<4": TOKENS_BELOW_4,
    "tokens>=4": TOKENS_FROM_4,
    "tokens=8": ALL_TOKENS,
    "deck<=10": DECK_UP_TO_10,
    "deck=0": DECK_EMPTY,
    "seat=0": FIRST_SEAT,
}


def condition_bits(words: str) -> int:
    """Return the condition of a text such as ``"lives>1 and tokens=8"``; always for no text."""
    return sum(_BITS[word] for word in words.split(" and ")) if words else ALWAYS


@njit(cache=True, nogil=True)
def requirements_met(table: np.record, me: int) -> int:
    """Return the requirements that hold now for player ``me``, as a set of bits."""
    met = 0
    if table.lives > 1:
        met |= LIVES_ABOVE_1
    if table.lives == 1:
        met |= LIVES_1
    if table.lives == table.max_lives:
        met |= ALL_LIVES
    met |= TOKENS_BELOW_4 if table.tokens < 4 else TOKENS_FROM_4
    if table.tokens == table.max_tokens:
        met |= ALL_TOKENS
    if table.deck_left == 0:
        met |= DECK_EMPTY
    if table.deck_left <= 10:
        met |= DECK_UP_TO_10
    if me == 0:
        met |= FIRST_SEAT
    return met
