"""Rules that play a card (Walton-Rivers et al. 2017; Canaan et al. 2018 for the last one).

Each returns a move or ``NO_MOVE``. "In slot order" is by slot number, not by age.
"""

from typing import Final

from numba import njit

from hoad.agents.situation import (
    COLOUR_HINT,
    COLOURS,
    NO_MOVE,
    RANK_HINT,
    RANKS,
    SLOTS,
    Situation,
    knows_playable,
    likeliest_slot,
    only_value,
    play_slot,
    possible_cards,
)

PLAY_FINESSE: Final = 0
PLAY_IF_CERTAIN: Final = 1
PLAY_SAFE_CARD: Final = 2
PLAY_PROBABLY_SAFE_CARD: Final = 3
PLAY_UNIQUE_POSSIBLE_CARD: Final = 4


@njit(cache=True, nogil=True)
def fire_play(rule: int, argument: int, situation: Situation) -> int:
    """Return the move of a play rule, or ``NO_MOVE``."""
    if rule == PLAY_IF_CERTAIN:
        return play_if_certain(situation)
    if rule == PLAY_SAFE_CARD:
        return play_safe_card(situation)
    if rule == PLAY_PROBABLY_SAFE_CARD:
        return play_probably_safe_card(situation, argument)
    if rule == PLAY_UNIQUE_POSSIBLE_CARD:
        return play_unique_possible_card(situation)
    return NO_MOVE  # the finesse rules need a third player


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
        possible = possible_cards(situation, slot)
        if possible and not possible & ~situation.playable:
            return play_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def play_probably_safe_card(situation: Situation, percent: int) -> int:
    """Play the card likeliest to be playable, if that is at least ``percent`` likely."""
    slot = likeliest_slot(situation, situation.playable, percent)
    return play_slot(situation, slot) if slot >= 0 else NO_MOVE


@njit(cache=True, nogil=True)
def play_unique_possible_card(situation: Situation) -> int:
    """Play a card that a hint touched alone, if the hint seems to mean it is playable.

    Walks back through the game until all my slots have been refilled. As in the published
    program, a colour hint asks for the rank already on top of the firework, not the next one,
    and a rank hint counts even if the card in its slot has been replaced since.
    """
    table = situation.table
    turn = int(table.turn)
    replaced = 0
    for past in range(turn - 1, -1, -1):
        action, touched = int(table.actions[past]), int(table.touched[past])
        by_me = (turn - past) & 1 == 0
        if by_me and action < COLOUR_HINT:
            replaced |= touched
            if replaced == (1 << SLOTS) - 1:
                return NO_MOVE
        elif not by_me and action >= COLOUR_HINT:
            slot = only_value(touched)
            if slot >= 0 and _hint_means_play(situation, action, replaced >> slot & 1):
                return play_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def _hint_means_play(situation: Situation, action: int, replaced: int) -> bool:
    table = situation.table
    if action < RANK_HINT:
        colour = action - COLOUR_HINT
        top = colour * RANKS + int(table.fireworks[colour]) - 1
        played = int(table.fireworks[colour]) > 0
        return not replaced and played and (situation.unseen_1 >> top & 1) == 1
    rank = action - RANK_HINT
    for colour in range(COLOURS):
        unseen = situation.unseen_1 >> (colour * RANKS + rank) & 1
        if unseen and int(table.fireworks[colour]) == rank:
            return True
    return False
