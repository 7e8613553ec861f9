"""InfoBot's numbers: what one player shows the other by its choice of a hint or a discard.

A number answers a list of questions about single cards of the other player's hand, which both
players derive in the same way from the public tables: "is it playable?" for the likeliest cards,
then "in which block of identities is it?". The first question is the most significant digit.

A code says which number a hint shows; both players derive it from the receiver's public tables.
Where the colours or ranks that several cards can have are disjoint, naming a card's colour or rank
points at the card, and that makes the number. Otherwise it is whether the hint names a colour or a
rank, and whether it touches the card that is least known.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.agent import Memory, Table
from hoad.agents.bots.card_sets import Piles, hand_length, look, slot_at
from hoad.agents.bots.hat_guessing import (
    BY_COLOUR,
    BY_RANK,
    count_numbers,
    hints_to,
    number_shown,
    split,
)
from hoad.agents.bots.infobot.tables import keep, possible_of, public_hand, weights_of
from hoad.agents.bots.weights import is_determined, share
from hoad.agents.situation import COLOURS, HINTS, RANKS, SLOTS, count_cards

# A question is a row of numbers: the slot, how many answers there are, and for each answer the
# set of identities that it leaves.
_SLOT: Final = 0
_SIZE: Final = 1
_ANSWERS: Final = 2
_MOST_ANSWERS: Final = 10
_MOST_QUESTIONS: Final = 4

_BY_CARD = np.arange(COLOURS * RANKS)

_LIKELY: Final = 0.2
_FEW: Final = 4


@njit(cache=True, nogil=True)
def ask(table: Table, memory: Memory, player: int, numbers: int) -> tuple[np.ndarray, int]:
    """Return the questions about a hand that ``numbers`` numbers can answer, and their count."""
    piles = look(table)
    questions = np.zeros((_MOST_QUESTIONS, _ANSWERS + _MOST_ANSWERS), np.int64)
    shares = np.full(SLOTS, -1.0)
    certain = _playable_shares(table, memory, player, piles, shares)
    count, left = 0, numbers
    by_share = np.argsort(-shares, kind="mergesort")  # stable: the oldest first of several
    for position in by_share:
        if left <= 1 or certain or shares[position] < _LIKELY:
            break
        question = questions[count]
        question[_SLOT] = slot_at(table, player, position)
        question[_SIZE] = 2
        question[_ANSWERS], question[_ANSWERS + 1] = ~piles.playable, piles.playable
        count, left = count + 1, left // 2
    for position in by_share:
        if left <= 1 or shares[position] < 0.0:
            break
        slot = slot_at(table, player, position)
        question, possible = questions[count], possible_of(memory, player, slot)
        size = split(possible, piles.worthless, left, _BY_CARD, question[_ANSWERS:])
        question[_SLOT], question[_SIZE] = slot, size
        count, left = count + 1, left // size
    return questions, count


@njit(cache=True, nogil=True)
def _playable_shares(
    table: Table, memory: Memory, player: int, piles: Piles, shares: np.ndarray
) -> bool:
    """Note by position how likely a card is to be playable; return whether one surely is.

    Cards that are determined or worthless keep the share -1: they are not asked about.
    """
    certain = False
    for position in range(hand_length(table, player)):
        weights = weights_of(memory, player, slot_at(table, player, position))
        certain |= not weights.once & ~piles.playable
        if not is_determined(weights.once) and weights.once & ~piles.worthless:
            shares[position] = share(weights, piles.playable)
    return certain


@njit(cache=True, nogil=True)
def _true_answer(question: np.ndarray, cards: np.ndarray) -> int:
    """Return the answer that is true of the card; 0 if the card was excluded."""
    card = int(cards[question[_SLOT]])
    for answer in range(question[_SIZE]):
        if question[_ANSWERS + answer] >> card & 1:
            return answer
    return 0


@njit(cache=True, nogil=True)
def answer(table: Table, memory: Memory, player: int, numbers: int, cards: np.ndarray) -> int:
    """Return the number that is true of a player's ``cards`` (by slot)."""
    questions, count = ask(table, memory, player, numbers)
    number = 0
    for index in range(count):
        number = number * questions[index, _SIZE] + _true_answer(questions[index], cards)
    return number


