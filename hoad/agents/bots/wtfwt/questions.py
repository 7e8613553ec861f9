"""WTFWT's questions: what the number of a hint or a discard says about a hand.

A number answers questions that both players derive in the same way from the public hand, one after
the other: each is chosen when the answers before it are known. The first question is the least
significant digit. ``numbers`` are left in the beginning; an answer leaves those that give it.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.agents.bots.card_sets import Piles
from hoad.agents.bots.hat_guessing import split
from hoad.agents.bots.weights import (
    is_determined,
    narrow_at,
    possible_at,
    share,
    total,
    weight,
    weights_at,
)
from hoad.agents.situation import ALL_CARDS, RANKS, SLOTS

_MOST_NUMBERS: Final = 5
"""Five useless cards to choose from; hints show four numbers at most."""

# The cards in the order in which the original sorts them: by the letter of the colour (B, G, R, W,
# Y), then by rank.
_BY_LETTER = np.array([RANKS * c + rank for c in (4, 2, 0, 3, 1) for rank in range(RANKS)])

# An item is a card's position, plus SLOTS if it asks whether the card is worthless.
_ITEMS: Final = 2 * SLOTS

# Single precision decides: the chances 1/2 and 9/10 are both near enough, and equally near.
_CHANCE: Final = np.float32(0.7)
_NEAR: Final = np.float32(0.2)


@njit(cache=True, nogil=True)
def answer(hand: np.ndarray, cards: np.ndarray, numbers: int, piles: Piles) -> int:
    """Return the number, of so many ``numbers``, that is true of a player's ``cards`` by position.

    ``hand`` has the public weights of the hand, in which the cards are possible.
    """
    known, left = hand.copy(), numbers
    answers = new_answers()
    number, unit = 0, 1
    while left > 1:
        size = ask(known, left, piles, answers)
        if not size:
            break
        answered = _true_answer(answers[:size], cards)
        _narrow(known, answers[answered])
        number, unit = number + unit * answered, unit * size
        left = _numbers_left(left, answered, size)
    return number


@njit(cache=True, nogil=True)
def learn_number(hand: np.ndarray, numbers: int, number: int, piles: Piles) -> bool:
    """Narrow a hand to what the ``number`` says; return whether it can be true.

    ``hand`` is as in :func:`answer`; it is changed.
    """
    left = numbers
    answers = new_answers()
    while left > 1:
        size = ask(hand, left, piles, answers)
        if not size:
            break
        answered = number % size
        if not _narrow(hand, answers[answered]):
            return False
        number, left = number // size, _numbers_left(left, answered, size)
    return number == 0


@njit(cache=True, nogil=True)
def _numbers_left(numbers: int, answered: int, size: int) -> int:
    """Return how many of the numbers below ``numbers`` have the last digit ``given``."""
    return (numbers - answered - 1) // size + 1


@njit(cache=True, nogil=True)
def _narrow(hand: np.ndarray, possible: np.ndarray) -> bool:
    """Narrow a hand to the identities that an answer leaves; return whether all cards have some."""
    consistent = True
    for position in range(len(hand)):
        consistent &= narrow_at(hand, position, int(possible[position]))
    return consistent


@njit(cache=True, nogil=True)
def _true_answer(answers: np.ndarray, cards: np.ndarray) -> int:
    """Return the answer that is true of the cards, which are all possible."""
    for answered in range(len(answers)):
        is_true = True
        for position in range(len(cards)):
            is_true &= answers[answered, position] >> cards[position] & 1 == 1
        if is_true:
            return answered
    return 0


@njit(cache=True, nogil=True)
def new_answers() -> np.ndarray:
    """Return room for :func:`ask`: by answer and position, which identities it leaves a card."""
    return np.empty((_MOST_NUMBERS, SLOTS), np.int64)


@njit(cache=True, nogil=True)
def ask(hand: np.ndarray, numbers: int, piles: Piles, answers: np.ndarray) -> int:
    """Write the ``answers`` of the next question and return how many there are; 0 for no question.

    ``hand`` has the public weights; at least 2 ``numbers`` are left: no question has more answers.
    """
    chances = np.zeros(_ITEMS)
    asked = 0
    knows_play, knows_useless = False, False
    for position in range(len(hand)):
        weights = weights_at(hand, position)
        chances[position] = share(weights, piles.playable)
        chances[SLOTS + position] = share(weights, piles.worthless)
        knows_play |= not weights.once & ~piles.playable
        is_useless = not weights.once & ~piles.worthless
        knows_useless |= is_useless
        asked |= int(not is_useless and not is_determined(weights.once)) << position
    answers[:] = ALL_CARDS
    if not asked:
        return 0
    items = 0
    if not knows_play:
        worthless = 0 if knows_useless else asked
        items = _likeliest_items(chances, asked | worthless << SLOTS, numbers - 1)
    if items:
        return _ask_which(chances, items, piles, answers)
    position = _nearest_to_chance(hand, asked, piles)
    if position >= 0:
        answers[0, position], answers[1, position] = ~piles.playable, piles.playable
        return 2
    return _ask_for_block(hand, _least_worthless(chances, asked), numbers, piles, answers)


@njit(cache=True, nogil=True)
def _likeliest_items(chances: np.ndarray, items: int, most: int) -> int:
    """Return at most so many of a set of items: playable before worthless, likely ones first."""
    chosen, room = 0, most
    for first in (0, SLOTS):
        while room:
            best, highest = -1, 0.0
            for item in range(first, first + SLOTS):
                if items >> item & 1 and chances[item] > highest:
                    best, highest = item, chances[item]
            if best < 0:
                break
            items ^= 1 << best
            chosen |= 1 << best
            room -= 1
    return chosen


@njit(cache=True, nogil=True)
def _ask_which(chances: np.ndarray, items: int, piles: Piles, answers: np.ndarray) -> int:
    """Ask which item is the first that is true: playable before worthless, unlikely ones first.

    Answer 0: no item is true.
    """
    size = 1
    for first in (0, SLOTS):
        true = piles.worthless if first else piles.playable
        while True:
            least, lowest = -1, 2.0
            for item in range(first, first + SLOTS):
                if items >> item & 1 and chances[item] < lowest:
                    least, lowest = item, chances[item]
            if least < 0:
                break
            items ^= 1 << least
            answers[size] = answers[0]  # the items before are false
            answers[size, least - first] &= true
            answers[0, least - first] &= ~true
            size += 1
    return size


@njit(cache=True, nogil=True)
def _nearest_to_chance(hand: np.ndarray, asked: int, piles: Piles) -> int:
    """Return the position with the chance of being playable nearest to 0.7, if near, or -1."""
    chosen, nearest = -1, _NEAR
    for position in range(len(hand)):
        if asked >> position & 1:
            weights = weights_at(hand, position)
            chance = np.float32(weight(weights, piles.playable)) / np.float32(total(weights))
            distance = abs(chance - _CHANCE)
            if distance < nearest:
                chosen, nearest = position, distance
    return chosen


@njit(cache=True, nogil=True)
def _least_worthless(chances: np.ndarray, asked: int) -> int:
    """Return the position that is least likely to be worthless."""
    chosen, lowest = 0, 2.0
    for position in range(SLOTS):
        if asked >> position & 1 and chances[SLOTS + position] < lowest:
            chosen, lowest = position, chances[SLOTS + position]
    return chosen


@njit(cache=True, nogil=True)
def _ask_for_block(
    hand: np.ndarray, position: int, numbers: int, piles: Piles, answers: np.ndarray
) -> int:
    """Ask in which block of identities a card is; the worthless ones are a block."""
    answers[:, position] = 0
    possible = possible_at(hand, position)
    return split(possible, piles.worthless, numbers, _BY_LETTER, answers[:, position])
