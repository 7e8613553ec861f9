"""Rules that choose one of the partner's cards and give a hint about it.

Walton-Rivers et al. 2017, Canaan et al. 2018, ProbableMistake from the latter's public rule base,
and own ones. Each returns a move, ``NO_MOVE``, or ``SPREAD`` after writing the moves' weights.
They are called only when there is a token. The partner's cards are scanned by slot number unless
age is mentioned.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import SPREAD
from hoad.agents.rules.hints import (
    cards_open,
    colour_hint,
    colour_then_rank,
    has_full_hand,
    holds_one_of,
    lacks_colour,
    lacks_rank,
    named_cards,
    rank_hint,
    rank_then_colour,
    slots_holding,
    touched_slots,
    unsure_slots,
)
from hoad.agents.situation import (
    ALL_CARDS,
    CERTAIN,
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    count_left,
    lowest_firework,
    necessary_cards,
    newest_of,
    oldest_of,
    partner_card,
    untouched_slots,
    useless_cards,
)
from hoad.game.moves import COLOUR_HINT, RANK_HINT
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


@njit(cache=True, nogil=True, inline="always")
def fire_tell(rule: int, argument: int, situation: Situation, weights: np.ndarray) -> int:
    """Return the move of a tell rule, ``NO_MOVE`` or ``SPREAD``."""
    if rule == COMPLETE_TELL_USEFUL_CARD:
        return complete_tell_useful_card(situation)
    if rule == TELL_ABOUT_ONES:
        return tell_first_of(situation, named_cards(RANK_HINT), True)
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
        return tell_useless_card(situation)
    if rule == TELL_USELESS_CARD_COLOUR_FIRST:
        return tell_first_of(situation, useless_cards(situation.table), False)
    if rule == TELL_DISPENSABLE:
        return tell_dispensable(situation)
    if rule == TELL_FIVES:
        return tell_fives(situation)
    if rule == TELL_ILL_INFORMED:
        return tell_ill_informed(situation)
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
        return tell_likely_misplay(situation, argument)
    if rule == TELL_UNLIKELY_PLAY:
        return tell_unlikely_play(situation, argument)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_first_of(situation: Situation, cards: int, rank_first: bool) -> int:
    """Tell about the first of the partner's cards in a set that is not fully known.

    Where both are unknown, it tells the rank (``rank_first``) or the colour.
    """
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, cards):
            by_rank = rank_then_colour(situation, slot)
            if by_rank != NO_MOVE:
                return by_rank if rank_first else colour_then_rank(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_by_age(situation: Situation, cards: int, newest_first: bool) -> int:
    """Tell about the newest or oldest of the partner's cards in a set that is not fully known."""
    unsure = unsure_slots(situation, COLOUR_HINT) | unsure_slots(situation, RANK_HINT)
    slots = slots_holding(situation, cards) & unsure
    table = situation.table
    partner = situation.partner
    slot = newest_of(table, partner, slots) if newest_first else oldest_of(table, partner, slots)
    return rank_then_colour(situation, slot) if slot >= 0 else NO_MOVE


@njit(cache=True, nogil=True)
def complete_tell_useful_card(situation: Situation) -> int:
    """Tell what is missing about the first playable card of which half is known."""
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable) and _half_known(situation, slot):
            return rank_then_colour(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def _half_known(situation: Situation, slot: int) -> bool:
    return lacks_colour(situation, slot) != lacks_rank(situation, slot)


@njit(cache=True, nogil=True)
def tell_last_useful_card(situation: Situation) -> int:
    """Tell about the last playable card in slot order, if it is not fully known.

    Its published name speaks of the oldest card, but in the published program age plays no part.
    """
    move = NO_MOVE
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable):
            move = colour_then_rank(situation, slot)
    return move