@njit(cache=True, nogil=True)
def learn_number(table: Table, memory: Memory, player: int, numbers: int, number: int) -> None:
    """Narrow a player's cards to what the ``number`` (one of ``numbers``) says."""
    questions, count = ask(table, memory, player, numbers)
    for index in range(count - 1, -1, -1):
        question = questions[index]
        cards = question[_ANSWERS + number % question[_SIZE]]
        keep(memory, player, int(question[_SLOT]), cards)
        number //= question[_SIZE]


class Code(NamedTuple):
    """A code."""

    size: int  # how many numbers there are
    focus: int  # the slot that a hint touches or not, -1 where numbers counts
    numbers: np.ndarray  # the number of each hint, colours first


@njit(cache=True, nogil=True)
def make_code(table: Table, memory: Memory, player: int, piles: Piles) -> Code:
    """Return the code of hints to ``player``."""
    hand = public_hand(table, memory, player)
    possible = hand[:, 0]
    numbers = np.full(HINTS, -1)
    count = _number_hints(possible, numbers)
    if count > _FEW:
        return Code(count, -1, numbers)
    focus = slot_at(table, player, _least_known(possible, piles))
    return Code(count_numbers(hand), focus, numbers)


@njit(cache=True, nogil=True)
def number_of(code: Code, hint: int, touches_focus: bool) -> int:
    """Return the number that a hint (0 to 4 colours, 5 to 9 ranks) shows."""
    if code.focus < 0:
        return int(code.numbers[hint])
    return number_shown(code.size, hint < COLOURS, touches_focus)


@njit(cache=True, nogil=True)
def _number_hints(possible: np.ndarray, numbers: np.ndarray) -> int:
    """Number the hints by the cards that they point at; return how many numbers there are."""
    by_colour, by_rank = _pack(possible, BY_COLOUR), _pack(possible, BY_RANK)
    count = 0
    for position in range(len(possible)):
        for packed, kind in ((by_colour, BY_COLOUR), (by_rank, BY_RANK)):
            if packed >> position & 1:
                pointing = hints_to(possible[position]) & kind
                for hint in range(HINTS):
                    if pointing >> hint & 1:
                        numbers[hint] = count
                count += 1
    others = 0
    for hint in range(HINTS):
        if numbers[hint] < 0:
            numbers[hint] = others % count
            others += 1
    return count


@njit(cache=True, nogil=True)
def _pack(possible: np.ndarray, kind: int) -> int:
    """Return the first largest set of positions whose cards share no hint of a kind.

    No two identities of these cards may do, of the same card neither. It is the oldest card alone
    if there is no larger set, without looking at it.
    """
    hints, sizes = np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64)
    for position in range(len(possible)):
        hints[position] = hints_to(possible[position]) & kind
        sizes[position] = count_cards(possible[position])
    packed, most = 1, 1
    for positions in range(3, 1 << len(possible)):
        named, identities = 0, 0
        for position in range(SLOTS):
            if positions >> position & 1:
                named |= hints[position]
                identities += sizes[position]
        if count_cards(named) == identities and count_cards(positions) > most:
            packed, most = positions, count_cards(positions)
    return packed


@njit(cache=True, nogil=True)
def _least_known(possible: np.ndarray, piles: Piles) -> int:
    """Return the first position with most colours and ranks, of cards worth asking about."""
    chosen, most = 0, 0
    for position in range(len(possible)):
        cards = possible[position]
        if cards & ~piles.worthless and not is_determined(cards):
            values = count_cards(hints_to(cards))
            if values > most:
                chosen, most = position, values
    return chosen
