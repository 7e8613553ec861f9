"""The cards of a hand by slot and by age, as O'Dwyer's bots use them.

Sets of slots are ints with bit ``slot`` set; a position is an age (0 oldest), as in move ids.
"""

import numpy as np
from numba import njit

from hoad.agents.situation import ALL_SLOTS, RANKS, SLOTS
from hoad.game.moves import RANK_HINT


@njit(cache=True, nogil=True)
def hand_length(table: np.record, player: int) -> int:
    """Return how many cards a player holds."""
    return 0 | int(table.hand_length[player])  # the 0 makes it a signed number


@njit(cache=True, nogil=True)
def slot_at(table: np.record, player: int, position: int) -> int:
    """Return the slot of the card at a position (0 oldest)."""
    return 0 | int(table.order[player, position])


@njit(cache=True, nogil=True)
def held_slots(table: np.record, player: int) -> int:
    """Return the set of slots that hold a card: all until the deck is empty."""
    slots = ALL_SLOTS
    for position in range(SLOTS - 1, -1, -1):
        if position < int(table.hand_length[player]):
            break
        slots ^= 1 << slot_at(table, player, position)
    return slots


@njit(cache=True, nogil=True)
def oldest(table: np.record, player: int, slots: int) -> int:
    """Return the position of a player's oldest card among a set of held slots, or -1."""
    if slots:
        for position in range(SLOTS):
            if slots >> slot_at(table, player, position) & 1:
                return position
    return -1


@njit(cache=True, nogil=True)
def newest_slot(table: np.record, player: int) -> int:
    """Return the slot of a player's newest card."""
    return slot_at(table, player, hand_length(table, player) - 1)


@njit(cache=True, nogil=True)
def is_reclaim(table: np.record, receiver: int, touched: int) -> bool:
    """Return whether a rank hint only passes the turn: at 8 tokens, touching the oldest card."""
    oldest_slot = slot_at(table, receiver, 0)
    return table.tokens == table.max_tokens and (touched >> oldest_slot & 1) == 1


@njit(cache=True, nogil=True)
def name_oldest(table: np.record, hands: np.ndarray, partner: int) -> int:
    """Return the hint of the rank of the partner's oldest card, which passes the turn."""
    return RANK_HINT + int(hands[partner, slot_at(table, partner, 0)]) % RANKS
