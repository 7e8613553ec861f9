"""Rules that give a hint: about a card that they choose, or the best of all hints.

Walton-Rivers et al. 2017, Canaan et al. 2018, the latter's public rule base (ProbableMistake, 67 to
71, 78 to 82) and own ones. Each returns a move, ``NO_MOVE``, or ``SPREAD`` after writing the moves'
weights. They are called only when there is a token. The partner's cards are scanned by slot number
unless age is mentioned, hints are compared ranks before colours, ascending.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import SPREAD
from hoad.agents.situation import (
    ALL_CARDS,
    CERTAIN,
    HINTS,
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    cards_named,
    cards_of_rank,
    count_cards,
    count_left,
    known_colour,
    known_rank,
    lowest_firework,
    lowest_slot,
    necessary_cards,
    newest_of,
    oldest_of,
    partner_card,
    plausible_cards,
    spread_evenly,
    unknown_slots,
    untouched_slots,
    useless_cards,
)
from hoad.game.moves import COLOUR_HINT, MOVES, RANK_HINT
from hoad.game.state import NO_CARD

COMPLETE_TELL_USEFUL_CARD: Final = 100
TELL_ABOUT_ONES: Final = 101
TELL_LAST_USEFUL_CARD: Final = 102
TELL_USEFUL_CARD: Final = 103
TELL_USEFUL_CARD_COLOUR_FIRST: Final = 104
TELL_NEWEST_USEFUL_CARD: Final = 105
TELL_OLDEST_USEFUL_CARD: Final = 106
TELL_UNMISTAKABLE_USEFUL_CARD: Final = 107
TELL_PLAYABLE_CARD: Final = 108
TELL_USELESS_CARD: Final = 109
TELL_USELESS_CARD_COLOUR_FIRST: Final = 110
TELL_DISPENSABLE: Final = 111
TELL_FIVES: Final = 112
TELL_ILL_INFORMED: Final = 113
TELL_UNKNOWN: Final = 114
TELL_RANDOMLY: Final = 115
TELL_TO_SAVE: Final = 116
TELL_OLDEST_UNTOUCHED_TO_SAVE: Final = 117
TELL_UNAMBIGUOUS_3: Final = 118
TELL_LIKELY_MISPLAY: Final = 119
TELL_UNLIKELY_PLAY: Final = 120
TELL_MOST_INFORMATION: Final = 150
TELL_MOST_NEW_INFORMATION: Final = 151
TELL_SOMETHING_NEW: Final = 152
TELL_MOST_PLAYABLE_CARDS: Final = 153
TELL_UNAMBIGUOUS_MOST_PLAYABLE: Final = 154
TELL_UNAMBIGUOUS_FEWEST_OTHERS: Final = 155
TELL_UNAMBIGUOUS_2: Final = 156
TELL_AT_LEAST_N_USELESS: Final = 157

TELL_FIVE: Final = RANK_HINT + RANKS - 1

HINT_ORDER: Final = (*range(RANK_HINT, MOVES), *range(COLOUR_HINT, RANK_HINT))
"""The hints in the order of published programs: ranks, then colours, ascending."""


@njit(cache=True, nogil=True, inline="always")
def fire_tell(rule: int, first: int, second: int, situation: Situation, weights: np.ndarray) -> int:
    """Return the move of a rule that gives a hint, ``NO_MOVE`` or ``SPREAD``."""
    if rule == COMPLETE_TELL_USEFUL_CARD:
        return complete_tell_useful_card(situation)
    if rule == TELL_ABOUT_ONES:
        return tell_first_of(situation, cards_of_rank(0), True)
    if rule == TELL_LAST_USEFUL_CARD:
        return tell_last_useful_card(situation)
    if rule == TELL_USEFUL_CARD:
        return tell_first_of(situation, situation.playable, True)
    if rule == TELL_USEFUL_CARD_COLOUR_FIRST:
        return tell_first_of(situation, situation.playable, False)
    if rule == TELL_NEWEST_USEFUL_CARD:
        return tell_by_age(situation, situation.playable, True)
    if rule == TELL_OLDEST_USEFUL_CARD:
        return tell_by_age(situation, situation.playable, False)
    if rule == TELL_UNMISTAKABLE_USEFUL_CARD:
        return tell_unmistakable_useful_card(situation)
    if rule == TELL_PLAYABLE_CARD:
        return tell_playable_card(situation, weights)
    if rule == TELL_USELESS_CARD:
        slot = lowest_slot(slots_holding(situation, useless_cards(situation.table)))
        return hint_about(situation, slot, True)
    if rule == TELL_USELESS_CARD_COLOUR_FIRST:
        return tell_first_of(situation, useless_cards(situation.table), False)
    if rule == TELL_DISPENSABLE:
        return tell_dispensable(situation)
    if rule == TELL_FIVES:
        return TELL_FIVE if new_slots(situation, TELL_FIVE) else NO_MOVE
    if rule == TELL_ILL_INFORMED:
        usable = situation.playable
        if situation.table.tokens < situation.table.max_tokens:
            usable |= useless_cards(situation.table)
        return tell_first_of(situation, usable, True)
    if rule == TELL_UNKNOWN:
        return tell_first_of(situation, ALL_CARDS, False)
    if rule == TELL_RANDOMLY:
        return tell_randomly(situation, weights)
    if rule == TELL_TO_SAVE:
        return tell_first_of(situation, necessary_cards(situation.table), True)
    if rule == TELL_OLDEST_UNTOUCHED_TO_SAVE:
        return tell_oldest_untouched_to_save(situation)
    if rule == TELL_UNAMBIGUOUS_3:
        return tell_unambiguous_3(situation)
    if rule == TELL_LIKELY_MISPLAY:
        return tell_mistake(situation, ALL_CARDS & ~situation.playable, first, 1)
    if rule == TELL_UNLIKELY_PLAY:
        return tell_mistake(situation, situation.playable, first, -1)
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
def tell_first_of(situation: Situation, cards: int, rank_first: bool) -> int:
    """Tell about the first of the partner's cards in a set that is not fully known."""
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, cards):
            hint = hint_about(situation, slot, rank_first)
            if hint != NO_MOVE:
                return hint
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_by_age(situation: Situation, cards: int, newest_first: bool) -> int:
    """Tell about the newest or oldest of the partner's cards in a set that is not fully known."""
    unsure = unsure_slots(situation, COLOUR_HINT) | unsure_slots(situation, RANK_HINT)
    slots = slots_holding(situation, cards) & unsure
    table, partner = situation.table, situation.partner
    slot = newest_of(table, partner, slots) if newest_first else oldest_of(table, partner, slots)
    return hint_about(situation, slot, True)


