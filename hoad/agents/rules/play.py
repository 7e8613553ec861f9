"""Rules that play a card for what is known of it (Walton-Rivers et al. 2017; own ones).

Each returns a move or ``NO_MOVE``. "In slot order" is by slot number, not by age.
"""

from typing import Final

from numba import njit

from hoad.agents.situation import (
    ALL_SLOTS,
    CERTAIN,
    NO_MOVE,
    SLOTS,
    Situation,
    chance,
    is_one_of,
    knows_playable,
    likeliest_slot,
    newest_of,
    play_slot,
    possible_cards,
    untouched_slots,
)

NEVER_FIRES: Final = 0
PLAY_IF_CERTAIN: Final = 1
PLAY_SAFE_CARD: Final = 2
PLAY_PROBABLY_SAFE_CARD: Final = 3
PLAY_NEWEST_SAFE_CARD: Final = 4
PLAY_NEWEST_CARD: Final = 5
PLAY_NEWEST_UNTOUCHED_CARD: Final = 6


@njit(cache=True, nogil=True, inline="always")
def fire_play(rule: int, argument: int, situation: Situation) -> int:
    """Return the move of a play rule, or ``NO_MOVE``."""
    if rule == PLAY_IF_CERTAIN:
        return play_if_certain(situation)
    if rule == PLAY_SAFE_CARD:
        return play_safe_card(situation)
    if rule == PLAY_PROBABLY_SAFE_CARD:
        return play_probably_safe_card(situation, argument)
    if rule == PLAY_NEWEST_SAFE_CARD:
        return play_newest_safe_card(situation)
    if rule == PLAY_NEWEST_CARD:
        return play_newest_card(situation)
    if rule == PLAY_NEWEST_UNTOUCHED_CARD:
        return play_newest_untouched_card(situation, argument)
    return NO_MOVE


@njit(cache=True, nogil=True)
def play_if_certain(situation: Situation) -> int:
    """Play the first card in slot order that hints alone show to be playable."""
    for slot in range(SLOTS):
        if knows_playable(situation, situation.me, slot):
            return play_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def play_safe_card(situation: Situation) -> int:
    """Play the first card in slot order that is playable whatever unseen card it is."""
    for slot in range(SLOTS):
        if is_one_of(situation, slot, situation.playable):
            return play_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def play_probably_safe_card(situation: Situation, threshold: int) -> int:
    """Play the card likeliest to be playable, if it is ``threshold`` thousandths likely."""
    slot = likeliest_slot(situation, ALL_SLOTS, situation.playable, threshold)
    return play_slot(situation, slot) if slot >= 0 else NO_MOVE


@njit(cache=True, nogil=True)
def play_newest_safe_card(situation: Situation) -> int:
    """Play the newest card that is playable whatever unseen card it is."""
    safe = 0
    for slot in range(SLOTS):
        safe |= int(is_one_of(situation, slot, situation.playable)) << slot
    slot = newest_of(situation.table, situation.me, safe)
    return play_slot(situation, slot) if slot >= 0 else NO_MOVE


@njit(cache=True, nogil=True)
def play_newest_card(situation: Situation) -> int:
    """Play the newest card if it may be playable."""
    slot = newest_of(situation.table, situation.me, ALL_SLOTS)
    possible = possible_cards(situation, slot)
    return play_slot(situation, slot) if possible & situation.playable else NO_MOVE


@njit(cache=True, nogil=True)
def play_newest_untouched_card(situation: Situation, threshold: int) -> int:
    """Play the newest card untouched by hints, if it is ``threshold`` thousandths likely to fit."""
    untouched = untouched_slots(situation.table, situation.me)
    slot = newest_of(situation.table, situation.me, untouched)
    if slot < 0:
        return NO_MOVE
    good, total = chance(situation, slot, situation.playable)
    return play_slot(situation, slot) if good * CERTAIN >= threshold * total else NO_MOVE
