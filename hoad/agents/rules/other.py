"""The two rules that are neither play, tell nor discard (Walton-Rivers et al. 2017)."""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.situation import (
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    discard_slot,
    known_colour,
    known_rank,
    knows_playable,
    knows_useless,
    play_slot,
    spread_evenly,
    useless_cards,
)
from hoad.game.rules import legal_moves

LEGAL_RANDOM: Final = 300
TRY_TO_UNBLOCK: Final = 301


@njit(cache=True, nogil=True)
def legal_random(table: np.record, hands: np.ndarray, weights: np.ndarray) -> int:
    """Make any legal move, all equally likely."""
    return spread_evenly(legal_moves(table, hands), weights)


@njit(cache=True, nogil=True)
def try_to_unblock(situation: Situation) -> int:
    """Regain a token if there is none and the partner has no safe move."""
    if situation.table.tokens:
        return NO_MOVE
    useless = useless_cards(situation.table)
    for slot in range(SLOTS):
        partner = situation.partner
        if knows_useless(situation, partner, slot, useless):
            return NO_MOVE
        if knows_playable(situation, partner, slot):
            return NO_MOVE
    for slot in range(SLOTS):
        me = situation.me
        if knows_useless(situation, me, slot, useless):
            return discard_slot(situation, slot)
        colour = known_colour(situation, me, slot)
        five = colour >= 0 and known_rank(situation, me, slot) == RANKS - 1
        if five and int(situation.table.fireworks[colour]) == RANKS - 1:
            return play_slot(situation, slot)
    return NO_MOVE
