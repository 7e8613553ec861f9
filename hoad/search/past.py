"""A game so far as one of its players saw it, in a form that can be replayed with other own hands.

What is public does not depend on the cards that the player holds unseen: they have neither been
played nor discarded. So the tables of all turns are computed once. Only what the partner saw of
the hand, and so what it remembers, has to be replayed for each hand.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.imagined import drawn_at, imagine
from hoad.agents.situation import pack_cards
from hoad.game.moves import COLOUR_HINT
from hoad.game.rules import apply, deal_deck
from hoad.game.state import MAX_HAND, full_game
from hoad.game.stream import Purpose, start_stream

SEARCH: Final = int(Purpose.SEARCH)
"""The purpose of all random numbers of a search."""

_DEALT: Final = 10
NEVER: Final = 1_000
"""In place of a turn: an empty slot, which shows no card that could be another."""


@dataclass(frozen=True)
class Past:
    """One game of the full game of two players, from its deal to a turn of ``seat``.

    Attributes:
        seat: the player.
        states: the state at every turn, the present last, records of dtype ``STATE``, shape
            ``(turns + 1,)``. The cards that the player cannot see are imagined.
        places: by slot, where in the deck its card came from, int64, shape ``(5,)``.
        since: by slot, the first turn at which its card was held, or ``NEVER``, int64.
        key: a number of the actions and the cards that the player saw, from which random streams
            start.
    """

    seat: int
    states: np.ndarray
    places: np.ndarray
    since: np.ndarray
    key: int

    @property
    def now(self) -> np.ndarray:
        """The present state, shape ``(1,)``."""
        return self.states[-1:]

    @property
    def first(self) -> int:
        """The first turn at which the partner saw a card that the player still holds."""
        return int(self.since.min())


def past_of(states: np.ndarray, seat: int) -> Past:
    """Return what the player in ``seat`` saw of one game, shape ``(1,)``.

    Nothing that is hidden from the player is read.
    """
    decks, _ = imagine(states, seat, 1)
    turns = int(states[0]["table"]["turn"])
    replayed = full_game(2).new_states(turns + 1)
    places, since = np.empty(MAX_HAND, np.int64), np.empty(MAX_HAND, np.int64)
    key = _replay(states, decks[0, 0], seat, replayed, places, since)
    return Past(seat, replayed, places, since, key)


@njit(cache=True, nogil=True)
def _replay(
    states: np.ndarray,
    deck: np.ndarray,
    seat: int,
    replayed: np.ndarray,
    places: np.ndarray,
    since: np.ndarray,
) -> int:
    """Fill the states of all turns, and places and since by slot; return the key."""
    table = states[0].table
    turns = int(table.turn)
    key = start_stream(pack_cards(states[0].hands[1 - seat]), turns, SEARCH)
    deal_deck(replayed[0], deck)
    for turn in range(turns):
        replayed[turn + 1] = replayed[turn]
        apply(replayed[turn + 1], int(table.actions[turn]))
        seen = 256 * int(table.actions[turn]) + int(table.revealed[turn])
        key = start_stream(int(key >> np.uint64(1)), seen, SEARCH)
    places[:] = drawn_at(table, seat)
    since[:] = NEVER
    for position in range(int(table.hand_length[seat])):
        slot = int(table.order[seat, position])
        since[slot] = _turn_of_draw(table, int(places[slot]))
    return int(key >> np.uint64(1))


@njit(cache=True, nogil=True)
def _turn_of_draw(table: np.record, place: int) -> int:
    """Return the first turn at which the card from this place of the deck was in a hand."""
    drawn = _DEALT
    for turn in range(int(table.turn)):
        if place < drawn:
            return turn
        drawn += int(int(table.actions[turn]) < COLOUR_HINT)
    return int(table.turn)
