"""Rules that discard a card, and two others (Walton-Rivers et al. 2017; own ones).

Each returns a move, ``NO_MOVE``, or ``SPREAD`` after writing the moves' weights. They are called
only when a token is missing: at 8 tokens discarding is illegal.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.situation import (
    ALL_SLOTS,
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    discard_slot,
    known_colour,
    known_rank,
    knows_playable,
    knows_useless,
    likeliest_slot,
    lowest_slot,
    necessary_cards,
    oldest,
    play_slot,
    possible_cards,
    reachable_height,
    spread_evenly,
    sure_slots,
    unknown_slots,
    useless_cards,
)

DISCARD_HIGHEST: Final = 200
DISCARD_IF_CERTAIN: Final = 201
DISCARD_LEAST_LIKELY_TO_BE_NECESSARY: Final = 202
DISCARD_OLDEST_FIRST: Final = 203
DISCARD_UNIDENTIFIED_CARD: Final = 204
DISCARD_PROBABLY_USELESS_CARD: Final = 205
DISCARD_RANDOMLY: Final = 206
DISCARD_SAFE_CARD: Final = 207
DISCARD_USELESS_CARD: Final = 208
OSAWA_DISCARD: Final = 209
DISCARD_OLDEST_UNIDENTIFIED_CARD: Final = 210
DISCARD_OLDEST_SURELY_USELESS_CARD: Final = 211
LEGAL_RANDOM: Final = 300
"""Any legal move, all equally likely: what a rule list falls back on."""
TRY_TO_UNBLOCK: Final = 301


@njit(cache=True, nogil=True, inline="always")
def fire_discard(rule: int, argument: int, situation: Situation, weights: np.ndarray) -> int:
    """Return the move of a discard rule, ``NO_MOVE`` or ``SPREAD``."""
    if rule == DISCARD_HIGHEST:
        return discard_highest(situation)
    if rule == DISCARD_IF_CERTAIN:
        return discard_if_certain(situation)
    if rule == DISCARD_LEAST_LIKELY_TO_BE_NECESSARY:
        return discard_likeliest(situation, ~necessary_cards(situation.table), 0)
    if rule == DISCARD_OLDEST_FIRST:
        return 0
    if rule == DISCARD_UNIDENTIFIED_CARD:
        return discard_slot(situation, lowest_slot(unidentified_slots(situation)))
    if rule == DISCARD_PROBABLY_USELESS_CARD:
        return discard_likeliest(situation, useless_cards(situation.table), argument)
    if rule == DISCARD_RANDOMLY:
        held = int(situation.table.hand_length[situation.me])
        return spread_evenly((1 << held) - 1, weights)
    if rule == DISCARD_SAFE_CARD:
        return discard_safe_card(situation)
    if rule == DISCARD_USELESS_CARD:
        return discard_useless_card(situation)
    if rule == OSAWA_DISCARD:
        move = discard_safe_card(situation)
        return move if move != NO_MOVE else discard_useless_card(situation)
    if rule == DISCARD_OLDEST_UNIDENTIFIED_CARD:
        return oldest(situation.table, situation.me, unidentified_slots(situation))
    if rule == DISCARD_OLDEST_SURELY_USELESS_CARD:
        surely_useless = sure_slots(situation, useless_cards(situation.table))
        return oldest(situation.table, situation.me, surely_useless)
    if rule == TRY_TO_UNBLOCK:
        return try_to_unblock(situation)
    return NO_MOVE


@njit(cache=True, nogil=True)
def discard_highest(situation: Situation) -> int:
    """Discard the card of the highest known rank; ties go to the lowest slot."""
    chosen, highest = -1, -1
    for slot in range(SLOTS):
        rank = known_rank(situation, situation.me, slot)
        if rank > highest:
            chosen, highest = slot, rank
    return discard_slot(situation, chosen)


@njit(cache=True, nogil=True)
def discard_if_certain(situation: Situation) -> int:
    """Discard the first card in slot order that is known to have been played already."""
    for slot in range(SLOTS):
        colour = known_colour(situation, situation.me, slot)
        rank = known_rank(situation, situation.me, slot)
        if colour >= 0 and rank >= 0 and rank < int(situation.table.fireworks[colour]):
            return discard_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def unidentified_slots(situation: Situation) -> int:
    """Return the set of my slots of which neither colour nor rank is known."""
    colour_unknown = unknown_slots(situation, situation.me, False)
    return colour_unknown & unknown_slots(situation, situation.me, True)


@njit(cache=True, nogil=True)
def discard_likeliest(situation: Situation, cards: int, threshold: int) -> int:
    """Discard the card likeliest to be one of ``cards``, if it is ``threshold`` thousandths likely.

    Ties go to the highest slot.
    """
    return discard_slot(situation, likeliest_slot(situation, ALL_SLOTS, cards, threshold))


@njit(cache=True, nogil=True)
def discard_safe_card(situation: Situation) -> int:
    """Discard the first card in slot order that is known to be useless."""
    useless = useless_cards(situation.table)
    for slot in range(SLOTS):
        if knows_useless(situation, situation.me, slot, useless):
            return discard_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def discard_useless_card(situation: Situation) -> int:
    """Discard the first card of known colour that lies beyond what its firework can reach."""
    for slot in range(SLOTS):
        colour = known_colour(situation, situation.me, slot)
        if colour < 0:
            continue
        reachable = (1 << reachable_height(situation.table, colour)) - 1
        rank = known_rank(situation, situation.me, slot)
        possible = possible_cards(situation, slot) >> colour * RANKS
        beyond = rank >= 0 and not reachable >> rank & 1
        if beyond or (possible and not possible & reachable):
            return discard_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def try_to_unblock(situation: Situation) -> int:
    """Regain a token if there is none and the partner has no safe move."""
    table, me, partner = situation.table, situation.me, situation.partner
    if table.tokens:
        return NO_MOVE
    useless = useless_cards(table)
    for slot in range(SLOTS):
        safe = knows_useless(situation, partner, slot, useless)
        if safe or knows_playable(situation, partner, slot):
            return NO_MOVE
    for slot in range(SLOTS):
        if knows_useless(situation, me, slot, useless):
            return discard_slot(situation, slot)
        colour = known_colour(situation, me, slot)
        five = colour >= 0 and known_rank(situation, me, slot) == RANKS - 1
        if five and int(table.fireworks[colour]) == RANKS - 1:
            return play_slot(situation, slot)
    return NO_MOVE
