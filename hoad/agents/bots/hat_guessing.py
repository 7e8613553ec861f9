"""What InfoBot and WTFWT share: bots that hint and discard to say numbers.

Hat guessing, after Cox et al. 2015 ("How to make the perfect fireworks display"): a player that
hints, or discards one of several useless cards, has a choice, and the choice is a number that
answers questions about the other player's hand. O'Dwyer's InfoBot derives from WTFWT, so both make
the same plays and know the same cards to be useless; their questions and codes differ.

Hands are weights by position (see :mod:`hoad.agents.bots.weights`), private ones where a player
decides about its own hand, public ones where both players must come to the same.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Table
from hoad.agents.bots.card_sets import Piles, colours_of, ranks_of
from hoad.agents.bots.weights import (
    is_determined,
    possible_at,
    share,
    sum_of_values,
    total,
    weight,
    weights_at,
)
from hoad.agents.situation import ALL_CARDS, COLOURS, HINTS, NO_MOVE, SLOTS
from hoad.game.moves import PLAY

BY_COLOUR: Final = (1 << COLOURS) - 1
"""The hints of colours, of one bit a hint, colours first."""
BY_RANK: Final = (1 << HINTS) - (1 << COLOURS)
"""The hints of ranks."""

_MANY_DISCARDS: Final = 15
_GOOD_CHANCE: Final = 0.75
_MOST_HINTS: Final = 4


@njit(cache=True, nogil=True)
def has_few_discards(table: Table) -> bool:
    """Return whether so few cards are discarded that one more card may be lost."""
    return table.discards.sum() <= _MANY_DISCARDS


@njit(cache=True, nogil=True)
def play_card(table: Table, hand: np.ndarray, seen: int, piles: Piles) -> int:
    """Play a surely playable card, else gamble, or return ``NO_MOVE``.

    ``hand`` is the own hand, privately; ``seen`` are the cards that the partner holds.
    """
    move = _play_surely(hand, seen if table.deck_left else 0, piles)
    if move == NO_MOVE and table.lives > 1 and has_few_discards(table):
        move = _gamble(hand, piles)
    return move


@njit(cache=True, nogil=True)
def _play_surely(hand: np.ndarray, shared: int, piles: Piles) -> int:
    """Play a surely playable card: low ones first, those that the partner has too later."""
    chosen, best = NO_MOVE, -1.0
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        if not weights.once & ~piles.playable:
            doubled = 20 * total(weights) - 2 * sum_of_values(weights, ALL_CARDS)
            doubled -= 10 * weight(weights, shared) - sum_of_values(weights, shared)
            fitness = doubled / 2 / total(weights)
            if fitness > best:
                chosen, best = PLAY + position, fitness
    return chosen


@njit(cache=True, nogil=True)
def _gamble(hand: np.ndarray, piles: Piles) -> int:
    """Play the likeliest card that is probably playable and otherwise worthless, or ``NO_MOVE``."""
    chosen, best = NO_MOVE, _GOOD_CHANCE
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        if not weights.once & ~(piles.playable | piles.worthless):
            chance = share(weights, piles.playable)
            if chance > best:
                chosen, best = PLAY + position, chance
    return chosen


@njit(cache=True, nogil=True)
def useless_positions(hand: np.ndarray, piles: Piles) -> int:
    """Return the set of positions with worthless cards, or with cards known and held twice."""
    useless = 0
    for position in range(len(hand)):
        cards = possible_at(hand, position)
        if not cards & ~piles.worthless:
            useless |= 1 << position
        elif is_determined(cards):
            for earlier in range(position):
                if possible_at(hand, earlier) == cards:
                    useless |= 1 << earlier | 1 << position
    return useless


@njit(cache=True, nogil=True)
def position_of(positions: int, index: int) -> int:
    """Return the position with this index (from 0) in a set of positions, or ``NO_MOVE``."""
    for position in range(SLOTS):
        if positions >> position & 1:
            if not index:
                return position
            index -= 1
    return NO_MOVE


@njit(cache=True, nogil=True)
def split(
    possible: int, worthless: int, numbers: int, order: np.ndarray, answers: np.ndarray
) -> int:
    """Share out a card's identities among at most ``numbers`` answers; return how many there are.

    The ``worthless`` ones have one answer together, the last one; the others are dealt to the
    answers in an ``order`` of all cards. The ``answers`` are sets of identities, empty at first.
    """
    ends = possible & worthless
    blocks = numbers - 1 if ends else numbers
    live = 0
    for card in order:
        if possible & ~worthless & 1 << card:
            answers[live % blocks] |= 1 << card
            live += 1
    size = min(blocks, live)
    if ends:
        answers[size] = ends
        size += 1
    return size


@njit(cache=True, nogil=True)
def hints_to(cards: int) -> int:
    """Return the hints that name one of ``cards``, one bit each, colours first."""
    return colours_of(cards) | ranks_of(cards) << COLOURS


@njit(cache=True, nogil=True)
def count_numbers(hand: np.ndarray) -> int:
    """Return how many numbers there are where a hint touches a certain card or not: 3 or 4.

    There are 3 if all cards can have the same colour or rank: not every card can then be missed by
    both kinds of hints.
    """
    shared = BY_COLOUR | BY_RANK
    for position in range(len(hand)):
        shared &= hints_to(possible_at(hand, position))
    return _MOST_HINTS - 1 if shared else _MOST_HINTS


@njit(cache=True, nogil=True)
def number_shown(numbers: int, by_colour: bool, touches: bool) -> int:
    """Return which of the ``numbers`` of :func:`count_numbers` a hint of a colour or rank shows."""
    if touches:
        return int(by_colour)
    return 3 if by_colour and numbers == _MOST_HINTS else 2
