"""WTFWT's tables: for every card of both hands, which identities numbers have excluded.

The memory holds one set for each player and slot. What hints say directly and which copies are
played or discarded is in the public record; it is added where a hand is looked at.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Table
from hoad.agents.bots.card_sets import SET_BYTES, hand_length, load_cards, slot_at, store_cards
from hoad.agents.bots.weights import Weights, put_weights_at, unrevealed
from hoad.agents.situation import ALL_CARDS, SLOTS, pack_cards, plausible_cards, unseen_copies

EXCLUDED_BYTES: Final = 2 * SLOTS * SET_BYTES


@njit(cache=True, nogil=True)
def _possible_of(table: Table, memory: Memory, player: int, slot: int) -> int:
    """Return the set of identities that a card can be, those that are gone included."""
    excluded = load_cards(memory, (player * SLOTS + slot) * SET_BYTES)
    return plausible_cards(table, player, slot) & ~excluded


@njit(cache=True, nogil=True)
def public_hand(table: Table, memory: Memory, player: int) -> np.ndarray:
    """Return a hand's weights by position, as both players know them."""
    hand = np.empty((hand_length(table, player), 3), np.int64)
    for position in range(len(hand)):
        possible = _possible_of(table, memory, player, slot_at(table, player, position))
        put_weights_at(hand, position, unrevealed(table, possible))
    return hand


@njit(cache=True, nogil=True)
def private_hand(table: Table, memory: Memory, hands: Hands, me: int) -> np.ndarray:
    """Return my hand's weights by position, as I know them from seeing the partner's hand."""
    once, twice, thrice = unseen_copies(table, pack_cards(hands[1 - me]))
    hand = np.empty((hand_length(table, me), 3), np.int64)
    for position in range(len(hand)):
        cards = _possible_of(table, memory, me, slot_at(table, me, position))
        put_weights_at(hand, position, Weights(cards & once, cards & twice, cards & thrice))
    return hand


@njit(cache=True, nogil=True)
def cards_by_position(table: Table, hands: Hands, player: int) -> np.ndarray:
    """Return the cards of a hand that is seen, oldest first."""
    cards = np.empty(hand_length(table, player), np.int64)
    for position in range(len(cards)):
        cards[position] = hands[player, slot_at(table, player, position)]
    return cards


@njit(cache=True, nogil=True)
def keep_hand(table: Table, memory: Memory, player: int, hand: np.ndarray) -> None:
    """Exclude for the cards of a player all identities that ``hand`` does not leave possible."""
    for position in range(len(hand)):
        first = (player * SLOTS + slot_at(table, player, position)) * SET_BYTES
        excluded = load_cards(memory, first) | ALL_CARDS & ~int(hand[position, 0])
        store_cards(memory, first, excluded)


@njit(cache=True, nogil=True)
def forget_card(memory: Memory, player: int, slot: int) -> None:
    """Exclude nothing for the card that is drawn into a slot."""
    store_cards(memory, (player * SLOTS + slot) * SET_BYTES, 0)


@njit(cache=True, nogil=True)
def recover(table: Table, memory: Memory, hands: Hands, me: int) -> None:
    """Forget all numbers if, as I see it, one of them was wrong.

    A partner with other conventions shows wrong numbers: nothing is then possible for a card of
    mine, or the real identity of one of the partner's is excluded.
    """
    partner, contradicts = 1 - me, False
    private, public = private_hand(table, memory, hands, me), public_hand(table, memory, partner)
    cards = cards_by_position(table, hands, partner)
    for position in range(len(private)):
        contradicts |= not private[position, 0]
    for position in range(len(public)):
        contradicts |= not public[position, 0] >> cards[position] & 1
    if contradicts:
        memory[:] = 0
