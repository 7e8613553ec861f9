"""Timing that several runs agree on."""

import statistics
import time
from collections.abc import Callable

RUNS = 9


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def median_seconds(work: Callable[[], object]) -> float:
    """Return the median time of ``RUNS`` runs of ``work``, after one that compiles it."""
    work()
    return statistics.median(seconds(work) for _ in range(RUNS))
