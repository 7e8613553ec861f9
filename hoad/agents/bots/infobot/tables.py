"""InfoBot's tables: for every card of both hands, how many copies of each identity it can be.

The memory holds three sets for each player and slot: the identities that have a weight of at
least one, two and three.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Table
from hoad.agents.bots.card_sets import SET_BYTES, hand_length, load_cards, slot_at, store_cards
from hoad.agents.bots.weights import Weights, put_weights_at, unrevealed, weights_at, without_copy
from hoad.agents.situation import SLOTS, held_slots, plausible_cards
from hoad.game.state import NO_CARD

_CARD_BYTES: Final = 3 * SET_BYTES
WEIGHTS_BYTES: Final = 2 * SLOTS * _CARD_BYTES


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
    lowered = without_copy(weights_of(memory, player, slot), card)
    put_weights(memory, player, slot, lowered)


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
def public_hand(table: Table, memory: Memory, player: int) -> np.ndarray:
    """Return a hand's weights by position, as both players know them."""
    hand = np.empty((hand_length(table, player), 3), np.int64)
    for position in range(len(hand)):
        weights = weights_of(memory, player, slot_at(table, player, position))
        put_weights_at(hand, position, weights)
    return hand


@njit(cache=True, nogil=True)
def private_hand(table: Table, memory: Memory, hands: Hands, me: int) -> np.ndarray:
    """Return my hand's weights by position, as I know them from seeing the partner's hand.

    A card for which nothing is possible can be all that its hints allow (see :func:`recover`).
    """
    hand = public_hand(table, memory, me)
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        for slot in range(SLOTS):
            if int(hands[1 - me, slot]) != NO_CARD:
                weights = without_copy(weights, int(hands[1 - me, slot]))
        if not weights.once:
            slot = slot_at(table, me, position)
            weights = unrevealed(table, plausible_cards(table, me, slot))
        put_weights_at(hand, position, weights)
    return hand
