"""What O'Dwyer's SimpleBot, ValueBot and HolmesBot share: their memory and their conventions.

Each of them keeps a table of both hands, in which it notes for both players what actions said
about their cards. The memory holds a colour and a value for every card, by player and slot,
and sets of slots (bit s: slot s), one byte a player. A card that leaves is forgotten; the card
drawn into its slot starts blank.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.bots.card_sets import last_copies
from hoad.agents.bots.hand_slots import held_slots, oldest, slot_at
from hoad.agents.situation import HINTS, RANKS, SLOTS
from hoad.game.moves import COLOUR_HINT
from hoad.game.state import NO_CARD

CARDS: Final = 2 * SLOTS
COLOUR: Final = 0
"""First byte of the colours: 1 + colour, 0 unknown."""
VALUE: Final = CARDS
"""First byte of the values: 1 to 5 as printed, ``BEYOND``, 0 unknown."""
PLAYABLE: Final = 2 * CARDS
"""First of two bytes: the slots of cards to be played."""
VALUABLE: Final = PLAYABLE + 2
"""Likewise: cards to be kept."""
WORTHLESS: Final = VALUABLE + 2
"""Likewise: cards to be discarded."""
MEMORY: Final = WORTHLESS + 2
"""Bytes of all this."""

BEYOND: Final = RANKS + 1
"""The value that a colour hint promises if the firework is complete, which no card has."""

_SCORE_BITS: Final = 4
"""Bits of the score of one hint; scores are packed, colours first, then ranks."""


@njit(cache=True, nogil=True)
def note(memory: np.ndarray, field: int, player: int, slots: int, value: int) -> None:
    """Write the colour or value of the cards in a set of slots."""
    for slot in range(SLOTS):
        if slots >> slot & 1:
            memory[field + player * SLOTS + slot] = value


@njit(cache=True, nogil=True)
def marked(memory: np.ndarray, field: int, player: int) -> int:
    """Return one of a player's sets of slots."""
    return 0 | int(memory[field + player])  # the 0 makes it a signed number


@njit(cache=True, nogil=True)
def mark(memory: np.ndarray, field: int, player: int, slots: int) -> None:
    """Add slots to one of a player's sets."""
    memory[field + player] = marked(memory, field, player) | slots


@njit(cache=True, nogil=True)
def unmark(memory: np.ndarray, field: int, player: int, slots: int) -> None:
    """Take slots out of one of a player's sets."""
    memory[field + player] = marked(memory, field, player) & ~slots


@njit(cache=True, nogil=True)
def forget(memory: np.ndarray, player: int, slots: int) -> None:
    """Make the entries of a set of slots blank."""
    note(memory, COLOUR, player, slots, 0)
    note(memory, VALUE, player, slots, 0)
    unmark(memory, PLAYABLE, player, slots)
    unmark(memory, VALUABLE, player, slots)
    unmark(memory, WORTHLESS, player, slots)


@njit(cache=True, nogil=True)
def slots_with(memory: np.ndarray, field: int, player: int, value: int) -> int:
    """Return the set of slots that have this colour or value noted."""
    slots = 0
    for slot in range(SLOTS):
        slots |= int(memory[field + player * SLOTS + slot] == value) << slot
    return slots


@njit(cache=True, nogil=True)
def clear_copies(memory: np.ndarray, card: int) -> None:
    """Unmark as playable what may be another copy of ``card``; a 5 has none."""
    colour, value = card // RANKS + 1, card % RANKS + 1
    for player in range(2):
        playable = marked(memory, PLAYABLE, player)
        if playable:
            may_be = slots_with(memory, COLOUR, player, 0)
            may_be |= slots_with(memory, COLOUR, player, colour)
            same = slots_with(memory, VALUE, player, value) if value != RANKS else 0
            may_be &= same | slots_with(memory, VALUE, player, 0)
            memory[PLAYABLE + player] = playable & ~may_be


