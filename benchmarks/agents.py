"""How fast agents play whole games against themselves."""

import statistics

from benchmarks.timing import RUNS, median_seconds, seconds
from hoad.agents import get_agent, play

_GAMES = 20_000
_SEED = 1


def self_play_games_per_s(name: str) -> float:
    """Return self-play games a second of an agent on one thread."""
    agent = get_agent(name)
    return _GAMES / median_seconds(lambda: play([agent, agent], _GAMES, _SEED))


def two_thread_speedup(name: str = "iggi") -> float:
    """Return how many times faster two threads play than one; runs alternate."""
    agent = get_agent(name)
    ratios = []
    for _ in range(RUNS):
        one = seconds(lambda: play([agent, agent], 2 * _GAMES, _SEED, threads=1))
        two = seconds(lambda: play([agent, agent], 2 * _GAMES, _SEED, threads=2))
        ratios.append(one / two)
    return statistics.median(ratios)
