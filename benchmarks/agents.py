"""How fast agents play whole games against themselves, and how long it takes to compile them."""

import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from benchmarks.timing import RUNS, median_seconds, seconds
from hoad.agents import get_agent, play
from hoad.agents.agent import CompiledAgent
from hoad.agents.process.agent import stop_idle
from hoad.agents.rules.rule_list import rule_list_agent

_GAMES = 20_000
_PROCESS_GAMES = 200
_SEED = 1

_CHROMOSOMES = 100
_CHROMOSOME_LENGTH = 15
_RULES = 135
_CHROMOSOME_GAMES = 500

_PLAY_EVERYBODY = """
from hoad.agents import agent_names, get_agent, play
for agent in map(get_agent, agent_names()):
    play([agent, agent], games=1, seed=1)
"""


def self_play_games_per_s(name: str) -> float:
    """Return self-play games a second of an agent on one thread."""
    agent = get_agent(name)
    return _GAMES / median_seconds(lambda: play([agent, agent], _GAMES, _SEED))


def random_chromosomes_games_per_s() -> float:
    """Return self-play games a second of random chromosomes over the rules of the archives."""
    agents = random_chromosomes(_CHROMOSOMES)

    def play_all() -> None:
        for agent in agents:
            play([agent, agent], _CHROMOSOME_GAMES, _SEED)

    return _CHROMOSOMES * _CHROMOSOME_GAMES / median_seconds(play_all)


def random_chromosomes(agents: int) -> list[CompiledAgent]:
    """Return agents whose rules are drawn from those of the archives."""
    shape = (agents, _CHROMOSOME_LENGTH)
    chromosomes = np.random.default_rng(_SEED).choice(_RULES, shape).tolist()
    return [rule_list_agent("random", chromosome) for chromosome in chromosomes]


def process_moves_per_s() -> float:
    """Return moves of the example in Python a second of processor time of HOAD and its children."""
    agent = get_agent(f"process:{sys.executable} examples/simple_bot.py")
    play([agent, agent], 1, _SEED)
    started = _processor_time()
    logs = play([agent, agent], _PROCESS_GAMES, _SEED)
    stop_idle()  # the system tells the time of children that have ended
    return len(logs.actions) / (_processor_time() - started)


def _processor_time() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def compile_everything_s() -> float:
    """Return how long a new process takes to compile every agent and play a game with each."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-c", _PLAY_EVERYBODY]
        return seconds(lambda: subprocess.run(command, env=environment, check=True))


def two_thread_speedup(name: str = "iggi") -> float:
    """Return how many times faster two threads play than one; runs alternate."""
    agent = get_agent(name)
    ratios = []
    for _ in range(RUNS):
        one = seconds(lambda: play([agent, agent], 2 * _GAMES, _SEED, threads=1))
        two = seconds(lambda: play([agent, agent], 2 * _GAMES, _SEED, threads=2))
        ratios.append(one / two)
    return statistics.median(ratios)
