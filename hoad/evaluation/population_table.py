"""How good the elites of populations are: with themselves, and with each other."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.adhoc.seeds import POPULATIONS, other_seed
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.core.workers import work
from hoad.evolution.fitness import evaluate, evaluate_pairs
from hoad.evolution.folders import population_path
from hoad.evolution.population import Population, load_population

_ELITES: Final = 8
"""Elites that a worker judges at a time."""


@dataclass(frozen=True)
class Judged:
    """A population whose elites were judged anew.

    Attributes:
        population: with the new fitness of each elite.
        pairwise: mean lenient scores of each ordered pair, float64, shape ``(elites, elites)``;
            row = first player. Its diagonal is self-play on the games of the pairs.
    """

    population: Population
    pairwise: np.ndarray

    @property
    def fitness(self) -> np.ndarray:
        """Mean lenient self-play scores of the elites, float64."""
        return np.array([elite.fitness for elite in self.population.elites], np.float64)

    @property
    def coverage(self) -> int:
        """Niches whose elite scores anything at all."""
        return int((self.fitness > 0).sum())

    @property
    def best(self) -> float:
        """The best elite's score."""
        return float(self.fitness.max())

    @property
    def mean(self) -> float:
        """The mean score over the covered niches, 0 where there is none."""
        return self.qd_score / self.coverage if self.coverage else 0.0

    @property
    def qd_score(self) -> float:
        """The sum of the scores over all niches, 0 where one is empty."""
        return float(self.fitness.sum())

    @property
    def pairwise_mean(self) -> float:
        """The mean score over all ordered pairs, of elites with themselves included."""
        return float(self.pairwise.mean())

    def correlation(self, seat: int) -> float | None:
        """Return the correlation of self-play with the mean score with all elites.

        None where one of the two is the same for all.

        Args:
            seat: 0 for the mean over partners of the one who moves first (a response r in Canaan
                et al.), 1 for that of the one who moves second (a hypothesis h).
        """
        means = self.pairwise.mean(1 - seat)
        if not (np.ptp(self.fitness) and np.ptp(means)):
            return None
        return float(np.corrcoef(self.fitness, means)[0, 1])


@dataclass(frozen=True)
class PopulationTable:
    """Several populations, judged in the same way.

    Attributes:
        judged: the populations.
        games: self-play games of each elite.
        pair_games: games of each ordered pair.
        seed: of the games.
        seconds: wall time of the games.
    """

    judged: tuple[Judged, ...]
    games: int
    pair_games: int
    seed: int
    seconds: float


def load_populations(names: Sequence[str]) -> list[Population]:
    """Return populations, called as they are named here where names in the files are not unique.

    Args:
        names: of populations, or paths of their files.

    Raises:
        HoadError: one of them cannot be read, is empty, or is named twice.
    """
    for name in names:
        if names.count(name) > 1:
            raise HoadError(f"population {name}: named twice; name it once")
    found = [load_population(population_path(name)) for name in names]
    for name, population in zip(names, found, strict=True):
        if not population.elites:
            raise HoadError(f"population {name}: has no elites; name one that has some")
    if len({population.name for population in found}) == len(found):
        return found
    named = zip(found, names, strict=True)
    return [population.model_copy(update={"name": name}) for population, name in named]


def population_table(
    names: Sequence[str], games: int, pair_games: int, seed: int, threads: int
) -> PopulationTable:
    """Judge the elites of populations on decks that no evolution has used.

    Args:
        names: of populations, or paths of their files.
        games: self-play games of each elite.
        pair_games: games of each ordered pair of a population; all pairs have the same decks.
        seed: of the games.
        threads: number of threads; the result does not depend on it.

    Raises:
        HoadError: a population cannot be read, or a rule is not in the catalogue.
    """
    started = time.monotonic()
    judged = tuple(
        _judge(population, games, pair_games, other_seed(seed, POPULATIONS), threads)
        for population in load_populations(names)
    )
    return PopulationTable(judged, games, pair_games, seed, time.monotonic() - started)


def _judge(population: Population, games: int, pair_games: int, seed: int, threads: int) -> Judged:
    rules = population.chromosomes
    blocks = np.array_split(rules, -(-len(rules) // _ELITES))
    items = [(block, games, seed, 0) for block in blocks]
    fitness = [verdicts.fitness for verdicts in work(evaluate, items, threads)]
    elites = [
        elite.model_copy(update={"fitness": score})
        for elite, score in zip(population.elites, np.concatenate(fitness).tolist(), strict=True)
    ]
    return Judged(
        population.model_copy(update={"elites": tuple(elites)}),
        play_all_pairs(rules, pair_games, seed, threads),
    )


def play_all_pairs(rules: np.ndarray, games: int, seed: int, threads: int) -> np.ndarray:
    """Let every list of rules play with every one, itself included.

    Args:
        rules: numbers, int64, shape ``(agents, length)``.
        games: of each ordered pair; all pairs have the same decks.
        seed: of the games.
        threads: number of threads; the result does not depend on it.

    Returns:
        Mean lenient scores, float64, shape ``(agents, agents)``; row = first player.
    """
    items = [(np.broadcast_to(one, rules.shape), rules, games, seed) for one in rules]
    rows = []
    with progress(len(rules) ** 2 * games, "pairs", "games") as bar:
        for row in work(evaluate_pairs, items, threads):
            rows.append(row)
            bar.update(len(row) * games)
    return np.array(rows)