@njit(cache=True, nogil=True)
def complete_tell_useful_card(situation: Situation) -> int:
    """Tell what is missing about the first playable card of which half is known."""
    half_known = unsure_slots(situation, COLOUR_HINT) ^ unsure_slots(situation, RANK_HINT)
    slots = slots_holding(situation, situation.playable) & half_known
    return hint_about(situation, lowest_slot(slots), True)


@njit(cache=True, nogil=True)
def tell_last_useful_card(situation: Situation) -> int:
    """Tell about the last playable card in slot order, if it is not fully known.

    Its published name speaks of the oldest card, but in the published program age plays no part.
    """
    move = NO_MOVE
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable):
            move = hint_about(situation, slot, False)
    return move


@njit(cache=True, nogil=True)
def tell_unmistakable_useful_card(situation: Situation) -> int:
    """Tell what is unknown of the newest playable card that a hint touches alone."""
    table, partner = situation.table, situation.partner
    for position in range(int(table.hand_length[partner]) - 1, -1, -1):
        slot = int(table.order[partner, position])
        if holds_one_of(situation, slot, situation.playable):
            for hint in (rank_hint(situation, slot), colour_hint(situation, slot)):
                if touched_slots(situation, hint) == new_slots(situation, hint) == 1 << slot:
                    return hint
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_playable_card(situation: Situation, weights: np.ndarray) -> int:
    """Tell rank or colour, equally likely, of the first playable card, known or not."""
    slot = lowest_slot(slots_holding(situation, situation.playable))
    if slot < 0:
        return NO_MOVE
    hints = 1 << rank_hint(situation, slot) | 1 << colour_hint(situation, slot)
    return spread_evenly(hints, weights)


