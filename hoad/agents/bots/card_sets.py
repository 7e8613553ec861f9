"""Sets of cards that O'Dwyer's bots reason with: ints with bit ``card id`` set."""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.situation import ALL_CARDS, COLOURS, RANKS, only_value

SET_BYTES: Final = 4
"""Bytes of memory that a set of cards takes."""
_COLOUR_0: Final = (1 << RANKS) - 1
_RANK_0: Final = sum(1 << RANKS * colour for colour in range(COLOURS))


@njit(cache=True, nogil=True)
def cards_of_colour(colour: int) -> int:
    """Return the set of the cards of one colour."""
    return _COLOUR_0 << colour * RANKS


@njit(cache=True, nogil=True)
def cards_of_rank(rank: int) -> int:
    """Return the set of the cards of one rank (from 0)."""
    return _RANK_0 << rank


@njit(cache=True, nogil=True)
def cards_named(hint: int) -> int:
    """Return the set of cards that a hint (0 to 4 colours, 5 to 9 ranks) names."""
    return cards_of_colour(hint) if hint < COLOURS else cards_of_rank(hint - COLOURS)


@njit(cache=True, nogil=True)
def played_cards(table: np.record) -> int:
    """Return the set of cards that lie on the fireworks."""
    played = 0
    for colour in range(COLOURS):
        played |= ((1 << int(table.fireworks[colour])) - 1) << colour * RANKS
    return played


@njit(cache=True, nogil=True)
def last_copies(table: np.record) -> int:
    """Return the set of cards not yet played of which only one copy is not discarded.

    They count even if a card below them is lost for good.
    """
    return int(table.left[0]) & ~int(table.left[1]) & ~played_cards(table)


@njit(cache=True, nogil=True)
def only_colour(cards: int) -> int:
    """Return the colour that all of a set's cards have, or -1."""
    for colour in range(COLOURS):
        if cards & cards_of_colour(colour):
            return -1 if cards & ~cards_of_colour(colour) else colour
    return -1


@njit(cache=True, nogil=True)
def only_rank(cards: int) -> int:
    """Return the rank that all of a set's cards have, or -1."""
    return only_value(ranks_of(cards))


@njit(cache=True, nogil=True)
def ranks_of(cards: int) -> int:
    """Return the ranks of a set's cards, one bit each."""
    return _COLOUR_0 & (cards | cards >> 5 | cards >> 10 | cards >> 15 | cards >> 20)


@njit(cache=True, nogil=True)
def colours_of(cards: int) -> int:
    """Return the colours of a set's cards, one bit each."""
    colours = 0
    for colour in range(COLOURS):
        colours |= int(cards & cards_of_colour(colour) != 0) << colour
    return colours


class Copies(NamedTuple):
    """A count of the copies of each card.

    Attributes:
        once: cards of which there is at least one.
        twice: at least two.
        thrice: at least three.
        more: at least four, which only a wrong count can reach.
    """

    once: int
    twice: int
    thrice: int
    more: int


@njit(cache=True, nogil=True)
def no_copies() -> Copies:
    """Return a count in which there are no cards yet."""
    return Copies(0, 0, 0, 0)


@njit(cache=True, nogil=True)
def add_copy(copies: Copies, card: int) -> Copies:
    """Return the count with one more copy of each card in the set ``card``."""
    return Copies(
        copies.once | card,
        copies.twice | (copies.once & card),
        copies.thrice | (copies.twice & card),
        copies.more | (copies.thrice & card),
    )


@njit(cache=True, nogil=True)
def exhausted(table: np.record, copies: Copies) -> int:
    """Return the cards of which exactly as many copies are counted as have not left the hands."""
    differ = copies.once ^ int(table.left[0])
    differ |= copies.twice ^ int(table.left[1])
    differ |= (copies.thrice ^ int(table.left[2])) | copies.more
    return ALL_CARDS & ~differ


@njit(cache=True, nogil=True)
def load_cards(memory: np.ndarray, first: int) -> int:
    """Return the set of cards that ``SET_BYTES`` bytes of memory hold."""
    cards = 0
    for byte in range(SET_BYTES):
        cards |= int(memory[first + byte]) << 8 * byte
    return cards


@njit(cache=True, nogil=True)
def store_cards(memory: np.ndarray, first: int, cards: int) -> None:
    """Write a set of cards into ``SET_BYTES`` bytes of memory."""
    for byte in range(SET_BYTES):
        memory[first + byte] = cards >> 8 * byte & 255
