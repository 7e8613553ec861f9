"""InfoBot's questions: what the number that one player shows says about the other player's hand.

The number answers a list of questions about single cards, which both players derive in the same
way from the public tables: "is it playable?" for the likeliest cards, then "in which block of
identities is it?". The first question is the most significant digit.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.bots.hand_slots import hand_length, slot_at
from hoad.agents.bots.infobot.weights import (
    is_determined,
    keep,
    possible_of,
    share,
    weights_of,
)
from hoad.agents.situation import (
    COLOURS,
    RANKS,
    SLOTS,
    necessary_cards,
    playable_cards,
    useless_cards,
)

# A question is a row of numbers: the slot, how many answers there are, and for each answer the
# set of identities that it leaves.
_SLOT: Final = 0
_SIZE: Final = 1
_ANSWERS: Final = 2
_MOST_ANSWERS: Final = 10
_MOST_QUESTIONS: Final = 4

_LIKELY: Final = 0.2


class Piles(NamedTuple):
    """Sets of cards by their current use.

    Attributes:
        playable: those that would fit now.
        dead: those that can never be played any more.
        dispensable: those that are dead or not the last copy.
    """

    playable: int
    dead: int
    dispensable: int


@njit(cache=True, nogil=True)
def look(table: np.record) -> Piles:
    """Return the sets of cards by their current use."""
    return Piles(playable_cards(table), useless_cards(table), ~necessary_cards(table))


@njit(cache=True, nogil=True)
def ask(table: np.record, memory: np.ndarray, player: int, numbers: int) -> tuple[np.ndarray, int]:
    """Return the questions about a hand that ``numbers`` numbers can answer, and their count."""
    piles = look(table)
    questions = np.zeros((_MOST_QUESTIONS, _ANSWERS + _MOST_ANSWERS), np.int64)
    shares = np.full(SLOTS, -1.0)
    certain = _playable_shares(table, memory, player, piles, shares)
    count, left = 0, numbers
    position = -1 if certain else _next_likely(shares, -1)
    while left > 1 and position >= 0 and shares[position] >= _LIKELY:
        question = questions[count]
        question[_SLOT] = slot_at(table, player, position)
        question[_SIZE] = 2
        question[_ANSWERS], question[_ANSWERS + 1] = ~piles.playable, piles.playable
        count, left = count + 1, left // 2
        position = _next_likely(shares, position)
    position = _next_likely(shares, -1)
    while left > 1 and position >= 0:
        slot = slot_at(table, player, position)
        size = _split(possible_of(memory, player, slot), piles.dead, left, questions[count])
        questions[count, _SLOT] = slot
        count, left = count + 1, left // size
        position = _next_likely(shares, position)
    return questions, count


@njit(cache=True, nogil=True)
def _playable_shares(
    table: np.record, memory: np.ndarray, player: int, piles: Piles, shares: np.ndarray
) -> bool:
    """Note by position how likely a card is to be playable; return whether one surely is.

    Cards that are determined or dead keep the share -1: they are not asked about.
    """
    certain = False
    for position in range(hand_length(table, player)):
        weights = weights_of(memory, player, slot_at(table, player, position))
        certain |= not weights.once & ~piles.playable
        if not is_determined(weights.once) and weights.once & ~piles.dead:
            shares[position] = share(weights, piles.playable)
    return certain


@njit(cache=True, nogil=True)
def _next_likely(shares: np.ndarray, last: int) -> int:
    """Return the position after ``last`` in descending order of share, ascending in ties, or -1.

    ``last`` -1 starts; shares of -1 do not take part.
    """
    chosen = -1
    for position in range(SLOTS):
        here = shares[position]
        due = last < 0 or here < shares[last] or (here == shares[last] and position > last)
        if due and here >= 0.0 and (chosen < 0 or here > shares[chosen]):
            chosen = position
    return chosen


@njit(cache=True, nogil=True)
def _split(possible: int, dead: int, numbers: int, question: np.ndarray) -> int:
    """Share out the live identities among the answers; the dead ones have one answer together."""
    ends = possible & dead
    blocks = numbers - 1 if ends else numbers
    live = 0
    for card in range(COLOURS * RANKS):
        if possible & ~dead & 1 << card:
            question[_ANSWERS + live % blocks] |= 1 << card
            live += 1
    size = min(blocks, live)
    if ends:
        question[_ANSWERS + size] = ends
        size += 1
    question[_SIZE] = size
    return size


@njit(cache=True, nogil=True)
def _true_answer(question: np.ndarray, cards: np.ndarray) -> int:
    """Return the answer that is true of the card; 0 if the card was excluded."""
    card = int(cards[question[_SLOT]])
    for answer in range(question[_SIZE]):
        if question[_ANSWERS + answer] >> card & 1:
            return answer
    return 0


@njit(cache=True, nogil=True)
def answer(
    table: np.record, memory: np.ndarray, player: int, numbers: int, cards: np.ndarray
) -> int:
    """Return the number that is true of a player's ``cards`` (by slot)."""
    questions, count = ask(table, memory, player, numbers)
    number = 0
    for index in range(count):
        number = number * questions[index, _SIZE] + _true_answer(questions[index], cards)
    return number


@njit(cache=True, nogil=True)
def learn_number(
    table: np.record, memory: np.ndarray, player: int, numbers: int, number: int
) -> None:
    """Narrow a player's cards to what the ``number`` (one of ``numbers``) says."""
    questions, count = ask(table, memory, player, numbers)
    for index in range(count - 1, -1, -1):
        question = questions[index]
        cards = question[_ANSWERS + number % question[_SIZE]]
        keep(memory, player, int(question[_SLOT]), cards)
        number //= question[_SIZE]
