"""Decks: the one of a seeded game, and the check of a given one."""

from collections.abc import Sequence

import numpy as np
from numba import njit

from hoad.core.errors import HoadError
from hoad.game.state import Variant
from hoad.game.stream import DECK, shuffle, start_stream


@njit(cache=True, nogil=True)
def shuffled_deck(full_deck: np.ndarray, seed: int, game: int) -> np.ndarray:
    """Return the deck of game number ``game`` of a seeded run, uint8, shape ``(cards,)``.

    ``full_deck`` is :meth:`Variant.full_deck`; the deck depends on it and (seed, game) alone.
    """
    streams = np.empty(1, np.uint64)
    streams[0] = start_stream(seed, game, DECK)
    deck = full_deck.copy()
    shuffle(deck, len(deck), streams, 0)
    return deck


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
