"""Rules that give a hint (Walton-Rivers et al. 2017; Canaan et al. 2018).

Each returns a move, ``NO_MOVE``, or ``SPREAD`` after writing the moves' weights. They are asked
only when there is a token. The partner's cards are scanned by slot number, not by age.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.signatures import SPREAD
from hoad.agents.situation import (
    COLOUR_HINT,
    COLOURS,
    NO_MOVE,
    RANK_HINT,
    RANKS,
    SLOTS,
    Situation,
    known_colour,
    known_rank,
    lowest_firework,
    partner_card,
    useless_cards,
)
from hoad.game.state import NO_CARD

COMPLETE_TELL_USEFUL_CARD: Final = 100
TELL_ABOUT_ONES: Final = 101
TELL_OLDEST_USEFUL_CARD: Final = 102
TELL_USEFUL_CARD: Final = 103
TELL_USELESS_CARD: Final = 104
TELL_DISPENSABLE: Final = 105
TELL_FIVES: Final = 106
TELL_ILL_INFORMED: Final = 107
TELL_MOST_INFORMATION: Final = 108
TELL_MOST_NEW_INFORMATION: Final = 109
TELL_PLAYABLE_CARD: Final = 110
TELL_RANDOMLY: Final = 111
TELL_UNKNOWN: Final = 112


@njit(cache=True, nogil=True)
def fire_tell(rule: int, situation: Situation, weights: np.ndarray) -> int:
    """Return the move of a tell rule, ``NO_MOVE`` or ``SPREAD``."""
    if rule == COMPLETE_TELL_USEFUL_CARD:
        return complete_tell_useful_card(situation)
    if rule == TELL_ABOUT_ONES:
        return tell_rank_first(situation, _ONES)
    if rule == TELL_OLDEST_USEFUL_CARD:
        return tell_oldest_useful_card(situation)
    if rule == TELL_USEFUL_CARD:
        return tell_rank_first(situation, situation.playable)
    if rule == TELL_USELESS_CARD:
        return tell_useless_card(situation)
    if rule == TELL_DISPENSABLE:
        return tell_dispensable(situation)
    if rule == TELL_FIVES:
        return tell_fives(situation)
    if rule == TELL_ILL_INFORMED:
        return tell_ill_informed(situation)
    if rule == TELL_MOST_INFORMATION:
        return tell_most_information(situation, False)
    if rule == TELL_MOST_NEW_INFORMATION:
        return tell_most_information(situation, True)
    if rule == TELL_PLAYABLE_CARD:
        return tell_playable_card(situation, weights)
    if rule == TELL_RANDOMLY:
        return tell_randomly(situation, weights)
    if rule == TELL_UNKNOWN:
        return tell_unknown(situation)
    return NO_MOVE


_ONES: Final = sum(1 << colour * RANKS for colour in range(COLOURS))


@njit(cache=True, nogil=True)
def holds_one_of(situation: Situation, slot: int, cards: int) -> bool:
    """Return whether the partner's card in ``slot`` exists and belongs to the set ``cards``."""
    card = partner_card(situation, slot)
    return card != NO_CARD and (cards >> card & 1) == 1


@njit(cache=True, nogil=True)
def colour_hint(situation: Situation, slot: int) -> int:
    """Return the hint that names the colour of the partner's card."""
    return COLOUR_HINT + partner_card(situation, slot) // RANKS


@njit(cache=True, nogil=True)
def rank_hint(situation: Situation, slot: int) -> int:
    """Return the hint that names the rank of the partner's card."""
    return RANK_HINT + partner_card(situation, slot) % RANKS


