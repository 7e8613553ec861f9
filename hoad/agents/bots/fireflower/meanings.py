"""What FireFlower's discards, plays and hints mean: the beliefs that both players get from them.

The same function carries out the actions of the game and those of a simulation.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.bots.fireflower.beliefs import (
    JUNK,
    PLAIN,
    PLAY_BELIEF,
    PROTECT,
    append,
    believe,
    believe_all,
    believe_one,
    card_at,
    drop,
    expected_plays,
    is_next,
    kind_of,
    next_discard,
    open_list,
)
from hoad.agents.bots.fireflower.hints import read_hint
from hoad.agents.bots.fireflower.mind import (
    COMMON,
    NOT_FIRST,
    PRIVATE,
    UNKNOWN,
    end_turn,
    is_consistent,
    possible,
    refresh,
    remove_card,
)
from hoad.agents.situation import cards_named
from hoad.game.moves import COLOUR_HINT, MOVES, PLAY

HINT_SOMETHING: Final = MOVES
"""The action of a hint of which nothing is known, in a simulation."""


@njit(cache=True, nogil=True)
def carry_out(mind: np.record, action: int, subject: int) -> bool:
    """Carry out an action of the player to move, really or in a simulation.

    Args:
        mind: the position and the beliefs, which change.
        action: a move id, but with the position of the card counted from the newest (0), or
            ``HINT_SOMETHING``.
        subject: the identity of the card that is played or discarded, or the set of positions
            that a hint touches.

    Returns:
        Whether all cards can then have some identity. In a simulation they may not.
    """
    if action >= COLOUR_HINT:
        _hint(mind, action, subject)
    elif action < PLAY:
        _discard(mind, action, subject)
    elif int(mind.playable) >> subject & 1:
        _play(mind, action - PLAY, subject)
    else:
        _misplay(mind, action - PLAY, subject)
    consistent = is_consistent(mind)
    if consistent:
        _settle(mind)
    return consistent


@njit(cache=True, nogil=True)
def _hint(mind: np.record, action: int, touched: int) -> None:
    mind.tokens -= 1
    end_turn(mind)
    _refresh(mind)
    if action == HINT_SOMETHING:
        mind.empty_hints += 1
    else:
        read_hint(mind, cards_named(action - COLOUR_HINT), touched)


@njit(cache=True, nogil=True)
def _play(mind: np.record, position: int, identity: int) -> None:
    actor, card = int(mind.current), card_at(mind, int(mind.current), position)
    dangerous = int(mind.dangerous) & int(mind.unseen[COMMON, 0])
    remove_card(mind, position, True, identity)
    _refresh(mind)
    if kind_of(mind, card) == PLAY_BELIEF:
        old, others = int(mind.list_of[card]), open_list(mind)
        for index in range(int(mind.list_length[old])):
            if int(mind.lists[old, index]) != card:
                append(mind, others, int(mind.lists[old, index]))
        believe(mind, others, PLAY_BELIEF)
    place, _ = next_discard(mind, COMMON, 1 - actor)
    _remember_outlook(mind, actor, card_at(mind, 1 - actor, place), dangerous)


@njit(cache=True, nogil=True)
def _misplay(mind: np.record, position: int, identity: int) -> None:
    """Play a card that does not fit: keep what was to be played with it, and all older cards."""
    actor, card = int(mind.current), card_at(mind, int(mind.current), position)
    older = open_list(mind)
    cards = int(mind.list_of[card])
    believed = kind_of(mind, card) == PLAY_BELIEF
    if believed and not mind.later >> card & 1:
        last = position
        for index in range(int(mind.list_length[cards])):
            for place in range(last + 1, int(mind.hand_length[actor])):
                if card_at(mind, actor, place) == int(mind.lists[cards, index]):
                    last = place
        for place in range(last + 1, int(mind.hand_length[actor])):
            append(mind, older, card_at(mind, actor, place))
    remove_card(mind, position, True, identity)
    _refresh(mind)
    if believed and int(mind.useful) >> identity & 1:
        believe_all(mind, cards, PROTECT)
    believe(mind, older, PROTECT)


@njit(cache=True, nogil=True)
def _discard(mind: np.record, position: int, identity: int) -> None:
    actor, card = int(mind.current), card_at(mind, int(mind.current), position)
    plays = expected_plays(mind, COMMON, actor, True)
    cards = possible(mind, COMMON, card)
    dangerous = int(mind.dangerous) & int(mind.unseen[COMMON, 0])
    expected, _ = next_discard(mind, COMMON, actor)
    remove_card(mind, position, False, identity)
    _refresh(mind)
    _drop_followers(mind, card, identity)
    if plays >> position & 1:
        _hand_over(mind, card, cards & int(mind.playable))
    elif int(mind.useful) >> identity & 1 and kind_of(mind, card) == JUNK:
        believe_all(mind, int(mind.list_of[card]), PROTECT)
    if mind.tokens >= 3:
        mind.hand_then[1 - actor] = 0
        for place in range(int(mind.hand_length[1 - actor])):
            mind.hand_then[1 - actor] |= 1 << card_at(mind, 1 - actor, place)
    place, _ = next_discard(mind, COMMON, 1 - actor)
    endangered = card_at(mind, 1 - actor, place)
    if mind.tokens <= 1 and plays and position == expected and kind_of(mind, endangered) != PROTECT:
        believe_one(mind, endangered, PROTECT)
    _remember_outlook(mind, actor, endangered, dangerous)


@njit(cache=True, nogil=True)
def _drop_followers(mind: np.record, card: int, identity: int) -> None:
    """Give up the plays after a discarded card that could only have had its identity."""
    if kind_of(mind, card) != PLAY_BELIEF:
        return
    old, kept, first = int(mind.list_of[card]), open_list(mind), int(mind.index[card])
    for index in range(int(mind.list_length[old])):
        other = int(mind.lists[old, index])
        cards = possible(mind, COMMON, other) & ~(1 << identity)
        if index <= first or cards & int(mind.playable):
            append(mind, kept, other)
        else:
            believe_one(mind, other, PROTECT if cards & int(mind.useful) else JUNK)
    if mind.list_length[kept] < mind.list_length[old]:
        believe(mind, kept, PLAY_BELIEF)
    else:
        drop(mind, 1 << kept)


@njit(cache=True, nogil=True)
def _hand_over(mind: np.record, card: int, playable: int) -> None:
    """Read the discard of an expected play: the other player has the same card, to be played.

    ``playable`` is what the discarded card can be that is still playable.
    """
    target = _first_that_can_be(mind, playable, int(mind.touched))
    if target == UNKNOWN:
        target = _first_that_can_be(mind, playable, -1)
    if target == UNKNOWN or is_next(mind, target):
        return
    if kind_of(mind, card) != PLAY_BELIEF:
        believe_one(mind, card, PLAY_BELIEF)  # sic: only later walks of lists can meet it
        return
    old, replaced = int(mind.list_of[card]), open_list(mind)
    for index in range(int(mind.list_length[old])):
        here = index == int(mind.index[card])
        append(mind, replaced, target if here else int(mind.lists[old, index]))
    believe(mind, replaced, PLAY_BELIEF)


@njit(cache=True, nogil=True)
def _first_that_can_be(mind: np.record, wanted: int, among: int) -> int:
    """Return the newest card of the player to move that can be one of ``wanted``, or ``UNKNOWN``.

    ``among`` is a set of card numbers.
    """
    player = int(mind.current)
    for position in range(int(mind.hand_length[player])):
        card = card_at(mind, player, position)
        if among >> card & 1 and possible(mind, COMMON, card) & wanted:
            return card
    return UNKNOWN


@njit(cache=True, nogil=True)
def _remember_outlook(mind: np.record, actor: int, discard: int, dangerous: int) -> None:
    """Note what the partner of ``actor`` is about to do, if some hints are left but not all.

    ``actor`` has just moved, and the partner would ``discard`` this card; the ``dangerous`` cards
    were known to be so before the action.
    """
    if 3 <= mind.tokens <= 7:
        idle = not expected_plays(mind, COMMON, 1 - actor, True)
        mind.discard_then[1 - actor] = discard if idle else UNKNOWN
        mind.dangerous_then[1 - actor] = dangerous


@njit(cache=True, nogil=True)
def _refresh(mind: np.record) -> None:
    refresh(mind, COMMON)
    refresh(mind, PRIVATE)


@njit(cache=True, nogil=True)
def _settle(mind: np.record) -> None:
    """Adapt the beliefs about all cards to what the cards can be."""
    visited = 0
    for player in range(2):
        for position in range(int(mind.hand_length[player])):
            card = card_at(mind, player, position)
            cards, kind = int(mind.list_of[card]), kind_of(mind, card)
            if visited >> card & 1 or kind == PLAIN:
                continue
            for index in range(int(mind.list_length[cards])):
                visited |= 1 << int(mind.lists[cards, index])
            if kind == PROTECT:
                _settle_protected(mind, cards)
            elif kind == JUNK:
                _settle_junk(mind, cards)
            else:
                _settle_plays(mind, cards)


@njit(cache=True, nogil=True)
def _settle_protected(mind: np.record, cards: int) -> None:
    """Split a list of cards to be kept into junk, those that fit if useful, and the others."""
    junk, fitting, others = open_list(mind), open_list(mind), open_list(mind)
    for index in range(int(mind.list_length[cards])):
        card = int(mind.lists[cards, index])
        useful = possible(mind, COMMON, card) & int(mind.useful)
        if not useful:
            append(mind, junk, card)
        elif not useful & ~int(mind.playable):
            append(mind, fitting, card)
        else:
            append(mind, others, card)
    changed = mind.list_length[others] < mind.list_length[cards]
    believe(mind, junk, JUNK)
    believe(mind, fitting, PLAY_BELIEF)
    if changed:
        believe(mind, others, PROTECT)
    else:
        drop(mind, 1 << others)


@njit(cache=True, nogil=True)
def _settle_junk(mind: np.record, cards: int) -> None:
    """Take the cards that are surely dangerous out of a list of junk."""
    others, dangerous = open_list(mind), open_list(mind)
    for index in range(int(mind.list_length[cards])):
        card = int(mind.lists[cards, index])
        safe = possible(mind, COMMON, card) & ~int(mind.dangerous)
        append(mind, others if safe else dangerous, card)
    if mind.list_length[dangerous]:
        believe(mind, others, JUNK)
        believe(mind, dangerous, PROTECT)
    else:
        drop(mind, 1 << others | 1 << dangerous)


@njit(cache=True, nogil=True)
def _settle_plays(mind: np.record, cards: int) -> None:
    """Take the cards that cannot fit in their turn out of a list of plays.

    A card can follow what an earlier card of the list can be, but not another identity of its own:
    recorded games of the original agree with this reading alone.
    """
    stay, protected, junk = open_list(mind), open_list(mind), open_list(mind)
    reached, leaving = 0, False
    for index in range(int(mind.list_length[cards])):
        card = int(mind.lists[cards, index])
        if int(mind.list_of[card]) != cards:
            continue
        can_be = possible(mind, COMMON, card)
        fitting = can_be & (int(mind.playable) | reached << 1 & NOT_FIRST)
        reached |= fitting
        if fitting:
            append(mind, stay, card)
        else:
            leaving = True
            append(mind, protected if can_be & int(mind.useful) else junk, card)
    if leaving:
        believe(mind, stay, PLAY_BELIEF)
        believe(mind, protected, PROTECT)
        believe(mind, junk, JUNK)
    else:
        drop(mind, 1 << stay | 1 << protected | 1 << junk)
