"""Rules that compare hints by what they would touch or show, and give the best one.

Walton-Rivers et al. 2017, Canaan et al.'s public rule base (67 to 71, 78 to 82) and own ones.
Each returns a move, ``NO_MOVE``, or ``SPREAD`` after writing the moves' weights. They are called
only when there is a token. Hints are compared ranks before colours, ascending.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.rules.hints import (
    cards_open,
    cards_open_after,
    colour_hint,
    has_full_hand,
    nth_hint,
    rank_hint,
    slots_holding,
    touched_slots,
    unsure_slots,
)
from hoad.agents.situation import (
    HINTS,
    NO_MOVE,
    SLOTS,
    Situation,
    count_cards,
    count_left,
    spread_evenly,
    useless_cards,
)

TELL_MOST_INFORMATION: Final = 150
TELL_MOST_NEW_INFORMATION: Final = 151
TELL_SOMETHING_NEW: Final = 152
TELL_MOST_PLAYABLE_CARDS: Final = 153
TELL_UNAMBIGUOUS_MOST_PLAYABLE: Final = 154
TELL_UNAMBIGUOUS_FEWEST_OTHERS: Final = 155
TELL_UNAMBIGUOUS_2: Final = 156
TELL_AT_LEAST_N_USELESS: Final = 157


@njit(cache=True, nogil=True, inline="always")
def fire_comparing(
    rule: int, first: int, second: int, situation: Situation, weights: np.ndarray
) -> int:
    """Return the move of a rule that compares hints, ``NO_MOVE`` or ``SPREAD``."""
    if rule == TELL_MOST_INFORMATION:
        return tell_most_information(situation, False)
    if rule == TELL_MOST_NEW_INFORMATION:
        return tell_most_information(situation, True)
    if rule == TELL_SOMETHING_NEW:
        return tell_something_new(situation, weights)
    if rule == TELL_MOST_PLAYABLE_CARDS:
        return tell_most_playable_cards(situation)
    if rule == TELL_UNAMBIGUOUS_MOST_PLAYABLE:
        return tell_unambiguous(situation, SLOTS + 1, -1)
    if rule == TELL_UNAMBIGUOUS_FEWEST_OTHERS:
        return tell_unambiguous(situation, 1, -SLOTS - 1)
    if rule == TELL_UNAMBIGUOUS_2:
        return tell_unambiguous_2(situation, first, second)
    if rule == TELL_AT_LEAST_N_USELESS:
        return tell_at_least_n_useless(situation, first)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_most_information(situation: Situation, only_new: bool) -> int:
    """Give the hint that touches most cards, or most cards whose attribute is unknown."""
    chosen, best = NO_MOVE, 0
    for index in range(HINTS):
        hint = nth_hint(index)
        counted = touched_slots(situation, hint)
        if only_new:
            counted &= unsure_slots(situation, hint)
        if count_cards(counted) > best:
            chosen, best = hint, count_cards(counted)
    return chosen


@njit(cache=True, nogil=True)
def tell_something_new(situation: Situation, weights: np.ndarray) -> int:
    """Give a hint that says something new about a card it touches, all equally likely."""
    hints = 0
    for index in range(HINTS):
        hint = nth_hint(index)
        if touched_slots(situation, hint) & unsure_slots(situation, hint):
            hints |= 1 << hint
    return spread_evenly(hints, weights) if hints else NO_MOVE


@njit(cache=True, nogil=True)
def tell_most_playable_cards(situation: Situation) -> int:
    """Give the hint that touches most cards, all of them playable, one of them newly."""
    playable = slots_holding(situation, situation.playable)
    chosen, best = NO_MOVE, 0
    for index in range(HINTS):
        hint = nth_hint(index)
        touched = touched_slots(situation, hint)
        is_good = not touched & ~playable and touched & unsure_slots(situation, hint)
        if is_good and count_cards(touched) > best:
            chosen, best = hint, count_cards(touched)
    return chosen


@njit(cache=True, nogil=True)
def tell_unambiguous(situation: Situation, playable_weight: int, other_weight: int) -> int:
    """Tell what is unknown of the playable card that is confused best with other cards.

    A hint confuses a card with the others that it says something new about: the weights say how
    much it counts that they are playable or not. Ties go to the first slot, rank before colour.
    As in the published program it does not fire if the partner lacks a card.
    """
    if not has_full_hand(situation):
        return NO_MOVE
    playable = slots_holding(situation, situation.playable)
    chosen, best = NO_MOVE, 0
    for slot in range(SLOTS):
        if not playable >> slot & 1:
            continue
        for hint in (rank_hint(situation, slot), colour_hint(situation, slot)):
            new = touched_slots(situation, hint) & unsure_slots(situation, hint)
            if not new >> slot & 1:
                continue
            others = new & ~(1 << slot)
            score = playable_weight * count_cards(others & playable)
            score += other_weight * count_cards(others & ~playable)
            if chosen == NO_MOVE or score > best:
                chosen, best = hint, score
    return chosen


@njit(cache=True, nogil=True)
def tell_unambiguous_2(situation: Situation, playable_weight: int, other_weight: int) -> int:
    """Give the hint after which playable cards look playable and others do not.

    It maximises the weighted sum of how likely each card looks to be playable from the hints and
    the table. As in the published program it fires whenever the partner has a playable card, even
    with a hint that says nothing new, but not if the partner lacks a card.
    """
    playable = slots_holding(situation, situation.playable)
    if not playable or not has_full_hand(situation):
        return NO_MOVE
    chosen, best = NO_MOVE, -100.0
    for index in range(HINTS):
        hint = nth_hint(index)
        if not touched_slots(situation, hint):
            continue
        score = 0.0
        for slot in range(SLOTS):
            cards = cards_open_after(situation, slot, hint)
            good = count_left(situation.table, cards & situation.playable)
            weight = playable_weight if playable >> slot & 1 else other_weight
            score += weight * (good / count_left(situation.table, cards))
        if score > best:
            chosen, best = hint, score
    return chosen


@njit(cache=True, nogil=True)
def tell_at_least_n_useless(situation: Situation, wanted: int) -> int:
    """Give the last hint after which ``wanted`` cards are seen to be useless, if none is yet.

    The published program then takes the last such hint, not the best; where there is none it
    makes an impossible move, which aborts its game: here it does not fire. Likewise if the
    partner lacks a card.
    """
    useless = useless_cards(situation.table)
    if not slots_holding(situation, useless) or not has_full_hand(situation):
        return NO_MOVE
    for slot in range(SLOTS):
        if not cards_open(situation, slot) & ~useless:
            return NO_MOVE
    for index in range(HINTS - 1, -1, -1):
        hint = nth_hint(index)
        if touched_slots(situation, hint) and _seen_useless(situation, hint, useless) >= wanted:
            return hint
    return NO_MOVE


@njit(cache=True, nogil=True)
def _seen_useless(situation: Situation, hint: int, useless: int) -> int:
    """Return how many of the partner's cards a hint would show to be useless."""
    seen = 0
    for slot in range(SLOTS):
        seen += int(not cards_open_after(situation, slot, hint) & ~useless)
    return seen
