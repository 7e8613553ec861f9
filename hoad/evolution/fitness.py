"""Fitness and features of chromosomes from games with themselves, and scores of pairs.

A compiled loop plays a batch of games without writing logs. The games are those that
:func:`hoad.agents.games.play` plays; a test compares them.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numba import njit

from hoad.agents.agent import MOVES, sample, see
from hoad.agents.behaviour import COUNTS, count_safety, count_turn, features_of
from hoad.agents.features import OBSERVABLE
from hoad.agents.rules.rule_list import choose_by_rules, rule_list_agent
from hoad.game.deck import start_game
from hoad.game.rules import apply
from hoad.game.state import full_game, signed


@dataclass(frozen=True)
class Evaluation:
    """Mean lenient scores of some chromosomes in self-play, float64, shape ``(chromosomes,)``.

    Features are those of both seats, float64, shape ``(chromosomes, features)``.
    """

    fitness: np.ndarray
    features: np.ndarray


def evaluate(
    chromosomes: np.ndarray,
    games: int,
    seed: int,
    first_game: int,
    threads: int = 1,
    features: Sequence[str] = OBSERVABLE,
) -> Evaluation:
    """Play ``games`` of each chromosome with itself, the same for all, from ``first_game`` on.

    Chromosomes are rule numbers, int64, shape ``(chromosomes, length)``. The results do not depend
    on ``threads``.

    Raises:
        HoadError: a number is not in the catalogue of rules.
    """
    numbers = np.arange(first_game, first_game + games)
    scores = np.zeros(len(chromosomes), np.int64)
    counts = np.zeros((len(chromosomes), COUNTS), np.int64)
    parameters = [_parameters(chromosome) for chromosome in chromosomes.tolist()]
    safety = "risk_aversion" in features

    def play_one(index: int) -> None:
        mine = parameters[index]
        scores[index] = _play_all(*_new_game(), mine, mine, seed, numbers, counts[index], safety)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play_one, range(len(chromosomes))))
    return Evaluation(scores / games, features_of(counts, features))


def evaluate_pairs(first: np.ndarray, second: np.ndarray, games: int, seed: int) -> np.ndarray:
    """Return the mean lenient score of each pair in the same games, float64, shape ``(pairs,)``.

    ``first`` are the chromosomes that move first, ``second`` their partners (rule numbers, int64,
    shape ``(pairs, length)``). Each pair plays ``games``.

    Raises:
        HoadError: a number is not in the catalogue of rules.
    """
    numbers = np.arange(games)
    unused = np.zeros(COUNTS, np.int64)
    pairs = (map(_parameters, chromosomes.tolist()) for chromosomes in (first, second))
    scores = [
        _play_all(*_new_game(), one, other, seed, numbers, unused, False)
        for one, other in zip(*pairs, strict=True)
    ]
    return np.array(scores, np.float64) / games


def _parameters(chromosome: Sequence[int]) -> np.ndarray:
    """Return what compiled code needs of a rule list."""
    agent = rule_list_agent("candidate", chromosome)
    agent.compile()  # once for all candidates
    return agent.parameters


def _new_game() -> tuple[np.ndarray, np.ndarray]:
    """Return a state to play in and the full deck."""
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

    Safety is counted only if asked for, because it takes time.
    """
    state = states[0]
    table = state.table
    hands = np.zeros((5, 5), np.uint8)
    weights = np.zeros(MOVES)
    streams = np.zeros(2, np.uint64)
    no_memory = np.zeros(0, np.uint8)
    scores = 0
    for number in numbers:
        start_game(state, full_deck, streams, seed, number)
        while not table.over:
            me = signed(table.current)
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
