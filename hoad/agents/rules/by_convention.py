"""Rules that follow conventions: what hints mean (:mod:`.conventions`), and hints that mean it.

Each returns a move, ``NO_MOVE``, or ``SPREAD`` after writing the moves' weights.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.rules.conventions import (
    BY_CHANCE,
    EARLIEST_HINT,
    EVERY,
    LATEST_HINT,
    NEWEST,
    OLDEST,
    counts,
    first_in_order,
    focus_now,
    meant_cards,
    slots_meant,
)
from hoad.agents.rules.tell import (
    HINT_ORDER,
    cards_open,
    cards_open_after,
    new_slots,
    slots_holding,
    touched_slots,
)
from hoad.agents.situation import (
    ALL_CARDS,
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    cards_of_rank,
    count_cards,
    discard_slot,
    held_slots,
    necessary_cards,
    newest_of,
    partner_card,
    play_slot,
    possible_cards,
    spread_evenly,
    sure_slots,
    untouched_slots,
    useless_cards,
)
from hoad.game.moves import COLOUR_HINT, RANK_HINT
from hoad.game.state import NO_CARD

PLAY_MEANT: Final = 400
TELL_TO_PLAY: Final = 410
TELL_TO_STOP: Final = 411
TELL_TO_SAVE_NEXT: Final = 412
TELL_ONLY: Final = 413
DISCARD_NEXT: Final = 420

# What a set of cards or slots is, for hints and discards.
NECESSARY: Final = 0
USEFUL: Final = 16
"""Not useless, and the partner holds no other copy."""
PLAYABLE: Final = 32
USELESS: Final = 48
UNTOUCHED: Final = 64
NEW_AND_USEFUL: Final = 80
"""Untouched and not useless."""
NOTHING_NEW: Final = 96
"""The hint says nothing new about the card."""
SHOWN_UNPLAYABLE: Final = 112
"""Touched, known not to be playable now, and not sure to be necessary."""
SHOWN_USELESS: Final = 160
"""Touched, known not to be playable now, and perhaps useless."""
TWO: Final = 176
"""A 2 that is useful."""
SPARE: Final = 128
"""Useless or a copy of a card that the partner holds, whatever unseen card it is."""
NOT_MEANT: Final = 144
"""Neither touched and perhaps playable, nor sure to be necessary."""

# Preferences among hints; ties go to ranks before colours, ascending.
RANK_FIRST: Final = 0
COLOUR_FIRST: Final = 1
MOST: Final = 2
FEWEST: Final = 3
MOST_NEW: Final = 4
MOST_PLAYABLE: Final = 5
LOWEST: Final = 6
"""The playable card of the lowest rank."""
NEWEST_CARD: Final = 7
# BY_CHANCE is 8.

# Options of TELL_TO_PLAY, added to the preference.
UNLESS_BUSY: Final = 16
"""Not while the partner holds a card that a hint meant and that may be playable."""
TOUCH_NEW: Final = 32
"""The hint touches no card that a hint touched before."""

# Options of TELL_TO_STOP, added to the reading: the order in which the partner plays.
_ORDER: Final = 8
NEWEST_NEXT: Final = NEWEST << _ORDER
OLDEST_NEXT: Final = OLDEST << _ORDER
LATEST_HINT_NEXT: Final = LATEST_HINT << _ORDER

_PREFERENCE: Final = 15


@njit(cache=True, nogil=True)
def fire_convention(
    rule: int, first: int, second: int, situation: Situation, weights: np.ndarray
) -> int:
    """Return the move of a rule that follows a convention, ``NO_MOVE`` or ``SPREAD``."""
    table = situation.table
    if rule == PLAY_MEANT:
        return play_slot(situation, next_play(situation, situation.me, first, second))
    if rule == DISCARD_NEXT:
        if table.tokens == table.max_tokens:
            return NO_MOVE
        return discard_next(situation, first, second, weights)
    if table.tokens == 0:
        return NO_MOVE
    if rule == TELL_TO_PLAY:
        return tell_to_play(situation, first, second, weights)
    if rule == TELL_TO_STOP:
        return tell_to_stop(situation, first, second, weights)
    if rule == TELL_TO_SAVE_NEXT:
        return tell_to_save_next(situation, first, second, weights)
    if rule == TELL_ONLY:
        return tell_only(situation, first, second, weights)
    return NO_MOVE


@njit(cache=True, nogil=True)
def next_play(situation: Situation, player: int, reading: int, order: int) -> int:
    """Return the slot of the card that a player plays next by a reading of hints, or -1.

    That is the first, in an order, of the cards that hints meant and that may still be playable.
    """
    meant = meant_cards(situation, player, reading, order == EARLIEST_HINT)
    slots = slots_meant(meant) & maybe_slots(situation, player)
    return first_in_order(situation, player, slots, order, meant, situation.playable)


@njit(cache=True, nogil=True)
def maybe_slots(situation: Situation, player: int) -> int:
    """Return the set of slots with a card that may be playable for all that is known of it."""
    slots = 0
    for slot in range(SLOTS):
        if player == situation.me:
            cards = possible_cards(situation, slot)
        else:
            cards = cards_open(situation, slot)
        slots |= int(cards & situation.playable != 0) << slot
    return slots & held_slots(situation.table, player)


@njit(cache=True, nogil=True)
def discard_next(situation: Situation, kind: int, order: int, weights: np.ndarray) -> int:
    """Discard the first card of a kind in an order, or any of them by chance."""
    table, me = situation.table, situation.me
    slots = own_slots(situation, kind) & held_slots(table, me)
    if order != BY_CHANCE:
        useless = useless_cards(table)
        return discard_slot(situation, first_in_order(situation, me, slots, order, 0, useless))
    moves = 0
    for slot in range(SLOTS):
        moves |= int(slots >> slot & 1) << max(discard_slot(situation, slot), 0)
    return spread_evenly(moves, weights) if slots else NO_MOVE


@njit(cache=True, nogil=True)
def own_slots(situation: Situation, kind: int) -> int:
    """Return the set of my slots that are of a kind, for all that I know."""
    table, me = situation.table, situation.me
    untouched = untouched_slots(table, me)
    if kind == UNTOUCHED:
        return untouched
    maybe = maybe_slots(situation, me)
    if kind == SHOWN_UNPLAYABLE:
        return ~untouched & ~maybe & ~sure_slots(situation, necessary_cards(table))
    if kind == SHOWN_USELESS:
        return ~untouched & ~maybe & maybe_useless_slots(situation)
    if kind == NOT_MEANT:
        return ~(~untouched & maybe) & ~sure_slots(situation, necessary_cards(table))
    held = 0
    for slot in range(SLOTS):
        card = partner_card(situation, slot)
        held |= int(card != NO_CARD) << min(card, RANKS * RANKS)
    return sure_slots(situation, (useless_cards(table) | held) & ALL_CARDS)


@njit(cache=True, nogil=True)
def maybe_useless_slots(situation: Situation) -> int:
    """Return the set of my slots with a card that may be useless for all that I know."""
    slots, useless = 0, useless_cards(situation.table)
    for slot in range(SLOTS):
        slots |= int(possible_cards(situation, slot) & useless != 0) << slot
    return slots


@njit(cache=True, nogil=True)
def tell_to_play(situation: Situation, reading: int, options: int, weights: np.ndarray) -> int:
    """Give a hint that means a playable card by a reading, which no hint has meant before.

    If every touched card is meant, those that are not playable must be seen not to be.
    """
    table, partner = situation.table, situation.partner
    meant = slots_meant(meant_cards(situation, partner, reading, False))
    meant &= maybe_slots(situation, partner)
    if options & UNLESS_BUSY and meant:
        return NO_MOVE
    playable = slots_holding(situation, situation.playable)
    touched_before = ~untouched_slots(table, partner)
    hints, focuses = 0, 0
    for hint in HINT_ORDER:
        touched = touched_slots(situation, hint)
        if (options & TOUCH_NEW and touched & touched_before) or not counts(reading, hint):
            continue
        focus = focus_now(situation, reading, touched)
        if reading & 7 == EVERY:
            for slot in range(SLOTS):
                if not cards_open_after(situation, slot, hint) & situation.playable:
                    focus &= ~(1 << slot)
        if focus & ~meant and not focus & ~playable:
            hints |= 1 << hint
            focuses |= focus
    return tell_preferred(situation, hints, focuses, options & _PREFERENCE, weights)


@njit(cache=True, nogil=True)
def tell_to_stop(situation: Situation, argument: int, preference: int, weights: np.ndarray) -> int:
    """Give a hint that shows the partner that the card it would play next is not playable.

    ``argument`` is a reading and the order in which the partner plays.
    """
    slot = next_play(situation, situation.partner, argument & 255, argument >> _ORDER)
    if slot < 0 or slots_holding(situation, situation.playable) >> slot & 1:
        return NO_MOVE
    hints = 0
    for hint in HINT_ORDER:
        shown = not cards_open_after(situation, slot, hint) & situation.playable
        hints |= int(shown and touched_slots(situation, hint) != 0) << hint
    return tell_preferred(situation, hints, 1 << slot, preference, weights)


@njit(cache=True, nogil=True)
def tell_to_save_next(
    situation: Situation, argument: int, preference: int, weights: np.ndarray
) -> int:
    """Tell about the untouched card that the partner discards next, if it is of a kind.

    ``argument`` is a kind and the order in which the partner discards.
    """
    table, partner = situation.table, situation.partner
    untouched = untouched_slots(table, partner) & held_slots(table, partner)
    slot = first_in_order(situation, partner, untouched, argument & _PREFERENCE, 0, 0)
    if slot < 0 or not partner_slots(situation, argument & ~_PREFERENCE) >> slot & 1:
        return NO_MOVE
    hints = 0
    for hint in HINT_ORDER:
        hints |= int(touched_slots(situation, hint) >> slot & 1) << hint
    return tell_preferred(situation, hints, 1 << slot, preference, weights)


@njit(cache=True, nogil=True)
def partner_slots(situation: Situation, kind: int) -> int:
    """Return the set of the partner's slots that are of a kind."""
    table = situation.table
    if kind == NECESSARY:
        return slots_holding(situation, necessary_cards(table))
    if kind == PLAYABLE:
        return slots_holding(situation, situation.playable)
    if kind == USELESS:
        return slots_holding(situation, useless_cards(table))
    untouched = untouched_slots(table, situation.partner)
    if kind == UNTOUCHED:
        return untouched
    useful = slots_holding(situation, ALL_CARDS & ~useless_cards(table))
    if kind == NEW_AND_USEFUL:
        return useful & untouched
    for slot in range(SLOTS):
        for other in range(SLOTS):
            if slot != other and partner_card(situation, slot) == partner_card(situation, other):
                useful &= ~(1 << slot)
    return useful & slots_holding(situation, cards_of_rank(1)) if kind == TWO else useful


