"""The prior on programs, ordered lists of rules, and on how they err.

A list of n rules has probability proportional to GROWTH**n, and each rule is any of the
catalogue's. How often a rule is skipped has the distribution Beta(SKIP_A, SKIP_B), and how often a
skip leads astray Beta(STRAY_AB, STRAY_AB).
"""

from typing import Final

import numpy as np
from numba import njit

from hoad.game.stream import next_below, next_unit

LONGEST: Final = 24
"""No list has more rules."""

GROWTH: Final = 0.9
SKIP_A: Final = 0.1
SKIP_B: Final = 1.0
STRAY_AB: Final = 1.0
"""Both parameters of the distribution of strays: uniform."""


def log_prior(lengths: np.ndarray, rules: int) -> np.ndarray:
    """Return the log-probabilities of lists of these lengths, up to a constant, float64."""
    log_probabilities: np.ndarray = lengths * np.log(GROWTH / rules)
    return log_probabilities


def draw_lists(count: int, rules: int, streams: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Draw lists from the prior: rules, int64, ``(count, LONGEST)``, and their lengths.

    Longer lists are cut to ``LONGEST``, so that 8 % of them have this length instead of 1 %; the
    changes that follow games make up for it.
    """
    lists, lengths = np.zeros((count, LONGEST), np.int64), np.zeros(count, np.int64)
    _draw(lists, lengths, rules, GROWTH, streams)
    return lists, lengths


@njit(cache=True, nogil=True)
def _draw(
    lists: np.ndarray, lengths: np.ndarray, rules: int, growth: float, streams: np.ndarray
) -> None:
    for index in range(len(lists)):
        while lengths[index] < LONGEST and next_unit(streams, index) < growth:
            lists[index, lengths[index]] = next_below(streams, index, rules)
            lengths[index] += 1
