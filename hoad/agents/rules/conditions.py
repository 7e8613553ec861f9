"""When a rule of the catalogue is asked at all.

A condition is an int with a bit for each requirement; all of them must be met.
"""

from typing import Final

import numpy as np
from numba import njit

ALWAYS: Final = 0
LIVES_1: Final = 1
LIVES_ABOVE_1: Final = 2

# The requirements, in the order of their bits, and what they are for everybody to read.
_REQUIREMENTS: Final = {
    "lives=1": "with one life",
    "lives>1": "with more than one life",
    "lives=3": "with all lives",
    "tokens<4": "with fewer than 4 hint tokens",
    "tokens>=4": "with 4 or more hint tokens",
    "tokens=8": "with all hint tokens",
    "deck<=10": "with at most 10 cards in the deck",
    "deck=0": "with no card in the deck",
    "seat=0": "as the first player",
}
_BITS: Final = {requirement: 1 << bit for bit, requirement in enumerate(_REQUIREMENTS)}


def condition_bits(text: str) -> int:
    """Return the condition of a text such as ``"lives>1 and tokens=8"``; always for no text."""
    return sum(_BITS[requirement] for requirement in _split(text))


def condition_in_words(text: str) -> str:
    """Return such a text in words: ``"with more than one life and with all hint tokens"``."""
    return " and ".join(_REQUIREMENTS[requirement] for requirement in _split(text))


def _split(text: str) -> list[str]:
    return text.split(" and ") if text else []


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
