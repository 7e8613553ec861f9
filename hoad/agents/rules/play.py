"""Rules that play a card, for what is known of it or for what a hint seems to have meant.

Walton-Rivers et al. 2017, Canaan et al.'s public rule base (50 to 66) and own ones. Each returns a
move or ``NO_MOVE``. "In slot order" is by slot number, not by age.
"""

from typing import Final

from numba import njit

from hoad.agents.situation import (
    ALL_SLOTS,
    CERTAIN,
    NO_MOVE,
    RANKS,
    SLOTS,
    Situation,
    cards_of_rank,
    knows_playable,
    likeliest_slot,
    lowest_slot,
    newest_of,
    only_value,
    play_slot,
    possible_cards,
    sure_slots,
    untouched_slots,
)
from hoad.game.moves import COLOUR_HINT, RANK_HINT

NEVER_FIRES: Final = 0
PLAY_IF_CERTAIN: Final = 1
PLAY_SAFE_CARD: Final = 2
PLAY_PROBABLY_SAFE_CARD: Final = 3
PLAY_NEWEST_SAFE_CARD: Final = 4
PLAY_NEWEST_CARD: Final = 5
PLAY_NEWEST_UNTOUCHED_CARD: Final = 6
PLAY_UNIQUE_POSSIBLE_CARD: Final = 50
PLAY_JUST_HINTED: Final = 51
PLAY_NEWEST_JUST_HINTED: Final = 52
PLAY_BEST_JUST_HINTED: Final = 53
PLAY_NEWEST_LAST_HINTED: Final = 54

ALONE: Final = 1
"""Option of ``PLAY_JUST_HINTED``: only cards that a hint touched alone."""
NEWEST: Final = 2
"""Likewise: only the newest card."""
SPARING: Final = 4
"""Likewise: once a life is lost, only certain cards."""


@njit(cache=True, nogil=True, inline="always")
def fire_play(rule: int, argument: int, options: int, situation: Situation) -> int:
    """Return the move of a play rule, or ``NO_MOVE``."""
    if rule == PLAY_IF_CERTAIN:
        return play_if_certain(situation)
    if rule == PLAY_SAFE_CARD:
        return play_slot(situation, lowest_slot(sure_slots(situation, situation.playable)))
    if rule == PLAY_PROBABLY_SAFE_CARD:
        return play_likeliest(situation, ALL_SLOTS, argument)
    if rule == PLAY_NEWEST_SAFE_CARD:
        safe = sure_slots(situation, situation.playable)
        return play_slot(situation, newest_of(situation.table, situation.me, safe))
    if rule == PLAY_NEWEST_CARD:
        newest = newest_of(situation.table, situation.me, ALL_SLOTS)
        return play_newest_of(situation, 1 << newest)
    if rule == PLAY_NEWEST_UNTOUCHED_CARD:
        untouched = untouched_slots(situation.table, situation.me)
        slot = newest_of(situation.table, situation.me, untouched)
        return play_likeliest(situation, 1 << slot, argument) if slot >= 0 else NO_MOVE
    if rule == PLAY_UNIQUE_POSSIBLE_CARD:
        return play_unique_possible_card(situation)
    if rule == PLAY_JUST_HINTED:
        return play_just_hinted(situation, argument, options)
    if rule == PLAY_NEWEST_JUST_HINTED:
        return play_newest_of(situation, just_hinted_slots(situation))
    if rule == PLAY_BEST_JUST_HINTED:
        slots = just_hinted_slots(situation)
        best = likeliest_slot(situation, slots, situation.playable, argument, True)
        return play_slot(situation, best)
    if rule == PLAY_NEWEST_LAST_HINTED:
        return play_newest_of(situation, last_hinted_slots(situation))
    return NO_MOVE


@njit(cache=True, nogil=True)
def play_if_certain(situation: Situation) -> int:
    """Play the first card in slot order that hints alone show to be playable."""
    for slot in range(SLOTS):
        if knows_playable(situation, situation.me, slot):
            return play_slot(situation, slot)
    return NO_MOVE


