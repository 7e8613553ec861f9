"""What SmartBot knows of both hands: for every card the set of identities not excluded.

This knowledge is public. Only :func:`private_cards` adds what one player sees.
"""

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from hoad.agents.bots.card_sets import (
    SET_BYTES,
    Copies,
    add_copy,
    cards_of_rank,
    exhausted,
    load_cards,
    no_copies,
    store_cards,
)
from hoad.agents.bots.hand_slots import hand_length, held_slots, slot_at
from hoad.agents.situation import (
    ALL_CARDS,
    SLOTS,
    count_cards,
    necessary_cards,
    plausible_cards,
    playable_cards,
    useless_cards,
)
from hoad.game.state import NO_CARD

# The memory: by player and slot the set of excluded identities, then the turn (from 1) for which
# conclusions were drawn.
_CONCLUDED: Final = 2 * SLOTS * SET_BYTES
MEMORY: Final = _CONCLUDED + 1


class Piles(NamedTuple):
    """Sets of cards by their current use.

    Attributes:
        playable: those that would fit now.
        valuable: last copies of what can still be played.
        worthless: those that can never be played any more.
    """

    playable: int
    valuable: int
    worthless: int


@njit(cache=True, nogil=True)
def look(table: np.record) -> Piles:
    """Return the sets of cards by their current use."""
    return Piles(playable_cards(table), necessary_cards(table), useless_cards(table))


@njit(cache=True, nogil=True)
def possible_of(memory: np.ndarray, player: int, slot: int) -> int:
    """Return what a card can be, as both players know."""
    return ALL_CARDS & ~load_cards(memory, SET_BYTES * (player * SLOTS + slot))


@njit(cache=True, nogil=True)
def set_possible(memory: np.ndarray, player: int, slot: int, cards: int) -> None:
    """Write what a card can be."""
    store_cards(memory, SET_BYTES * (player * SLOTS + slot), ALL_CARDS & ~cards)


@njit(cache=True, nogil=True)
def narrow(memory: np.ndarray, player: int, slot: int, cards: int, hinted: int) -> None:
    """Narrow a card to ``cards``; where nothing is left of it, widen it to ``hinted``."""
    possible = possible_of(memory, player, slot) & cards
    set_possible(memory, player, slot, possible or hinted)


@njit(cache=True, nogil=True)
def is_only(possible: int, kind: int) -> bool:
    """Return whether all possible identities are of a kind."""
    return not possible & ~kind


@njit(cache=True, nogil=True)
def is_open(possible: int, kind: int) -> bool:
    """Return whether some possible identities are of a kind and some are not."""
    return possible & kind != 0 and possible & ~kind != 0


@njit(cache=True, nogil=True)
def is_known(possible: int) -> bool:
    """Return whether a single identity is possible."""
    return not possible & (possible - 1)


@njit(cache=True, nogil=True)
def share_of(possible: int, kind: int) -> float:
    """Return the share of the possible identities that are of a kind; copies do not count."""
    return count_cards(possible & kind) / count_cards(possible)


@njit(cache=True, nogil=True)
def next_discard(table: np.record, memory: np.ndarray, player: int, piles: Piles) -> int:
    """Return the slot that a player without a better move would discard, or -1."""
    chosen, best = -1, -1.0
    for position in range(hand_length(table, player)):
        slot = slot_at(table, player, position)
        possible = possible_of(memory, player, slot)
        if is_only(possible, piles.playable) or is_only(possible, piles.worthless):
            return -1
        share = share_of(possible, piles.worthless)
        if share > best and not is_only(possible, piles.valuable):
            chosen, best = slot, share
    return chosen


@njit(cache=True, nogil=True)
def is_warning(possible: int, rank: int, piles: Piles) -> bool:
    """Return whether naming the rank of the next discard, which can be this, is a warning."""
    may_be = possible & piles.valuable
    return may_be & cards_of_rank(rank) != 0 and may_be != possible


@njit(cache=True, nogil=True)
def conclude(table: np.record, memory: np.ndarray) -> None:
    """Exclude the identities of which all copies are gone or located, once a turn."""
    now = int(table.turn) + 1
    if memory[_CONCLUDED] == now:
        return
    memory[_CONCLUDED] = now
    held_0, held_1 = held_slots(table, 0), held_slots(table, 1)
    located = True
    while located:
        copies = _add_known(_add_known(no_copies(), memory, 0, held_0), memory, 1, held_1)
        others = ~exhausted(table, copies)
        located = _leave(table, memory, 0, held_0, others)
        located |= _leave(table, memory, 1, held_1, others)


@njit(cache=True, nogil=True)
def _add_known(copies: Copies, memory: np.ndarray, player: int, held: int) -> Copies:
    for slot in range(SLOTS):
        possible = possible_of(memory, player, slot)
        if held >> slot & 1 and is_known(possible):
            copies = add_copy(copies, possible)
    return copies


@njit(cache=True, nogil=True)
def _leave(table: np.record, memory: np.ndarray, player: int, held: int, cards: int) -> bool:
    """Narrow the unknown cards of a hand; return whether one became known."""
    located = False
    for slot in range(SLOTS):
        if held >> slot & 1 and not is_known(possible_of(memory, player, slot)):
            narrow(memory, player, slot, cards, plausible_cards(table, player, slot))
            located |= is_known(possible_of(memory, player, slot))
    return located


@njit(cache=True, nogil=True)
def seen_cards(table: np.record, memory: np.ndarray, hands: np.ndarray, me: int) -> int:
    """Return the cards of which all copies are gone, in the partner's hand or known in mine."""
    copies = _add_known(no_copies(), memory, me, held_slots(table, me))
    for slot in range(SLOTS):
        if int(hands[1 - me, slot]) != NO_CARD:
            copies = add_copy(copies, 1 << int(hands[1 - me, slot]))
    return exhausted(table, copies)


@njit(cache=True, nogil=True)
def private_cards(table: np.record, memory: np.ndarray, me: int, slot: int, seen: int) -> int:
    """Return what my card can be, as I know from seeing the partner's hand."""
    possible = possible_of(memory, me, slot)
    if is_known(possible):
        return possible
    return possible & ~seen or plausible_cards(table, me, slot)
