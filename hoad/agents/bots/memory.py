"""What O'Dwyer's SimpleBot, ValueBot and HolmesBot share: their memory and their conventions.

Each of them keeps a table of both hands, in which it notes for both players what actions said
about their cards. The memory holds a colour and a value for every card, by player and slot,
and sets of slots (bit s: slot s), one byte a player. A card that leaves is forgotten; the card
drawn into its slot starts blank.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Hands, Memory, Table
from hoad.agents.bots.card_sets import hand_length, last_copies, name_oldest, slot_at
from hoad.agents.situation import HINTS, NO_MOVE, RANKS, SLOTS, cards_of_rank, oldest, only_value
from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT
from hoad.game.state import NO_CARD, signed

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
NOTES: Final = WORTHLESS + 2
"""Bytes of all this."""

BEYOND: Final = RANKS + 1
"""The value that a colour hint promises if the firework is complete, which no card has."""

_SCORE_BITS: Final = 4
"""Bits of the score of one hint; scores are packed, colours first, then ranks."""


@njit(cache=True, nogil=True)
def note(memory: Memory, field: int, player: int, slots: int, value: int) -> None:
    """Write the colour or value of the cards in a set of slots."""
    for slot in range(SLOTS):
        card = field + player * SLOTS + slot
        memory[card] = value if slots >> slot & 1 else memory[card]  # faster than a branch


@njit(cache=True, nogil=True)
def marked(memory: Memory, field: int, player: int) -> int:
    """Return one of a player's sets of slots."""
    return signed(memory[field + player])


@njit(cache=True, nogil=True)
def mark(memory: Memory, field: int, player: int, slots: int) -> None:
    """Add slots to one of a player's sets."""
    memory[field + player] = marked(memory, field, player) | slots


@njit(cache=True, nogil=True)
def unmark(memory: Memory, field: int, player: int, slots: int) -> None:
    """Take slots out of one of a player's sets."""
    memory[field + player] = marked(memory, field, player) & ~slots


@njit(cache=True, nogil=True)
def forget(memory: Memory, player: int, touched: int) -> None:
    """Make the entries of the only slot of a set blank: its card leaves."""
    card = player * SLOTS + only_value(touched)
    memory[COLOUR + card] = 0
    memory[VALUE + card] = 0
    for field in (PLAYABLE, VALUABLE, WORTHLESS):
        unmark(memory, field, player, touched)


@njit(cache=True, nogil=True)
def slots_with(memory: Memory, field: int, player: int, value: int) -> int:
    """Return the set of slots that have this colour or value noted."""
    slots = 0
    for slot in range(SLOTS):
        slots |= int(memory[field + player * SLOTS + slot] == value) << slot
    return slots


@njit(cache=True, nogil=True)
def clear_copies(memory: Memory, card: int) -> None:
    """Unmark as playable what may be another copy of ``card``; a 5 has none."""
    colour, value = card // RANKS + 1, card % RANKS + 1
    for player in range(2):
        may_be = slots_with(memory, COLOUR, player, 0)
        may_be |= slots_with(memory, COLOUR, player, colour)
        same = slots_with(memory, VALUE, player, value) if value != RANKS else 0
        unmark(memory, PLAYABLE, player, may_be & (same | slots_with(memory, VALUE, player, 0)))


@njit(cache=True, nogil=True)
def smallest_value(table: Table, memory: Memory, player: int, slots: int) -> int:
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
def next_discard(table: Table, memory: Memory, player: int) -> int:
    """Return the slot that a player would discard unless a hint prevents it, or -1."""
    if memory[PLAYABLE + player] or memory[WORTHLESS + player]:
        return -1
    kept = marked(memory, VALUABLE, player)
    position = oldest(table, player, ~kept)
    return slot_at(table, player, position) if position >= 0 else -1


@njit(cache=True, nogil=True)
def warn_play_or_hint(
    table: Table,
    hands: Hands,
    me: int,
    memory: Memory,
    may_be_last: int,
    safe_by_colour: int,
    safe_by_rank: int,
) -> int:
    """Warn the partner before it discards a last copy, else play, else hint at plays.

    Returns ``NO_MOVE`` if there is nothing of the kind to do. ``may_be_last`` are the last copies
    that the partner's next discard can be, so that naming its rank would be a warning; for the
    other arguments see :func:`helpful_hint`.
    """
    partner = 1 - me
    slot = next_discard(table, memory, partner)
    card = int(hands[partner, slot]) if slot >= 0 else NO_CARD
    endangered = table.tokens > 0 and slot >= 0 and last_copies(table) >> card & 1 == 1
    if not endangered:
        position = smallest_value(table, memory, me, marked(memory, PLAYABLE, me))
        if position >= 0:
            return PLAY + position
    if not table.tokens:
        return NO_MOVE
    warns = slot >= 0 and may_be_last & cards_of_rank(card % RANKS) != 0
    avoided = card % RANKS if warns else -1
    known = marked(memory, PLAYABLE, partner)
    hint = helpful_hint(table, hands[partner], known, safe_by_colour, safe_by_rank, avoided)
    return RANK_HINT + card % RANKS if endangered and hint == NO_MOVE else hint


@njit(cache=True, nogil=True)
def pass_or_discard(table: Table, hands: Hands, me: int, memory: Memory) -> int:
    """Pass at 8 tokens; else discard a worthless card, else one not to be kept, else the highest.

    Ties go to the oldest card.
    """
    if table.tokens == table.max_tokens:
        return name_oldest(table, hands, 1 - me)
    position = oldest(table, me, marked(memory, WORTHLESS, me))
    if position < 0:
        position = oldest(table, me, ~marked(memory, VALUABLE, me))
    if position >= 0:
        return position
    chosen, largest = -1, -1
    for position in range(hand_length(table, me)):
        value = int(memory[VALUE + me * SLOTS + slot_at(table, me, position)])
        if value > largest:
            chosen, largest = position, value
    return chosen


@njit(cache=True, nogil=True)
def helpful_hint(
    table: Table,
    cards: np.ndarray,
    known: int,
    safe_by_colour: int,
    safe_by_rank: int,
    avoided: int,
) -> int:
    """Return the hint that names most new plays and misleads about no card, or ``NO_MOVE``.

    Ties go to colours before ranks, and to the lower one. ``cards`` are the receiver's by slot; it
    calls the slots in ``known`` playable already. A colour hint does not make the slots in
    ``safe_by_colour`` playable, likewise ``safe_by_rank``. The rank ``avoided`` (-1: none) is not
    named.
    """
    scores = 0
    spoilt = 15 << _SCORE_BITS * (RANKS + avoided) if avoided >= 0 else 0
    for slot in range(SLOTS):
        card = int(cards[slot])
        if card == NO_CARD:
            continue
        colour, rank = card // RANKS, card % RANKS
        by_colour, by_rank = _SCORE_BITS * colour, _SCORE_BITS * (RANKS + rank)
        if int(table.fireworks[colour]) != rank:
            spoilt |= 15 * (~safe_by_colour >> slot & 1) << by_colour
            spoilt |= 15 * (~safe_by_rank >> slot & 1) << by_rank
        elif not known >> slot & 1:
            scores += (1 << by_colour) + (1 << by_rank)
    scores &= ~spoilt
    best, chosen = 0, NO_MOVE
    if not scores:
        return NO_MOVE
    for hint in range(HINTS):
        score = scores >> _SCORE_BITS * hint & 15
        if score > best:
            best, chosen = score, COLOUR_HINT + hint
    return chosen