@njit(cache=True, nogil=True)
def tell_dispensable(situation: Situation) -> int:
    """Tell what shows the partner that a card has been played already."""
    lowest = lowest_firework(situation.table)
    for slot in range(SLOTS):
        card = partner_card(situation, slot)
        if card == NO_CARD:
            continue
        height = int(situation.table.fireworks[card // RANKS])
        colour_unknown = known_colour(situation, situation.partner, slot) < 0
        rank_unknown = known_rank(situation, situation.partner, slot) < 0
        if colour_unknown and height == RANKS:
            return colour_hint(situation, slot)
        if rank_unknown and card % RANKS < lowest:
            return rank_hint(situation, slot)
        if colour_unknown != rank_unknown and card % RANKS < height:
            return hint_about(situation, slot, True)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_randomly(situation: Situation, weights: np.ndarray) -> int:
    """Tell rank or colour of any card, all equally likely, known or not."""
    weights[:] = 0.0
    share = 0.5 / int(situation.table.hand_length[situation.partner])
    for slot in range(SLOTS):
        if partner_card(situation, slot) != NO_CARD:
            weights[rank_hint(situation, slot)] += share
            weights[colour_hint(situation, slot)] += share
    return SPREAD


@njit(cache=True, nogil=True)
def tell_oldest_untouched_to_save(situation: Situation) -> int:
    """Tell about the oldest card that no hint has touched, if it is necessary."""
    table, partner = situation.table, situation.partner
    slot = oldest_of(table, partner, untouched_slots(table, partner))
    to_save = slot >= 0 and holds_one_of(situation, slot, necessary_cards(table))
    return hint_about(situation, slot, True) if to_save else NO_MOVE


@njit(cache=True, nogil=True)
def tell_unambiguous_3(situation: Situation) -> int:
    """Tell about the last playable card in slot order that is not fully known, colour first.

    As in the published program, which forgets to compare; and which errs, so does not fire, where
    the partner lacks a card and does not know the colour of a playable one.
    """
    playable, move = slots_holding(situation, situation.playable), NO_MOVE
    if not has_full_hand(situation) and playable & unsure_slots(situation, COLOUR_HINT):
        return NO_MOVE
    for slot in range(SLOTS):
        if playable >> slot & 1:
            hint = hint_about(situation, slot, False)
            move = hint if hint != NO_MOVE else move
    return move


@njit(cache=True, nogil=True)
def tell_mistake(situation: Situation, cards: int, threshold: int, sign: int) -> int:
    """Tell about the card of a set that looks most (sign 1) or least (-1) likely to be playable.

    It must look so from ``threshold`` thousandths on. How a card looks depends on the hints and the
    table; ties go to the highest slot.
    """
    chosen, best, best_total = -1, threshold, CERTAIN
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, cards):
            looks_like = cards_open(situation, slot)
            good = count_left(situation.table, looks_like & situation.playable)
            total = count_left(situation.table, looks_like)
            if sign * good * best_total >= sign * best * total:
                chosen, best, best_total = slot, good, total
    return hint_about(situation, chosen, True)


@njit(cache=True, nogil=True)
def tell_most_information(situation: Situation, only_new: bool) -> int:
    """Give the hint that touches most cards, or most cards whose attribute is unknown."""
    chosen, best = NO_MOVE, 0
    for hint in HINT_ORDER:
        counted = new_slots(situation, hint) if only_new else touched_slots(situation, hint)
        if count_cards(counted) > best:
            chosen, best = hint, count_cards(counted)
    return chosen


@njit(cache=True, nogil=True)
def tell_something_new(situation: Situation, weights: np.ndarray) -> int:
    """Give a hint that says something new about a card it touches, all equally likely."""
    hints = 0
    for hint in HINT_ORDER:
        if new_slots(situation, hint):
            hints |= 1 << hint
    return spread_evenly(hints, weights) if hints else NO_MOVE


@njit(cache=True, nogil=True)
def tell_most_playable_cards(situation: Situation) -> int:
    """Give the hint that touches most cards, all of them playable, one of them newly."""
    playable = slots_holding(situation, situation.playable)
    chosen, best = NO_MOVE, 0
    for hint in HINT_ORDER:
        touched = touched_slots(situation, hint)
        is_good = not touched & ~playable and new_slots(situation, hint)
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
            new = new_slots(situation, hint)
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
    for hint in HINT_ORDER:
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
        hint, seen = HINT_ORDER[index], 0
        for slot in range(SLOTS):
            seen += int(not cards_open_after(situation, slot, hint) & ~useless)
        if touched_slots(situation, hint) and seen >= wanted:
            return hint
    return NO_MOVE


@njit(cache=True, nogil=True)
def holds_one_of(situation: Situation, slot: int, cards: int) -> bool:
    """Return whether the partner's card in ``slot`` exists and belongs to the set ``cards``."""
    card = partner_card(situation, slot)
    return card != NO_CARD and (cards >> card & 1) == 1


@njit(cache=True, nogil=True)
def slots_holding(situation: Situation, cards: int) -> int:
    """Return the set of the partner's slots that hold one of ``cards``."""
    slots = 0
    for slot in range(SLOTS):
        slots |= int(holds_one_of(situation, slot, cards)) << slot
    return slots


@njit(cache=True, nogil=True)
def has_full_hand(situation: Situation) -> bool:
    """Return whether the partner holds five cards; it lacks one in the last turn of the game."""
    return int(situation.table.hand_length[situation.partner]) == SLOTS


@njit(cache=True, nogil=True)
def colour_hint(situation: Situation, slot: int) -> int:
    """Return the hint that names the colour of the partner's card."""
    return COLOUR_HINT + partner_card(situation, slot) // RANKS


@njit(cache=True, nogil=True)
def rank_hint(situation: Situation, slot: int) -> int:
    """Return the hint that names the rank of the partner's card."""
    return RANK_HINT + partner_card(situation, slot) % RANKS


@njit(cache=True, nogil=True)
def hint_about(situation: Situation, slot: int, rank_first: bool) -> int:
    """Return the hint of what is unknown of the partner's card, or ``NO_MOVE``; also for slot -1.

    Where both are unknown, it tells the rank (``rank_first``) or the colour.
    """
    if slot < 0:
        return NO_MOVE
    colour_unknown = known_colour(situation, situation.partner, slot) < 0
    rank_unknown = known_rank(situation, situation.partner, slot) < 0
    if rank_unknown and (rank_first or not colour_unknown):
        return rank_hint(situation, slot)
    return colour_hint(situation, slot) if colour_unknown else NO_MOVE


@njit(cache=True, nogil=True)
def touched_slots(situation: Situation, hint: int) -> int:
    """Return the set of the partner's slots that a hint would touch; none if it is illegal."""
    return slots_holding(situation, cards_named(hint - COLOUR_HINT))


@njit(cache=True, nogil=True)
def unsure_slots(situation: Situation, hint: int) -> int:
    """Return the slots of the partner's cards of which it lacks what hints like this one name."""
    return unknown_slots(situation, situation.partner, hint >= RANK_HINT)


@njit(cache=True, nogil=True)
def new_slots(situation: Situation, hint: int) -> int:
    """Return the slots of the partner's cards about which a hint would say something new."""
    return touched_slots(situation, hint) & unsure_slots(situation, hint)


@njit(cache=True, nogil=True)
def cards_open(situation: Situation, slot: int) -> int:
    """Return the set of cards that hints and table leave open for the partner's card.

    That is less than the partner can exclude: it also sees my hand.
    """
    return plausible_cards(situation.table, situation.partner, slot) & int(situation.table.left[0])


@njit(cache=True, nogil=True)
def cards_open_after(situation: Situation, slot: int, hint: int) -> int:
    """Return :func:`cards_open` as it would be after a hint."""
    named = cards_named(hint - COLOUR_HINT)
    card_is_named = holds_one_of(situation, slot, named)
    return cards_open(situation, slot) & (named if card_is_named else named ^ ALL_CARDS)
