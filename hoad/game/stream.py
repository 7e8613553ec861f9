"""Random numbers: one splitmix64 stream for each game and for each seat in it.

A stream is a uint64 that counts up; its k-th number depends on (seed, game, seat) alone, so
results do not depend on threads, batch sizes or the order in which games are played, and two
players compared on the same games meet the same chance.
Splitmix64 is from Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
"""

from enum import IntEnum

import numpy as np
from numba import njit


class Purpose(IntEnum):
    """What a random stream is for: each purpose takes the place of a seat in :func:`start_stream`.

    Seats count from 0. Compiled code reads ``int(Purpose.DECK)`` from a global of its module.
    """

    DECK = 255
    """Shuffles the deck of a game."""
    CHOICE = 254
    """The choices of an ad-hoc player, by episode."""

    # Seeds of the games of an evaluation (hoad.agents.seeds.other_seed).
    SUPPORT = 253
    MATCHUPS = 252
    ORACLE = 251
    TABLE = 250
    PARTNER = 249
    RESPONSE = 248
    POPULATIONS = 247
    STATES = 246

    PROGRAM = 245
    """The lists of rules of a partner model, by list."""
    SEARCH = 244
    """What a search imagines."""

    IMAGINED = 248
    """Imagined hands. The number is also that of RESPONSE; the two start from different seeds
    (a hand of cards here, the seed of a run there), and published results depend on both."""


_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_11, _27, _30, _31, _32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))


@njit(cache=True, nogil=True)
def _mix(value: np.uint64) -> np.uint64:
    value = (value ^ (value >> _30)) * _MIX_1
    value = (value ^ (value >> _27)) * _MIX_2
    return value ^ (value >> _31)


@njit(cache=True, nogil=True)
def start_stream(seed: int, game: int, seat: int) -> np.uint64:
    """Return the start (uint64) of the stream of one seat in one game of a seeded run."""
    key = _mix(np.uint64(seed) + _STEP)
    key = _mix(key + np.uint64(game) * _STEP)
    return _mix(key + (np.uint64(seat) + np.uint64(1)) * _STEP)


@njit(cache=True, nogil=True)
def next_number(streams: np.ndarray, index: int) -> np.uint64:
    """Advance ``streams[index]`` (uint64 array) and return its next 64 random bits."""
    streams[index] += _STEP
    return _mix(streams[index])


@njit(cache=True, nogil=True)
def next_below(streams: np.ndarray, index: int, bound: int) -> int:
    """Return the stream's next integer in ``0 .. bound - 1`` (bias below 2**-26)."""
    return int(((next_number(streams, index) >> _32) * np.uint64(bound)) >> _32)


@njit(cache=True, nogil=True)
def next_unit(streams: np.ndarray, index: int) -> float:
    """Return the stream's next float64, uniform in [0, 1)."""
    return float(next_number(streams, index) >> _11) * 2.0**-53


@njit(cache=True, nogil=True)
def shuffle(deck: np.ndarray, length: int, streams: np.ndarray, index: int) -> None:
    """Shuffle the first ``length`` cards of ``deck`` in place (Fisher and Yates)."""
    for last in range(length - 1, 0, -1):
        other = next_below(streams, index, last + 1)
        card = deck[last]
        deck[last] = deck[other]
        deck[other] = card
