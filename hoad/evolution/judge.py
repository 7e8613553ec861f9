"""Judging chromosomes by games of many of them: with themselves, and with each other.

A compiled loop plays a whole batch of games without writing logs. The games are the very ones
that :func:`hoad.agents.play.play` plays, which a test compares.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numba import njit

from hoad.agents.agent import MOVES, sample
from hoad.agents.behaviour import (
    COUNTS,
    FEATURES,
    count_safety,
    count_turn,
    features_of,
)
from hoad.agents.play import start_game
from hoad.agents.rules.catalogue import rule_parameters
from hoad.agents.rules.rule_list import choose_by_rules
from hoad.agents.view import see
from hoad.game.rules import apply
from hoad.game.state import full_game


@dataclass(frozen=True)
class Verdicts:
    """How some chromosomes did in self-play.

    Attributes:
        fitness: mean lenient scores, float64, shape ``(chromosomes,)``.
        features: over both seats, float64, shape ``(chromosomes, features)``.
    """

    fitness: np.ndarray
    features: np.ndarray


def judge(
    chromosomes: np.ndarray,
    games: int,
    seed: int,
    first_game: int,
    threads: int = 1,
    features: Sequence[str] = FEATURES,
) -> Verdicts:
    """Let each chromosome play the same games with itself.

    Args:
        chromosomes: rule numbers, int64, shape ``(chromosomes, length)``.
        games: games of each chromosome: ``first_game`` and those after it of a seeded run.
        seed: seed of the run.
        first_game: number of the first game.
        threads: threads that play; the verdicts do not depend on it.
        features: names of the features to tell.

    Raises:
        HoadError: a number is not in the catalogue of rules.
    """
    numbers = np.arange(first_game, first_game + games)
    scores = np.zeros(len(chromosomes), np.int64)
    counts = np.zeros((len(chromosomes), COUNTS), np.int64)
    parameters = [rule_parameters(chromosome) for chromosome in chromosomes.tolist()]
    safety = "risk_aversion" in features

    def judge_one(index: int) -> None:
        mine = parameters[index]
        scores[index] = _play_all(*_table(), mine, mine, seed, numbers, counts[index], safety)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(judge_one, range(len(chromosomes))))
    return Verdicts(scores / games, features_of(counts, features))


def judge_pairs(
    first: np.ndarray, second: np.ndarray, games: int, seed: int, first_game: int = 0
) -> np.ndarray:
    """Let pairs of chromosomes play, all of them the same games.

    Args:
        first: rule numbers of who moves first, int64, shape ``(pairs, length)``.
        second: of the other ones, likewise.
        games: games of each pair.
        seed: seed of the run.
        first_game: number of the first game.

    Returns:
        Mean lenient scores, float64, shape ``(pairs,)``.

    Raises:
        HoadError: a number is not in the catalogue of rules.
    """
    numbers = np.arange(first_game, first_game + games)
    unused = np.zeros(COUNTS, np.int64)
    scores = [
        _play_all(
            *_table(), rule_parameters(one), rule_parameters(other), seed, numbers, unused, False
        )
        for one, other in zip(first.tolist(), second.tolist(), strict=True)
    ]
    return np.array(scores, np.float64) / games


def _table() -> tuple[np.ndarray, np.ndarray]:
    """Return a state to play in, and the cards to shuffle."""
    return full_game(2).new_states(1), full_game(2).full_deck()


@njit(cache=True, nogil=True)
def _play_all(
    states: np.ndarray,
    full_deck: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    seed: int,
    numbers: np.ndarray,
    counts: np.ndarray,
    safety: bool,
) -> int:
    """Play the numbered games; return the sum of scores, add both seats' behaviour to counts.

    Chances of being playable take time to count: only for ``safety``.
    """
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
            parameters = second if me else first
            move = choose_by_rules(parameters, table, hands, me, no_memory, weights)
            if move < 0:
                move = sample(weights, streams, me)
            count_turn(table, move, counts)
            if safety:
                count_safety(table, hands, move, counts)
            apply(state, move)
        scores += int(table.score)
    return scores