@njit(cache=True, nogil=True)
def smallest_value(table: np.record, memory: np.ndarray, player: int, slots: int) -> int:
    """Return the position of the smallest value among a set of held slots, or -1.

    An unknown value is the smallest, ``BEYOND`` none at all; ties go to the oldest card.
    """
    chosen, smallest = -1, BEYOND
    if slots:
        for position in range(SLOTS):
            slot = slot_at(table, player, position)
            value = int(memory[VALUE + player * SLOTS + slot])
            if slots >> slot & 1 and value < smallest:
                chosen, smallest = position, value
    return chosen


@njit(cache=True, nogil=True)
def largest_value(table: np.record, memory: np.ndarray, player: int) -> int:
    """Return the position of a player's card of the largest value; ties go to the oldest."""
    chosen, largest = -1, -1
    for position in range(SLOTS):
        value = int(memory[VALUE + player * SLOTS + slot_at(table, player, position)])
        if position < int(table.hand_length[player]) and value > largest:
            chosen, largest = position, value
    return chosen


@njit(cache=True, nogil=True)
def next_discard(table: np.record, memory: np.ndarray, player: int) -> int:
    """Return the slot that a player would discard unless a hint prevents it, or -1."""
    if memory[PLAYABLE + player] or memory[WORTHLESS + player]:
        return -1
    kept = marked(memory, VALUABLE, player)
    position = oldest(table, player, held_slots(table, player) & ~kept)
    return slot_at(table, player, position) if position >= 0 else -1


@njit(cache=True, nogil=True)
def endangered_card(table: np.record, hands: np.ndarray, partner: int, memory: np.ndarray) -> int:
    """Return the last copy that the partner would discard next if not warned, or -1.

    Without a token there is no warning, and the answer is -1.
    """
    if not table.tokens:
        return -1
    slot = next_discard(table, memory, partner)
    if slot < 0:
        return -1
    card = int(hands[partner, slot])
    return card if last_copies(table) >> card & 1 else -1


@njit(cache=True, nogil=True)
def discard(table: np.record, memory: np.ndarray, me: int) -> int:
    """Discard the oldest worthless card, else the oldest not to be kept, else the highest."""
    position = oldest(table, me, marked(memory, WORTHLESS, me))
    if position < 0:
        position = oldest(table, me, held_slots(table, me) & ~marked(memory, VALUABLE, me))
    return position if position >= 0 else largest_value(table, memory, me)


@njit(cache=True, nogil=True)
def helpful_hint(
    table: np.record,
    cards: np.ndarray,
    known: int,
    safe_by_colour: int,
    safe_by_rank: int,
    avoided: int,
) -> int:
    """Return the hint that names most new plays and no card that it would mislead about, or -1.

    Ties go to colours before ranks, and to the lower one.

    Args:
        table: the public record.
        cards: the receiver's cards by slot.
        known: slots that the receiver already calls playable.
        safe_by_colour: slots that a colour hint does not make playable.
        safe_by_rank: likewise for rank hints.
        avoided: a rank that is not to be named, or -1.
    """
    scores, spoilt = 0, 0
    if avoided >= 0:
        spoilt = 15 << _SCORE_BITS * (RANKS + avoided)
    for slot in range(SLOTS):
        card = int(cards[slot])
        if card == NO_CARD:
            continue
        colour, rank = card // RANKS, card % RANKS
        by_colour, by_rank = _SCORE_BITS * colour, _SCORE_BITS * (RANKS + rank)
        if int(table.fireworks[colour]) != rank:
            if not safe_by_colour >> slot & 1:
                spoilt |= 15 << by_colour
            if not safe_by_rank >> slot & 1:
                spoilt |= 15 << by_rank
        elif not known >> slot & 1:
            scores += (1 << by_colour) + (1 << by_rank)
    return _best_hint(scores & ~spoilt)


@njit(cache=True, nogil=True)
def _best_hint(scores: int) -> int:
    best, chosen = 0, -1
    for hint in range(HINTS):
        score = scores >> _SCORE_BITS * hint & 15
        if score > best:
            best, chosen = score, COLOUR_HINT + hint
    return chosen