@njit(cache=True, nogil=True)
def play_likeliest(situation: Situation, slots: int, threshold: int) -> int:
    """Play the likeliest card in a set of slots, if it is ``threshold`` thousandths likely."""
    return play_slot(situation, likeliest_slot(situation, slots, situation.playable, threshold))


@njit(cache=True, nogil=True)
def play_unique_possible_card(situation: Situation) -> int:
    """Play a card that a hint touched alone, if the hint seems to mean it is playable.

    Walks back through the game until all my slots have been refilled. As in the published
    program, a colour hint asks for the rank already on top of the firework, not the next one,
    and a rank hint counts even if the card in its slot has been replaced since.
    """
    table = situation.table
    replaced = 0
    for past in range(int(table.turn) - 1, -1, -2):
        action = int(table.actions[past])
        if action >= COLOUR_HINT:
            slot = only_value(int(table.touched[past]))
            if slot >= 0 and hint_means_play(situation, action, replaced >> slot & 1):
                return play_slot(situation, slot)
        if past and table.actions[past - 1] < COLOUR_HINT:
            replaced |= int(table.touched[past - 1])
            if replaced == ALL_SLOTS:
                return NO_MOVE
    return NO_MOVE


@njit(cache=True, nogil=True)
def hint_means_play(situation: Situation, action: int, replaced: int) -> bool:
    """Return whether a hint that touched one card alone asks to play it, in rule 9.

    ``replaced`` is not 0 if another card has taken the place of the card since.
    """
    table = situation.table
    if action < RANK_HINT:
        colour = action - COLOUR_HINT
        top = colour * RANKS + int(table.fireworks[colour]) - 1
        played = int(table.fireworks[colour]) > 0
        return not replaced and played and (situation.unseen_1 >> top & 1) == 1
    return cards_of_rank(action - RANK_HINT) & situation.playable & situation.unseen_1 != 0


@njit(cache=True, nogil=True)
def play_just_hinted(situation: Situation, threshold: int, options: int) -> int:
    """Play the likeliest card among those hinted since the partner's last play or discard.

    As in the published program, a card drawn into a hinted slot counts as hinted.
    """
    table = situation.table
    slots = 0
    for past in range(int(table.turn) - 1, -1, -2):
        if table.actions[past] < COLOUR_HINT:
            break
        touched = int(table.touched[past])
        if not options & ALONE or only_value(touched) >= 0:
            slots |= touched
    if options & NEWEST:
        slots &= 1 << newest_of(table, situation.me, ALL_SLOTS)
    if options & SPARING and table.lives < table.max_lives:
        threshold = CERTAIN
    return play_likeliest(situation, slots, threshold)


@njit(cache=True, nogil=True)
def just_hinted_slots(situation: Situation) -> int:
    """Return the slots that the partner's hint touched, if its last move was one."""
    table = situation.table
    last = int(table.turn) - 1
    return int(table.touched[last]) if last >= 0 and table.actions[last] >= COLOUR_HINT else 0


@njit(cache=True, nogil=True)
def last_hinted_slots(situation: Situation) -> int:
    """Return the slots that the last hint to me touched, whose cards are still there."""
    table = situation.table
    replaced = 0
    for past in range(int(table.turn) - 1, -1, -2):
        if table.actions[past] >= COLOUR_HINT:
            return int(table.touched[past]) & ~replaced
        if past and table.actions[past - 1] < COLOUR_HINT:
            replaced |= int(table.touched[past - 1])
    return 0


@njit(cache=True, nogil=True)
def play_newest_of(situation: Situation, slots: int) -> int:
    """Play the newest card in a set of slots that may be playable."""
    candidates = 0
    for slot in range(SLOTS):
        if slots >> slot & 1 and possible_cards(situation, slot) & situation.playable:
            candidates |= 1 << slot
    return play_slot(situation, newest_of(situation.table, situation.me, candidates))
