"""WTFWT's hints: which number a hint shows, and which of the hints that show a number is given.

The number says whether the hint names a colour or a rank, and whether it touches the key card: the
one of which the receiver knows least.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.bots.card_sets import Piles, only_colour, only_rank
from hoad.agents.bots.hat_guessing import count_numbers, number_shown
from hoad.agents.bots.weights import is_determined, possible_at, total, weight, weights_at
from hoad.agents.bots.wtfwt.questions import answer
from hoad.agents.situation import COLOURS, NO_MOVE, RANKS, cards_named
from hoad.game.moves import COLOUR_HINT

# Of equally good hints the original gives the one that comes first in a hash set (64-bit FNV-1a,
# linear probing). The hash of each hint, colours first, modulo the 16 cells of the largest set.
_HASHES = np.array([7, 12, 2, 2, 7, 5, 6, 7, 0, 1])
_EMPTY: Final = -1


@njit(cache=True, nogil=True)
def key_position(hand: np.ndarray, piles: Piles) -> int:
    """Return the first position with the least public knowledge of its colour and rank.

    Cards that are worthless or known count as known.
    """
    chosen, most = 0, 0
    for position in range(len(hand)):
        cards = possible_at(hand, position)
        if cards & ~piles.worthless and not is_determined(cards):
            unknown = 1 + int(only_colour(cards) < 0) + int(only_rank(cards) < 0)
            if unknown > most:
                chosen, most = position, unknown
    return chosen


@njit(cache=True, nogil=True)
def give_hint(hand: np.ndarray, cards: np.ndarray, piles: Piles) -> int:
    """Give, of the hints that show the true number, the one that says most directly.

    ``hand`` is the partner's hand, publicly; ``cards`` are its cards by position.
    """
    numbers = count_numbers(hand)
    key = int(cards[key_position(hand, piles)])
    number = answer(hand, cards, numbers, piles)
    hints = np.empty(2 * len(cards), np.int64)  # with repetitions
    count = 0
    for card in cards:
        for hint in (card // RANKS, COLOURS + card % RANKS):
            touches = cards_named(hint) >> key & 1 == 1
            if number_shown(numbers, hint < COLOURS, touches) == number:
                hints[count] = hint
                count += 1
    return COLOUR_HINT + _best_hint(hints[:count], hand, cards, piles)


@njit(cache=True, nogil=True)
def _best_hint(hints: np.ndarray, hand: np.ndarray, cards: np.ndarray, piles: Piles) -> int:
    """Return the hint that says most; ties go to the first one in the original's hash set."""
    chosen, best = NO_MOVE, np.float32(-1)
    for hint in in_hash_order(hints):
        if hint != _EMPTY:
            goodness = _goodness(hand, cards, cards_named(hint), piles)
            if goodness > best:
                chosen, best = int(hint), goodness
    return chosen


@njit(cache=True, nogil=True)
def in_hash_order(hints: np.ndarray) -> np.ndarray:
    """Return the cells of the original's hash set: the hints, each once, and empty cells.

    The list's length, repetitions included, determines how many cells there are.
    """
    cells = 4 if len(hints) < 4 else 8 if len(hints) < 8 else 16
    ordered = np.full(cells, _EMPTY)
    for hint in hints:
        cell = _HASHES[hint] % cells
        while ordered[cell] != _EMPTY and ordered[cell] != hint:
            cell = (cell + 1) % cells
        ordered[cell] = hint
    return ordered


@njit(cache=True, nogil=True)
def _goodness(hand: np.ndarray, cards: np.ndarray, named: int, piles: Piles) -> np.float32:
    """Return the factor by which a hint narrows the hand, twice for each card that it settles.

    In single precision, which decides some ties.
    """
    goodness = np.float32(1)
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        if is_determined(weights.once) or not weights.once & ~piles.worthless:
            continue
        direct = named if named >> cards[position] & 1 else ~named
        left = weights.once & direct
        settled = is_determined(left) or not left & ~piles.worthless
        narrowed = np.float32(total(weights)) / np.float32(weight(weights, direct))
        goodness *= np.float32(2 if settled else 1) * narrowed
    return goodness