@njit(cache=True, nogil=True)
def tell_unmistakable_useful_card(situation: Situation) -> int:
    """Tell what is unknown of the newest playable card that a hint touches alone."""
    table = situation.table
    partner = situation.partner
    for position in range(int(table.hand_length[partner]) - 1, -1, -1):
        slot = int(table.order[partner, position])
        if not holds_one_of(situation, slot, situation.playable):
            continue
        hint = rank_hint(situation, slot)
        if lacks_rank(situation, slot) and touched_slots(situation, hint) == 1 << slot:
            return hint
        hint = colour_hint(situation, slot)
        if lacks_colour(situation, slot) and touched_slots(situation, hint) == 1 << slot:
            return hint
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_playable_card(situation: Situation, weights: np.ndarray) -> int:
    """Tell rank or colour, equally likely, of the first playable card, known or not."""
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable):
            weights[:] = 0.0
            weights[rank_hint(situation, slot)] = 0.5
            weights[colour_hint(situation, slot)] = 0.5
            return SPREAD
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_useless_card(situation: Situation) -> int:
    """Tell about the first useless card; if that is fully known, nothing."""
    useless = useless_cards(situation.table)
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, useless):
            return rank_then_colour(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_dispensable(situation: Situation) -> int:
    """Tell what shows the partner that a card has been played already."""
    table = situation.table
    lowest = lowest_firework(table)
    for slot in range(SLOTS):
        card = partner_card(situation, slot)
        if card == NO_CARD:
            continue
        height = int(table.fireworks[card // RANKS])
        if lacks_colour(situation, slot) and height == RANKS:
            return colour_hint(situation, slot)
        if lacks_rank(situation, slot) and card % RANKS < lowest:
            return rank_hint(situation, slot)
        if _half_known(situation, slot) and card % RANKS < height:
            return rank_then_colour(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_fives(situation: Situation) -> int:
    """Tell that a card is a 5."""
    five = RANK_HINT + RANKS - 1
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, named_cards(five)) and lacks_rank(situation, slot):
            return five
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_ill_informed(situation: Situation) -> int:
    """Tell about the first playable card; if a token is missing, useless cards count too."""
    usable = situation.playable
    if situation.table.tokens < situation.table.max_tokens:
        usable |= useless_cards(situation.table)
    return tell_first_of(situation, usable, True)


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
    untouched = untouched_slots(situation.table, situation.partner)
    slot = oldest_of(situation.table, situation.partner, untouched)
    if slot >= 0 and holds_one_of(situation, slot, necessary_cards(situation.table)):
        return rank_then_colour(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_unambiguous_3(situation: Situation) -> int:
    """Tell about the last playable card in slot order that is not fully known, colour first.

    As in the published program, which forgets to compare; and which errs, so does not fire, where
    the partner lacks a card and does not know the colour of a playable one.
    """
    errs_on_colour = not has_full_hand(situation)
    move = NO_MOVE
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable):
            if errs_on_colour and lacks_colour(situation, slot):
                return NO_MOVE
            hint = colour_then_rank(situation, slot)
            move = hint if hint != NO_MOVE else move
    return move


@njit(cache=True, nogil=True)
def tell_likely_misplay(situation: Situation, threshold: int) -> int:
    """Tell about the unplayable card that looks most playable, if that is likely enough.

    How a card looks depends on the hints and the table; ties go to the highest slot.
    """
    chosen, best, best_total = -1, threshold, CERTAIN
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable ^ ALL_CARDS):
            good, total = _looks_playable(situation, slot)
            if good * best_total >= best * total:
                chosen, best, best_total = slot, good, total
    return rank_then_colour(situation, chosen) if chosen >= 0 else NO_MOVE


@njit(cache=True, nogil=True)
def tell_unlikely_play(situation: Situation, threshold: int) -> int:
    """Tell about the playable card that looks least playable, if that is unlikely enough.

    See :func:`tell_likely_misplay`.
    """
    chosen, best, best_total = -1, threshold, CERTAIN
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable):
            good, total = _looks_playable(situation, slot)
            if good * best_total <= best * total:
                chosen, best, best_total = slot, good, total
    return rank_then_colour(situation, chosen) if chosen >= 0 else NO_MOVE


@njit(cache=True, nogil=True)
def _looks_playable(situation: Situation, slot: int) -> tuple[int, int]:
    """Return the chance that a card of the partner fits, as (good, total) copies."""
    cards = cards_open(situation, slot)
    good = count_left(situation.table, cards & situation.playable)
    return good, count_left(situation.table, cards)
