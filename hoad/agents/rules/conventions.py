"""What players agree on without a word: which card a hint means, which card is discarded next.

A *reading* says which of the cards that a hint touches it means, and which hints count at all. It
is an int: one focus, and options. A card that a hint meant is playable until shown otherwise,
however long ago that was. The *order* says which card of several comes first. These are common
knowledge among people who play Hanabi; no program was their source.

What happened is read from the table: no memory is needed.
"""

from typing import Final

from numba import njit

from hoad.agents.situation import (
    ALL_SLOTS,
    NO_MOVE,
    SLOTS,
    Situation,
    likeliest_slot,
    lowest_slot,
    newest_of,
    oldest_of,
    only_value,
    untouched_slots,
)
from hoad.game.moves import COLOUR_HINT, RANK_HINT
from hoad.game.state import signed

# The focus of a reading: which of the cards that a hint touches it means.
EVERY: Final = 0
NEWEST: Final = 1
OLDEST: Final = 2
FIRST_SLOT: Final = 3
LAST_SLOT: Final = 4
CHOP_OR_NEWEST: Final = 5
"""The oldest card that was untouched before, where the hint touches it; else the newest."""
NEWEST_UNLESS_CHOP: Final = 6
"""The newest; but a hint that touches the oldest untouched card saves it, and means no play."""
NEWEST_NEW: Final = 7
"""The newest that was untouched before, if there is one; else the newest."""

# Options of a reading: which hints count.
BY_COLOUR: Final = 8
BY_RANK: Final = 16
JUST_NOW: Final = 32
"""Only the partner's last move."""
LATEST: Final = 64
"""Only the latest hint that counts otherwise."""

# Orders; NEWEST to LAST_SLOT are orders too.
LIKELIEST: Final = 5
LATEST_HINT: Final = 6
EARLIEST_HINT: Final = 7
BY_CHANCE: Final = 8

_FOCUS: Final = 7
_STAMPS: Final = 0x0403020100  # of the dealt cards: slot 0 holds the oldest


@njit(cache=True, nogil=True)
def meant_cards(situation: Situation, player: int, reading: int, first_time: bool) -> int:
    """Return which cards hints to a player meant: one byte a slot, 0 for none.

    The byte is the number of the hint that meant the card, counted from 1: the latest one, or
    (``first_time``) the earliest.
    """
    table, untouched, meant = situation.table, ALL_SLOTS, 0
    stamps = _STAMPS
    turn = signed(table.turn)
    moves_now = 1 if player == situation.me else 0
    number = 0
    for past in range(turn):
        action, touched = signed(table.actions[past]), signed(table.touched[past])
        is_own = (turn - past + moves_now) % 2 == 1
        if is_own and action < COLOUR_HINT:
            slot = only_value(touched)
            untouched |= touched
            meant = _with_byte(meant, slot, 0)
            stamps = _with_byte(stamps, slot, SLOTS + past)
        elif not is_own and action >= COLOUR_HINT:
            if counts(reading, action) and (not reading & JUST_NOW or past == turn - 1):
                number += 1
                meant = 0 if reading & LATEST else meant
                focus = focus_slots(reading, touched, untouched, stamps)
                for slot in range(SLOTS):
                    is_known = first_time and (meant >> 8 * slot & 255) != 0
                    if focus >> slot & 1 and not is_known:
                        meant = _with_byte(meant, slot, number)
            untouched &= ~touched
    return meant


@njit(cache=True, nogil=True)
def counts(reading: int, hint: int) -> bool:
    """Return whether a reading heeds hints like this one."""
    if hint < RANK_HINT:
        return not reading & BY_RANK
    return not reading & BY_COLOUR


@njit(cache=True, nogil=True)
def focus_slots(reading: int, touched: int, untouched: int, stamps: int) -> int:
    """Return which of the ``touched`` slots a hint means.

    ``untouched`` are the slots that no hint had touched before; ``stamps`` say by a byte a slot
    how late a card was drawn.
    """
    focus = reading & _FOCUS
    if focus == EVERY or not touched:
        return touched
    if focus == FIRST_SLOT:
        return touched & -touched
    if focus == LAST_SLOT:
        return 1 << highest_slot(touched)
    if focus == OLDEST:
        return _extreme(touched, stamps, -1)
    chop = _extreme(untouched, stamps, -1)
    if touched & chop and focus == CHOP_OR_NEWEST:
        return chop
    if touched & chop and focus == NEWEST_UNLESS_CHOP:
        return 0
    if touched & untouched and focus == NEWEST_NEW:
        return _extreme(touched & untouched, stamps, 1)
    return _extreme(touched, stamps, 1)


@njit(cache=True, nogil=True)
def focus_now(situation: Situation, reading: int, touched: int) -> int:
    """Return which of the partner's slots a hint would mean that touches these now."""
    table, partner = situation.table, situation.partner
    stamps = 0
    for position in range(SLOTS):
        stamps = _with_byte(stamps, int(table.order[partner, position]), position)
    return focus_slots(reading, touched, untouched_slots(table, partner), stamps)


@njit(cache=True, nogil=True)
def slots_meant(meant: int) -> int:
    """Return the set of slots with a byte other than 0."""
    slots = 0
    for slot in range(SLOTS):
        slots |= int(meant >> 8 * slot & 255 != 0) << slot
    return slots


@njit(cache=True, nogil=True)
def first_in_order(
    situation: Situation, player: int, slots: int, order: int, meant: int, cards: int
) -> int:
    """Return which of a player's slots comes first in an order, or -1.

    ``meant`` is of :func:`meant_cards`, for orders by hints; of cards that one hint meant the
    newest comes first. ``cards`` is what the likeliest of one's own cards is likely to be.
    """
    if order == NEWEST:
        return newest_of(situation.table, player, slots)
    if order == OLDEST:
        return oldest_of(situation.table, player, slots)
    if order == FIRST_SLOT:
        return lowest_slot(slots)
    if order == LAST_SLOT:
        return highest_slot(slots)
    if order == LIKELIEST:
        return likeliest_slot(situation, slots, cards, 0, True)
    best = 0
    sign = -1 if order == EARLIEST_HINT else 1
    for slot in range(SLOTS):
        if slots >> slot & 1:
            number = meant >> 8 * slot & 255
            best = number if best == 0 or sign * number > sign * best else best
    of_hint = 0
    for slot in range(SLOTS):
        of_hint |= int(slots >> slot & 1 and meant >> 8 * slot & 255 == best) << slot
    return newest_of(situation.table, player, of_hint)


@njit(cache=True, nogil=True)
def highest_slot(slots: int) -> int:
    """Return the last slot of a set in slot order, or -1."""
    for slot in range(SLOTS - 1, -1, -1):
        if slots >> slot & 1:
            return slot
    return NO_MOVE


@njit(cache=True, nogil=True)
def _extreme(slots: int, stamps: int, sign: int) -> int:
    """Return the slot of the newest (sign 1) or oldest (-1) card, as a set; none of none."""
    best, chosen = 0, 0
    for slot in range(SLOTS):
        stamp = stamps >> 8 * slot & 255
        if slots >> slot & 1 and (not chosen or sign * stamp > sign * best):
            best, chosen = stamp, 1 << slot
    return chosen


@njit(cache=True, nogil=True)
def _with_byte(packed: int, slot: int, value: int) -> int:
    return packed & ~(255 << 8 * slot) | value << 8 * slot
