"""Weights: how many copies of each identity a card can be.

A hand's weights are an array, int64, shape ``(cards, 3)``: by position, the three sets of
:class:`CardWeights`.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import Table
from hoad.agents.situation import RANKS, cards_of_rank, count_copies
from hoad.game.state import signed


class CardWeights(NamedTuple):
    """How many copies of each identity a card can be."""

    once: int  # identities of weight one or more: all that is possible
    twice: int  # two or more
    thrice: int  # three


@njit(cache=True, nogil=True)
def unrevealed(table: Table, cards: int) -> CardWeights:
    """Return as weights how many copies of the ``cards`` are neither played nor discarded."""
    left = table.left
    return CardWeights(cards & int(left[0]), cards & int(left[1]), cards & int(left[2]))


@njit(cache=True, nogil=True)
def weights_at(hand: np.ndarray, position: int) -> CardWeights:
    """Return the weights of a hand's card."""
    return CardWeights(int(hand[position, 0]), int(hand[position, 1]), int(hand[position, 2]))


@njit(cache=True, nogil=True)
def put_weights_at(hand: np.ndarray, position: int, weights: CardWeights) -> None:
    """Write the weights of a hand's card."""
    hand[position, 0] = weights.once
    hand[position, 1] = weights.twice
    hand[position, 2] = weights.thrice


@njit(cache=True, nogil=True)
def possible_at(hand: np.ndarray, position: int) -> int:
    """Return the set of identities that a hand's card can be."""
    return signed(hand[position, 0])


@njit(cache=True, nogil=True)
def narrow_at(hand: np.ndarray, position: int, cards: int) -> bool:
    """Narrow a hand's card to a set of identities; return whether any is left."""
    for copies in range(3):
        hand[position, copies] &= cards
    return bool(hand[position, 0] != 0)


@njit(cache=True, nogil=True)
def without_copy(weights: CardWeights, card: int) -> CardWeights:
    """Return the weights with one identity's lowered by one, if there is any."""
    once, twice, thrice = weights
    bit = 1 << card
    return CardWeights(once & ~(bit & ~twice), twice & ~(bit & ~thrice), thrice & ~bit)


@njit(cache=True, nogil=True)
def weight(weights: CardWeights, cards: int) -> int:
    """Return the weight of a set of identities."""
    return count_copies(cards, weights.once, weights.twice, weights.thrice)


@njit(cache=True, nogil=True)
def total(weights: CardWeights) -> int:
    """Return the weight of all identities."""
    return weight(weights, weights.once)


@njit(cache=True, nogil=True)
def share(weights: CardWeights, cards: int) -> float:
    """Return the probability of a set of identities."""
    return weight(weights, cards) / total(weights)


@njit(cache=True, nogil=True)
def sum_of_values(weights: CardWeights, cards: int) -> int:
    """Return the sum of the values (1 to 5) of a set of identities, by weight."""
    values = 0
    for rank in range(RANKS):
        values += (rank + 1) * weight(weights, cards & cards_of_rank(rank))
    return values


@njit(cache=True, nogil=True)
def is_determined(possible: int) -> bool:
    """Return whether exactly one identity is possible."""
    return possible != 0 and not possible & (possible - 1)