@njit(cache=True, nogil=True)
def rank_then_colour(situation: Situation, slot: int) -> int:
    """Return a hint on the partner's card: its rank if unknown, else its colour if unknown."""
    if known_rank(situation, situation.partner, slot) < 0:
        return rank_hint(situation, slot)
    if known_colour(situation, situation.partner, slot) < 0:
        return colour_hint(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def colour_then_rank(situation: Situation, slot: int) -> int:
    """Return a hint on the partner's card: its colour if unknown, else its rank if unknown."""
    if known_colour(situation, situation.partner, slot) < 0:
        return colour_hint(situation, slot)
    if known_rank(situation, situation.partner, slot) < 0:
        return rank_hint(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_rank_first(situation: Situation, cards: int) -> int:
    """Tell about the first of the partner's cards in a set that is not fully known."""
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, cards):
            move = rank_then_colour(situation, slot)
            if move != NO_MOVE:
                return move
    return NO_MOVE


@njit(cache=True, nogil=True)
def complete_tell_useful_card(situation: Situation) -> int:
    """Tell what is missing about the first playable card of which half is known."""
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable) and _half_known(situation, slot):
            return rank_then_colour(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def _half_known(situation: Situation, slot: int) -> bool:
    colour_known = known_colour(situation, situation.partner, slot) >= 0
    return colour_known != (known_rank(situation, situation.partner, slot) >= 0)


@njit(cache=True, nogil=True)
def tell_oldest_useful_card(situation: Situation) -> int:
    """Tell about the last playable card in slot order, if it is not fully known.

    As in the published program, the name notwithstanding: age plays no part.
    """
    move = NO_MOVE
    for slot in range(SLOTS):
        if holds_one_of(situation, slot, situation.playable):
            move = colour_then_rank(situation, slot)
    return move


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
        if known_colour(situation, situation.partner, slot) < 0 and height == RANKS:
            return colour_hint(situation, slot)
        if known_rank(situation, situation.partner, slot) < 0 and card % RANKS < lowest:
            return rank_hint(situation, slot)
        if _half_known(situation, slot) and card % RANKS < height:
            return rank_then_colour(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_fives(situation: Situation) -> int:
    """Tell that a card is a 5."""
    for slot in range(SLOTS):
        card = partner_card(situation, slot)
        is_five = card != NO_CARD and card % RANKS == RANKS - 1
        if is_five and known_rank(situation, situation.partner, slot) < 0:
            return RANK_HINT + RANKS - 1
    return NO_MOVE


@njit(cache=True, nogil=True)
def tell_ill_informed(situation: Situation) -> int:
    """Tell about the first playable card; if a token is missing, useless cards count too."""
    usable = situation.playable
    if situation.table.tokens < situation.table.max_tokens:
        usable |= useless_cards(situation.table)
    return tell_rank_first(situation, usable)


@njit(cache=True, nogil=True)
def tell_most_information(situation: Situation, only_new: bool) -> int:
    """Give the hint that touches most cards, or most cards whose attribute is unknown.

    Ties go to ranks before colours, ascending.
    """
    best, chosen = 0, NO_MOVE
    for rank in range(RANKS):
        touched = _count_touched(situation, RANK_HINT + rank, only_new)
        if touched > best:
            best, chosen = touched, RANK_HINT + rank
    for colour in range(COLOURS):
        touched = _count_touched(situation, COLOUR_HINT + colour, only_new)
        if touched > best:
            best, chosen = touched, COLOUR_HINT + colour
    return chosen


@njit(cache=True, nogil=True)
def _count_touched(situation: Situation, hint: int, only_new: bool) -> int:
    touched = 0
    for slot in range(SLOTS):
        if partner_card(situation, slot) == NO_CARD:
            continue
        if hint >= RANK_HINT:
            match = rank_hint(situation, slot) == hint
            known = known_rank(situation, situation.partner, slot) >= 0
        else:
            match = colour_hint(situation, slot) == hint
            known = known_colour(situation, situation.partner, slot) >= 0
        touched += int(match and not (only_new and known))
    return touched


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
def tell_unknown(situation: Situation) -> int:
    """Tell about the first card that is not fully known, its colour first."""
    for slot in range(SLOTS):
        if partner_card(situation, slot) != NO_CARD:
            move = colour_then_rank(situation, slot)
            if move != NO_MOVE:
                return move
    return NO_MOVE
