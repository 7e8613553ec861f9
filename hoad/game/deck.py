"""Decks: that of a seeded game, the start of the game, and the check of a given deck."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numba import njit

from hoad.core.errors import HoadError
from hoad.game.rules import deal_deck
from hoad.game.state import Variant
from hoad.game.stream import Purpose, shuffle, start_stream

_DECK: Final = int(Purpose.DECK)


@njit(cache=True, nogil=True)
def shuffled_deck(full_deck: np.ndarray, seed: int, game: int) -> np.ndarray:
    """Return the deck of game number ``game`` of a seeded run, uint8, shape ``(cards,)``.

    ``full_deck`` is :meth:`Variant.full_deck`; the deck depends on it and (seed, game) alone.
    """
    streams = np.empty(1, np.uint64)
    streams[0] = start_stream(seed, game, _DECK)
    deck = full_deck.copy()
    shuffle(deck, len(deck), streams, 0)
    return deck


@njit(cache=True, nogil=True)
def start_game(
    state: np.record, full_deck: np.ndarray, streams: np.ndarray, seed: int, game: int
) -> None:
    """Deal game number ``game`` of a seeded run into ``state``.

    ``streams`` (uint64) receives the random streams of seats 0, 1, ...; ``full_deck`` is
    :meth:`Variant.full_deck`.
    """
    for seat in range(len(streams)):
        streams[seat] = start_stream(seed, game, seat)
    deal_deck(state, shuffled_deck(full_deck, seed, game))


def checked_deck(variant: Variant, cards: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return card ids in drawing order as a deck, uint8, shape ``(cards,)``.

    Raises:
        HoadError: they are not exactly the cards of this variant.
    """
    if sorted(cards) != variant.full_deck().tolist():
        raise HoadError(
            f"deck: these {len(cards)} card ids are not the {variant.cards} cards of the game; "
            "give each card (colour * ranks + rank, from 0) as often as it exists"
        )
    return np.array(cards, dtype=np.uint8)
