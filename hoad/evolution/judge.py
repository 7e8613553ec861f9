"""Judging chromosomes: self-play games of many of them, for fitness and features.

A compiled loop plays a whole batch of chromosomes without writing logs. The games are the very
ones that :func:`hoad.agents.play.play` plays, which a test compares.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numba import njit

from hoad.agents.agent import MOVES, sample
from hoad.agents.catalogue import rule_parameters
from hoad.agents.play import start_game
from hoad.agents.rule_list import choose_by_rules
from hoad.agents.view import see
from hoad.evolution.behaviour import COUNTS, count_turn, features_of
from hoad.game.rules import apply
from hoad.game.state import full_game


@dataclass(frozen=True)
class Verdicts:
    """How some chromosomes did in self-play.

    Attributes:
        fitness: mean lenient scores, float64, shape ``(chromosomes,)``.
        features: communicativeness and IPP over both seats, float64, ``(chromosomes, 2)``.
    """

    fitness: np.ndarray
    features: np.ndarray


def judge(
    chromosomes: np.ndarray, games: int, seed: int, first_game: int, threads: int = 1
) -> Verdicts:
    """Let each chromosome play the same games with itself.

    Args:
        chromosomes: rule numbers, int64, shape ``(chromosomes, length)``.
        games: games of each chromosome: ``first_game`` and those after it of a seeded run.
        seed: seed of the run.
        first_game: number of the first game.
        threads: threads that play; the verdicts do not depend on it.

    Raises:
        HoadError: a number is not in the catalogue of rules.
    """
    numbers = np.arange(first_game, first_game + games)
    scores = np.zeros(len(chromosomes), np.int64)
    counts = np.zeros((len(chromosomes), COUNTS), np.int64)
    parameters = [rule_parameters(tuple(chromosome)) for chromosome in chromosomes.tolist()]

    def judge_one(index: int) -> None:
        states = full_game(2).new_states(1)
        deck = full_game(2).full_deck()
        scores[index] = _play_all(states, deck, parameters[index], seed, numbers, counts[index])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(judge_one, range(len(chromosomes))))
    return Verdicts(scores / games, features_of(counts))


@njit(cache=True, nogil=True)
def _play_all(
    states: np.ndarray,
    full_deck: np.ndarray,
    parameters: np.ndarray,
    seed: int,
    numbers: np.ndarray,
    counts: np.ndarray,
) -> int:
    """Play the numbered games; return the sum of scores, add both seats' behaviour to counts."""
    state = states[0]
    table = state.table
    hands = np.zeros((5, 5), np.uint8)
    weights = np.zeros(MOVES)
    streams = np.zeros(3, np.uint64)
    no_memory = np.zeros(0, np.uint8)
    scores = 0
    for number in numbers:
        start_game(state, full_deck, streams, seed, number)
        while not table.over:
            me = int(table.current)
            see(state, me, hands)
            move = choose_by_rules(parameters, table, hands, me, no_memory, weights)
            if move < 0:
                move = sample(weights, streams, me)
            count_turn(table, move, counts)
            apply(state, move)
        scores += int(table.score)
    return scores
