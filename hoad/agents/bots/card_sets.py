"""Sets of cards and of slots that O'Dwyer's bots reason with.

Both are ints, with bit ``card id`` or bit ``slot`` set. A position is an age (0 oldest), as in move
ids.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Table
from hoad.agents.situation import (
    ALL_CARDS,
    COLOURS,
    RANKS,
    SLOTS,
    cards_of_colour,
    necessary_cards,
    only_value,
    playable_cards,
    useless_cards,
)
from hoad.game.moves import RANK_HINT
from hoad.game.state import NO_CARD, signed

SET_BYTES: Final = 4
"""Bytes of memory that a set of cards takes."""


@njit(cache=True, nogil=True)
def played_cards(table: Table) -> int:
    """Return the set of cards that lie on the fireworks."""
    played = 0
    for colour in range(COLOURS):
        played |= ((1 << int(table.fireworks[colour])) - 1) << colour * RANKS
    return played


@njit(cache=True, nogil=True)
def last_copies(table: Table) -> int:
    """Return the set of cards not yet played of which only one copy is not discarded.

    They count even if a card below them is lost for good.
    """
    return int(table.left[0]) & ~int(table.left[1]) & ~played_cards(table)


@njit(cache=True, nogil=True)
def only_colour(cards: int) -> int:
    """Return the colour that all of a set's cards have, or -1."""
    return only_value(colours_of(cards))


@njit(cache=True, nogil=True)
def only_rank(cards: int) -> int:
    """Return the rank that all of a set's cards have, or -1."""
    return only_value(ranks_of(cards))


@njit(cache=True, nogil=True)
def ranks_of(cards: int) -> int:
    """Return the ranks of a set's cards, one bit each."""
    ranks = cards | cards >> 5 | cards >> 10 | cards >> 15 | cards >> 20
    return ranks & cards_of_colour(0)


@njit(cache=True, nogil=True)
def colours_of(cards: int) -> int:
    """Return the colours of a set's cards, one bit each."""
    colours = 0
    for colour in range(COLOURS):
        colours |= int(cards & cards_of_colour(colour) != 0) << colour
    return colours


class Piles(NamedTuple):
    """Sets of cards by their current use."""

    playable: int  # those that would fit now
    valuable: int  # last copies of what can still be played
    worthless: int  # those that can never be played any more


@njit(cache=True, nogil=True)
def look(table: Table) -> Piles:
    """Return the sets of cards by their current use."""
    return Piles(playable_cards(table), necessary_cards(table), useless_cards(table))


class Copies(NamedTuple):
    """A count of the copies of each card."""

    once: int  # cards with at least one copy
    twice: int  # at least two
    thrice: int  # at least three
    more: int  # at least four, which only a wrong count can reach


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
def add_hand(copies: Copies, hand: np.ndarray) -> Copies:
    """Return the count with the cards of a hand (by slot) that is seen."""
    for slot in range(SLOTS):
        if int(hand[slot]) != NO_CARD:
            copies = add_copy(copies, 1 << int(hand[slot]))
    return copies


@njit(cache=True, nogil=True)
def cards_in(hand: np.ndarray) -> int:
    """Return the set of the cards of a hand that is seen."""
    return add_hand(no_copies(), hand).once


@njit(cache=True, nogil=True)
def exhausted(table: Table, copies: Copies) -> int:
    """Return the cards of which exactly as many copies are counted as have not left the hands."""
    differ = copies.once ^ int(table.left[0])
    differ |= copies.twice ^ int(table.left[1])
    differ |= (copies.thrice ^ int(table.left[2])) | copies.more
    return ALL_CARDS & ~differ


@njit(cache=True, nogil=True)
def load_cards(memory: Memory, first: int) -> int:
    """Return the set of cards that ``SET_BYTES`` bytes of memory hold."""
    cards = 0
    for byte in range(SET_BYTES):
        cards |= int(memory[first + byte]) << 8 * byte
    return cards


@njit(cache=True, nogil=True)
def store_cards(memory: Memory, first: int, cards: int) -> None:
    """Write a set of cards into ``SET_BYTES`` bytes of memory."""
    for byte in range(SET_BYTES):
        memory[first + byte] = cards >> 8 * byte & 255


@njit(cache=True, nogil=True)
def hand_length(table: Table, player: int) -> int:
    """Return how many cards a player holds."""
    return signed(table.hand_length[player])


@njit(cache=True, nogil=True)
def slot_at(table: Table, player: int, position: int) -> int:
    """Return the slot of the card at a position (0 oldest)."""
    return signed(table.order[player, position])


@njit(cache=True, nogil=True)
def newest_slot(table: Table, player: int) -> int:
    """Return the slot of a player's newest card."""
    return slot_at(table, player, hand_length(table, player) - 1)


@njit(cache=True, nogil=True)
def is_reclaim(table: Table, receiver: int, touched: int) -> bool:
    """Return whether a rank hint only passes the turn: at 8 tokens, touching the oldest card."""
    oldest_slot = slot_at(table, receiver, 0)
    return table.tokens == table.max_tokens and (touched >> oldest_slot & 1) == 1


@njit(cache=True, nogil=True)
def name_oldest(table: Table, hands: Hands, partner: int) -> int:
    """Return the hint of the rank of the partner's oldest card, which passes the turn."""
    return RANK_HINT + int(hands[partner, slot_at(table, partner, 0)]) % RANKS