@njit(cache=True, nogil=True)
def tell_only(situation: Situation, kind: int, preference: int, weights: np.ndarray) -> int:
    """Give a hint that touches only cards of a kind, and says something new unless that is it."""
    of_kind = partner_slots(situation, kind) if kind != NOTHING_NEW else 0
    hints = 0
    for hint in HINT_ORDER:
        touched, new = touched_slots(situation, hint), new_slots(situation, hint)
        if kind == NOTHING_NEW:
            hints |= int(touched != 0 and new == 0) << hint
        else:
            hints |= int(new != 0 and not touched & ~of_kind) << hint
    return tell_preferred(situation, hints, of_kind, preference, weights)


@njit(cache=True, nogil=True)
def tell_preferred(
    situation: Situation, hints: int, slots: int, preference: int, weights: np.ndarray
) -> int:
    """Return the preferred hint of a set, or ``SPREAD`` over all; ``slots``: what it is about."""
    if not hints:
        return NO_MOVE
    if preference == BY_CHANCE:
        return spread_evenly(hints, weights)
    chosen, best = NO_MOVE, 0
    for hint in HINT_ORDER:
        if hints >> hint & 1:
            score = _liking(situation, hint, slots, preference)
            if chosen == NO_MOVE or score > best:
                chosen, best = hint, score
    return chosen


@njit(cache=True, nogil=True)
def _liking(situation: Situation, hint: int, slots: int, preference: int) -> int:
    """Return how much a hint is preferred."""
    touched = touched_slots(situation, hint)
    if preference == MOST:
        return count_cards(touched)
    if preference == FEWEST:
        return -count_cards(touched)
    if preference == MOST_NEW:
        return count_cards(new_slots(situation, hint))
    if preference == MOST_PLAYABLE:
        playable = slots_holding(situation, situation.playable)
        return count_cards(touched & playable) * SLOTS - count_cards(touched & ~playable)
    if preference == LOWEST:
        lowest = RANKS
        for slot in range(SLOTS):
            if (touched & slots) >> slot & 1:
                lowest = min(lowest, partner_card(situation, slot) % RANKS)
        return -lowest
    if preference == NEWEST_CARD:
        newest = newest_of(situation.table, situation.partner, touched & slots)
        for position in range(SLOTS):
            if int(situation.table.order[situation.partner, position]) == newest:
                return position
        return NO_MOVE
    by_colour = int(COLOUR_HINT <= hint < RANK_HINT)
    return by_colour if preference == COLOUR_FIRST else 0
