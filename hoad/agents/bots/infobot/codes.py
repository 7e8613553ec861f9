"""InfoBot's codes: the number that a hint shows.

Both players derive the code from the receiver's public tables. Where the colours or ranks that
several cards can have are disjoint, naming a card's colour or rank points at the card, and that
makes the number. Otherwise it is whether the hint names a colour or a rank, and whether it
touches the card that is least known.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.bots.card_sets import colours_of, ranks_of
from hoad.agents.bots.hand_slots import hand_length, slot_at
from hoad.agents.bots.infobot.questions import Piles
from hoad.agents.bots.infobot.weights import is_determined, possible_of
from hoad.agents.situation import COLOURS, RANKS, SLOTS, count_cards

_FEW: Final = 4


class Code(NamedTuple):
    """A code.

    Attributes:
        size: how many numbers there are.
        focus: the slot that a hint touches or not, -1 where ``numbers`` counts.
        numbers: the number of each hint, colours first.
    """

    size: int
    focus: int
    numbers: np.ndarray


@njit(cache=True, nogil=True)
def make_code(table: np.record, memory: np.ndarray, player: int, piles: Piles) -> Code:
    """Return the code of hints to ``player``."""
    length = hand_length(table, player)
    possible = np.zeros(SLOTS, np.int64)
    for position in range(length):
        possible[position] = possible_of(memory, player, slot_at(table, player, position))
    numbers = np.full(COLOURS + RANKS, -1)
    count = _number_hints(possible[:length], numbers)
    if count > _FEW:
        return Code(count, -1, numbers)
    focus = slot_at(table, player, _least_known(possible[:length], piles))
    return Code(3 if _may_touch_all(possible[:length]) else 4, focus, numbers)


@njit(cache=True, nogil=True)
def number_of(code: Code, hint: int, touches_focus: bool) -> int:
    """Return the number that a hint (0 to 4 colours, 5 to 9 ranks) shows."""
    if code.focus < 0:
        return int(code.numbers[hint])
    if touches_focus:
        return 1 if hint < COLOURS else 0
    return 3 if code.size == _FEW and hint < COLOURS else 2


@njit(cache=True, nogil=True)
def _number_hints(possible: np.ndarray, numbers: np.ndarray) -> int:
    """Number the hints by the cards that they point at; return how many numbers there are."""
    by_colour, by_rank = _pack(possible, True), _pack(possible, False)
    count = 0
    for position in range(len(possible)):
        if by_colour >> position & 1:
            _set_number(numbers, colours_of(possible[position]), count)
            count += 1
        if by_rank >> position & 1:
            _set_number(numbers, ranks_of(possible[position]) << COLOURS, count)
            count += 1
    others = 0
    for hint in range(COLOURS + RANKS):
        if numbers[hint] < 0:
            numbers[hint] = others % count
            others += 1
    return count


@njit(cache=True, nogil=True)
def _set_number(numbers: np.ndarray, hints: int, number: int) -> None:
    for hint in range(COLOURS + RANKS):
        if hints >> hint & 1:
            numbers[hint] = number


@njit(cache=True, nogil=True)
def _pack(possible: np.ndarray, by_colour: bool) -> int:
    """Return the first largest set of positions whose cards share no colour (or rank).

    No two identities of these cards may do, of the same card neither. It is the oldest card alone
    if there is no larger set, without looking at it.
    """
    packed, size = 1, 1
    for positions in range(3, 1 << len(possible)):
        if count_cards(positions) > size and _is_disjoint(possible, positions, by_colour):
            packed, size = positions, count_cards(positions)
    return packed


@njit(cache=True, nogil=True)
def _is_disjoint(possible: np.ndarray, positions: int, by_colour: bool) -> bool:
    taken = 0
    for position in range(len(possible)):
        if positions >> position & 1:
            cards = possible[position]
            values = colours_of(cards) if by_colour else ranks_of(cards)
            if values & taken or count_cards(values) != count_cards(cards):
                return False
            taken |= values
    return True


@njit(cache=True, nogil=True)
def _least_known(possible: np.ndarray, piles: Piles) -> int:
    """Return the first position with most colours and ranks, of cards worth asking about."""
    chosen, most = 0, 0
    for position in range(len(possible)):
        cards = possible[position]
        if cards & ~piles.dead and not is_determined(cards):
            values = count_cards(colours_of(cards)) + count_cards(ranks_of(cards))
            if values > most:
                chosen, most = position, values
    return chosen


@njit(cache=True, nogil=True)
def _may_touch_all(possible: np.ndarray) -> bool:
    """Return whether all cards can have the same colour, or the same rank."""
    colours, ranks = (1 << COLOURS) - 1, (1 << RANKS) - 1
    for cards in possible:
        colours &= colours_of(cards)
        ranks &= ranks_of(cards)
    return colours != 0 or ranks != 0
