"""InfoBot's tables: for every card of both hands, how many copies of each identity it can be.

The memory holds three sets for each player and slot: the identities that have a weight of at
least one, two and three.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Table
from hoad.agents.bots.card_sets import SET_BYTES, held_slots, load_cards, store_cards
from hoad.agents.situation import RANKS, SLOTS, cards_of_rank, count_copies, plausible_cards
from hoad.game.state import NO_CARD

_CARD_BYTES: Final = 3 * SET_BYTES
WEIGHTS_BYTES: Final = 2 * SLOTS * _CARD_BYTES


class Weights(NamedTuple):
    """How many copies of each identity a card can be.

    Attributes:
        once: identities of weight one or more: all that is possible.
        twice: two or more.
        thrice: three.
    """

    once: int
    twice: int
    thrice: int


@njit(cache=True, nogil=True)
def weights_of(memory: Memory, player: int, slot: int) -> Weights:
    """Return a card's weights."""
    first = (player * SLOTS + slot) * _CARD_BYTES
    second, third = first + SET_BYTES, first + 2 * SET_BYTES
    return Weights(load_cards(memory, first), load_cards(memory, second), load_cards(memory, third))


@njit(cache=True, nogil=True)
def possible_of(memory: Memory, player: int, slot: int) -> int:
    """Return the set of identities that a card can be."""
    return load_cards(memory, (player * SLOTS + slot) * _CARD_BYTES)


@njit(cache=True, nogil=True)
def put_weights(memory: Memory, player: int, slot: int, weights: Weights) -> None:
    """Write a card's weights."""
    first = (player * SLOTS + slot) * _CARD_BYTES
    store_cards(memory, first, weights.once)
    store_cards(memory, first + SET_BYTES, weights.twice)
    store_cards(memory, first + 2 * SET_BYTES, weights.thrice)


@njit(cache=True, nogil=True)
def keep(memory: Memory, player: int, slot: int, cards: int) -> None:
    """Exclude for a card all identities but ``cards``."""
    once, twice, thrice = weights_of(memory, player, slot)
    put_weights(memory, player, slot, Weights(once & cards, twice & cards, thrice & cards))


@njit(cache=True, nogil=True)
def remove_copy(memory: Memory, player: int, slot: int, card: int) -> None:
    """Lower the weight of one identity by one, if there is any."""
    once, twice, thrice = weights_of(memory, player, slot)
    bit = 1 << card
    lowered = Weights(once & ~(bit & ~twice), twice & ~(bit & ~thrice), thrice & ~bit)
    put_weights(memory, player, slot, lowered)


@njit(cache=True, nogil=True)
def weight(weights: Weights, cards: int) -> int:
    """Return the weight of a set of identities."""
    return count_copies(cards, weights.once, weights.twice, weights.thrice)


@njit(cache=True, nogil=True)
def total(weights: Weights) -> int:
    """Return the weight of all identities."""
    return weight(weights, weights.once)


@njit(cache=True, nogil=True)
def share(weights: Weights, cards: int) -> float:
    """Return the probability of a set of identities."""
    return weight(weights, cards) / total(weights)


@njit(cache=True, nogil=True)
def sum_of_values(weights: Weights, cards: int) -> int:
    """Return the sum of the values (1 to 5) of a set of identities, by weight."""
    values = 0
    for rank in range(RANKS):
        values += (rank + 1) * weight(weights, cards & cards_of_rank(rank))
    return values


@njit(cache=True, nogil=True)
def is_determined(possible: int) -> bool:
    """Return whether exactly one identity is possible."""
    return possible != 0 and not possible & (possible - 1)


@njit(cache=True, nogil=True)
def recover(table: Table, memory: Memory) -> None:
    """Reset the cards for which nothing is possible to what their hints allow.

    These are all cards at the deal; later, cards about which a partner with other conventions
    showed a wrong number.
    """
    for player in range(2):
        held = held_slots(table, player)
        for slot in range(SLOTS):
            if held >> slot & 1 and not possible_of(memory, player, slot):
                left = unrevealed(table, plausible_cards(table, player, slot))
                put_weights(memory, player, slot, left)


@njit(cache=True, nogil=True)
def unrevealed(table: Table, cards: int) -> Weights:
    """Return as weights how many copies of the ``cards`` are neither played nor discarded."""
    left = table.left
    return Weights(cards & int(left[0]), cards & int(left[1]), cards & int(left[2]))


@njit(cache=True, nogil=True)
def private_memory(table: Table, memory: Memory, hands: Hands, me: int) -> np.ndarray:
    """Return the tables as I know them from seeing the partner's hand."""
    private = memory.copy()
    for slot in range(SLOTS):
        for seen in range(SLOTS):
            if int(hands[1 - me, seen]) != NO_CARD:
                remove_copy(private, me, slot, int(hands[1 - me, seen]))
    recover(table, private)
    return private
