"""Beliefs about cards, and what a player is expected to do because of them.

A belief is a kind and a list of card numbers: to be played in this order, to be kept, or of no use.
A card may be in several lists. Only the last of them, its top belief, counts, but the list stays as
it was, with cards that have left or that are meanwhile believed something else. Beliefs follow from
what both players know.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.bots.card_sets import only_colour
from hoad.agents.bots.fireflower.mind import (
    LISTS,
    LONGEST,
    PRIVATE,
    UNKNOWN,
    after_plays,
    only_identity,
    possible,
)
from hoad.agents.situation import RANKS

PLAIN: Final = 0
PLAY_BELIEF: Final = 1
PROTECT: Final = 2
JUNK: Final = 3


@njit(cache=True, nogil=True)
def open_list(mind: np.record) -> int:
    """Return an empty list that no belief needs; it is reserved until :func:`believe`."""
    used = 1 | int(mind.open)
    if int(mind.gone) != UNKNOWN:
        used |= 1 << int(mind.list_of[int(mind.gone)])
    for player in range(2):
        for position in range(int(mind.hand_length[player])):
            used |= 1 << int(mind.list_of[int(mind.hands[player, position])])
    chosen = 1
    while used >> chosen & 1 and chosen < LISTS - 1:
        chosen += 1
    mind.open |= 1 << chosen
    mind.list_length[chosen] = 0
    return chosen


@njit(cache=True, nogil=True)
def drop(mind: np.record, opened: int) -> None:
    """Give up a set of open lists."""
    mind.open &= ~opened


@njit(cache=True, nogil=True)
def append(mind: np.record, to: int, card: int) -> None:
    """Add a card to the end of an open list."""
    length = int(mind.list_length[to])
    if length < LONGEST:
        mind.lists[to, length] = card
        mind.list_length[to] = length + 1


@njit(cache=True, nogil=True)
def believe(mind: np.record, cards: int, kind: int) -> None:
    """Make an open list the top belief of its cards; an empty one changes nothing.

    A card that the list has twice is in the later place.
    """
    drop(mind, 1 << cards)
    mind.kinds[cards] = kind
    for index in range(int(mind.list_length[cards])):
        card = int(mind.lists[cards, index])
        mind.list_of[card] = cards
        mind.index[card] = index
        if kind == PLAY_BELIEF and index:
            mind.later |= 1 << card


@njit(cache=True, nogil=True)
def believe_one(mind: np.record, card: int, kind: int) -> None:
    """Put a belief on a single card."""
    alone = open_list(mind)
    append(mind, alone, card)
    believe(mind, alone, kind)


@njit(cache=True, nogil=True)
def believe_all(mind: np.record, cards: int, kind: int) -> None:
    """Put a belief with the same list as another one on its cards."""
    copied = open_list(mind)
    for index in range(int(mind.list_length[cards])):
        append(mind, copied, int(mind.lists[cards, index]))
    believe(mind, copied, kind)


@njit(cache=True, nogil=True)
def kind_of(mind: np.record, card: int) -> int:
    """Return the kind of the top belief of a card that is in a hand or left last."""
    return int(mind.kinds[int(mind.list_of[card])])


@njit(cache=True, nogil=True)
def is_next(mind: np.record, card: int) -> bool:
    """Return whether a card is to be played, and the first of its list."""
    return kind_of(mind, card) == PLAY_BELIEF and mind.index[card] == 0


@njit(cache=True, nogil=True)
def card_at(mind: np.record, player: int, position: int) -> int:
    """Return the number of the card at a position of a hand (0 newest)."""
    return int(mind.hands[player, position])


@njit(cache=True, nogil=True)
def expected_plays(mind: np.record, view: int, player: int, now: bool) -> int:
    """Return the set of positions of which a play is expected, at once (``now``) or later."""
    useless_or_playable = int(mind.playable) | ~int(mind.useful)
    positions = 0
    for position in range(int(mind.hand_length[player])):
        card = card_at(mind, player, position)
        cards, kind = possible(mind, view, card), kind_of(mind, card)
        expected = not cards & ~int(mind.playable)
        expected |= kind == PROTECT and not cards & ~useless_or_playable
        expected |= kind == PLAY_BELIEF and (mind.index[card] == 0 or not now)
        positions |= int(expected and cards & int(mind.playable) != 0) << position
    return positions


@njit(cache=True, nogil=True)
def next_discard(mind: np.record, view: int, player: int) -> tuple[int, int]:
    """Return the position of the likeliest discard, and a grade that says how likely it is.

    The oldest card counts that is surely junk (6), else one believed to be (5), else one believed
    to be nothing good (4), else one that may not be dangerous (1), else the oldest of all (0).
    """
    length = int(mind.hand_length[player])
    chosen, best = length - 1, 0
    for position in range(length - 1, -1, -1):
        card = card_at(mind, player, position)
        cards, kind = possible(mind, view, card), kind_of(mind, card)
        grade = int(cards & ~int(mind.dangerous) != 0)
        if not cards & int(mind.useful):
            grade = 6
        elif kind == JUNK and cards & ~int(mind.useful):
            grade = 5
        elif kind in (PLAIN, JUNK):
            grade = 4
        if grade > best:
            chosen, best = position, grade
    return chosen, best


@njit(cache=True, nogil=True)
def first_possible_play(mind: np.record, view: int, player: int) -> int:
    """Return the position of the newest card that may be playable, or -1."""
    for position in range(int(mind.hand_length[player])):
        if possible(mind, view, card_at(mind, player, position)) & int(mind.playable):
            return position
    return -1


@njit(cache=True, nogil=True)
def useful_colour(mind: np.record, view: int, card: int) -> int:
    """Return the colour of all useful identities that a card can have, or -1."""
    return only_colour(possible(mind, view, card) & int(mind.useful))


@njit(cache=True, nogil=True)
def guess(mind: np.record, card: int) -> int:
    """Return the identity that a card has in the private view if its belief is right, or -1."""
    cards = possible(mind, PRIVATE, card)
    identity = only_identity(cards)
    if identity >= 0 or kind_of(mind, card) != PLAY_BELIEF:
        return identity
    if mind.index[card] == 0:
        return only_identity(cards & int(mind.playable))
    colour = useful_colour(mind, PRIVATE, card)
    if colour < 0:
        return -1
    rank = int(mind.fireworks[colour])
    for _ in range(int(mind.index[card])):
        if rank < RANKS and cards >> RANKS * colour + rank & 1:
            rank += 1
    fits = rank < RANKS and cards & int(mind.useful) & 1 << RANKS * colour + rank
    return RANKS * colour + rank if fits else -1


@njit(cache=True, nogil=True)
def is_playable_soon(mind: np.record, card: int) -> bool:
    """Return whether a card fits once the cards before it in its list are played."""
    if kind_of(mind, card) != PLAY_BELIEF:
        return False
    if mind.index[card] == 0:
        identity = guess(mind, card)
        if identity >= 0:
            return int(mind.playable) >> identity & 1 == 1
        return not possible(mind, PRIVATE, card) & ~int(mind.playable)
    playable, fitting, cards = int(mind.playable), 0, int(mind.list_of[card])
    for index in range(int(mind.index[card]) + 1):
        identity = guess(mind, int(mind.lists[cards, index]))
        if identity < 0:
            return False
        fitting = playable & 1 << identity
        playable = after_plays(playable, fitting)
    return fitting != 0
