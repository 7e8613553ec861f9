"""How an agent behaves, in two numbers that its partner can see too.

Canaan et al. 2022, "Generating and Adapting to Diverse Ad-Hoc Partners in Hanabi", section IV-A:

* communicativeness: hints given / own turns that began with a hint token;
* information per play (IPP): attributes (colour, rank) known of the cards played / (2 * plays).

An attribute is known if the hints to the card leave one value only, negative hints included;
nothing is inferred from the cards seen. Both are ratios of sums over games, not means of ratios,
and undefined (NaN) where the denominator is 0.
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.game.log import GameLogs
from hoad.game.rules import apply, deal
from hoad.game.state import full_game

FEATURES: Final = ("communicativeness", "information_per_play")
"""The features, in the order of the columns of :func:`features_of`."""

HINTS: Final = 0
OPPORTUNITIES: Final = 1
PLAYS: Final = 2
KNOWN: Final = 3
COUNTS: Final = 4
"""Columns of what :func:`count_behaviour` counts, and how many they are."""

_HAND: Final = 5
_FIRST_HINT: Final = 2 * _HAND


def count_behaviour(logs: GameLogs) -> np.ndarray:
    """Count what each seat did in each game.

    Args:
        logs: legal two-player games (:func:`hoad.game.log.replay` checks them).

    Returns:
        int64, shape ``(games, 2, COUNTS)``: hints given, own turns that began with a token,
        cards played, attributes known of the cards played.
    """
    counts = np.zeros((len(logs), 2, COUNTS), np.int64)
    _count(full_game(2).new_states(1), logs.decks, logs.actions, logs.offsets, counts)
    return counts


def features_of(counts: np.ndarray) -> np.ndarray:
    """Return the features of sums of counts, float64, shape ``(..., 2)``; NaN where undefined.

    Args:
        counts: sums over the games (and seats) meant, shape ``(..., COUNTS)``.
    """
    pieces = counts[..., [HINTS, KNOWN]].astype(np.float64)
    chances = counts[..., [OPPORTUNITIES, PLAYS]] * np.array([1.0, 2.0])
    return np.divide(pieces, chances, out=np.full_like(pieces, np.nan), where=chances > 0)


@njit(cache=True, nogil=True)
def _count(
    states: np.ndarray,
    decks: np.ndarray,
    actions: np.ndarray,
    offsets: np.ndarray,
    counts: np.ndarray,
) -> None:
    state = states[0]
    for game in range(len(decks)):
        state.deck[:] = decks[game]
        deal(state, 0)
        for index in range(offsets[game], offsets[game + 1]):
            action = int(actions[index])
            count_turn(state.table, action, counts[game, int(state.table.current)])
            apply(state, action)


@njit(cache=True, nogil=True)
def count_turn(table: np.record, action: int, counts: np.ndarray) -> None:
    """Add the action that is about to be carried out to ``counts`` (int64, ``(COUNTS,)``)."""
    if table.tokens > 0:
        counts[OPPORTUNITIES] += 1
    if action >= _FIRST_HINT:
        counts[HINTS] += 1
    elif action >= _HAND:
        me = int(table.current)
        slot = int(table.order[me, action - _HAND])
        counts[PLAYS] += 1
        counts[KNOWN] += _is_single(int(table.colour_mask[me, slot]))
        counts[KNOWN] += _is_single(int(table.rank_mask[me, slot]))


@njit(cache=True, nogil=True)
def _is_single(mask: int) -> int:
    return int(mask & (mask - 1) == 0)
