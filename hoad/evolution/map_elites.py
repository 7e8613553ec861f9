"""MAP-Elites: for each niche of behaviour the best agent found so far.

Algorithm 1 of Canaan et al. 2022, with candidates evaluated in generations: all candidates of a
generation play the same decks, the elite of each niche that they enter plays them too, and the
best candidate of a niche takes it if it is strictly better. A generation of one candidate is the
papers' algorithm; where the published program differs, the recipe has an option.
"""

from dataclasses import dataclass

import numpy as np

from hoad.evolution.fitness import Evaluation, evaluate
from hoad.evolution.recipe import RULE_SETS, EvolveRecipe


@dataclass(frozen=True)
class Archive:
    """The elites, by flat index of the niche (first feature * width + second).

    Chromosomes are int64, shape ``(niches, length)``, and 0 where the niche is empty; fitness, as
    last evaluated, is float64, shape ``(niches,)``, and NaN where it is empty.
    """

    chromosomes: np.ndarray
    fitness: np.ndarray

    @property
    def filled(self) -> np.ndarray:
        """The niches that have an elite, ascending, int64."""
        return np.flatnonzero(~np.isnan(self.fitness))

    @property
    def elites(self) -> np.ndarray:
        """The chromosomes of the elites, in the order of ``filled``."""
        return self.chromosomes[self.filled]


def empty_archive(recipe: EvolveRecipe) -> Archive:
    """Return an archive without elites."""
    niches = recipe.grid[0] * recipe.grid[1]
    return Archive(np.zeros((niches, recipe.length), np.int64), np.full(niches, np.nan))


def niches_of(features: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """Return the flat niche of each row of features, int64.

    Cells are equally wide and closed below; 1.0 belongs to the last one. An undefined
    feature counts as 0, as in the published program; this never occurs in evolution, because an
    agent that plays no card scores nothing and enters no niche.
    """
    # A feature that equals a bound is rounded in the same way, so that comparing finds its niche; a
    # product with the number of niches would be wrong: 29 / 50 * 50 is less than 29.
    rows, columns = (
        np.searchsorted(np.arange(1, niches) / niches, values, side="right")
        for niches, values in zip(grid, np.nan_to_num(features).T, strict=True)
    )
    return rows * grid[1] + columns


def make_candidates(parents: np.ndarray, recipe: EvolveRecipe, generation: int) -> np.ndarray:
    """Return the chromosomes of a generation, int64, shape ``(candidates, length)``.

    They depend on the arguments alone: each generation (from 0) has its own random generator. If
    there are no parents, shape ``(parents, length)``, all candidates are random.
    """
    rng = np.random.default_rng([recipe.seed, generation])
    first = generation * recipe.generation
    count = min(recipe.generation, recipe.candidates - first)
    random = count if len(parents) == 0 else min(count, max(0, recipe.random_candidates - first))
    rules = np.array(RULE_SETS[recipe.rules])
    candidates = rng.choice(rules, (count, recipe.length))
    if recipe.distinct_rules:
        shuffled = rng.permuted(np.tile(rules, (random, 1)), axis=1)
        candidates[:random] = shuffled[:, : recipe.length]
    if random < count:
        candidates[random:] = _offspring(parents, count - random, rules, recipe, rng)
    return candidates


def _offspring(
    parents: np.ndarray,
    count: int,
    rules: np.ndarray,
    recipe: EvolveRecipe,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return children of parents drawn uniformly."""
    shape = (count, recipe.length)
    children = parents[rng.integers(len(parents), size=count)]
    others = parents[rng.integers(len(parents), size=count)]
    crossed = rng.random(count) < recipe.crossover
    from_other = crossed[:, None] & (rng.random(shape) < 0.5)
    mutated = rng.random(shape) < recipe.mutation
    return np.where(mutated, rng.choice(rules, shape), np.where(from_other, others, children))


def advance(archive: Archive, recipe: EvolveRecipe, generation: int, threads: int) -> Archive:
    """Return the archive after one more generation; it does not depend on ``threads``."""
    rule_0 = recipe.empty_niches == "rule-0"
    parents = archive.chromosomes if rule_0 else archive.elites
    candidates = make_candidates(parents, recipe, generation)
    first_game = recipe.first_game(generation)
    evaluated = evaluate(
        candidates, recipe.games, recipe.seed, first_game, threads, recipe.features
    )
    best = _best_by_niche(evaluated, recipe.grid)
    challenged = sorted(best if rule_0 else set(best) & set(archive.filled.tolist()))
    chromosomes, fitness = archive.chromosomes.copy(), archive.fitness.copy()
    if recipe.fresh_decks:
        first_game += recipe.games
    defenders = chromosomes[np.array(challenged, np.int64)]
    defended = evaluate(defenders, recipe.games, recipe.seed, first_game, threads)
    to_beat = dict(zip(challenged, defended.fitness.tolist(), strict=True))
    for niche, candidate in best.items():
        if evaluated.fitness[candidate] > to_beat.get(niche, 0):
            chromosomes[niche] = candidates[candidate]
            fitness[niche] = evaluated.fitness[candidate]
        elif not np.isnan(fitness[niche]):
            fitness[niche] = to_beat[niche]
    return Archive(chromosomes, fitness)


def _best_by_niche(evaluated: Evaluation, grid: tuple[int, int]) -> dict[int, int]:
    """Return the best candidate of each niche entered; of equal ones, the first.

    Candidates that never score enter no niche.
    """
    scoring = np.flatnonzero(evaluated.fitness > 0)
    niches = niches_of(evaluated.features[scoring], grid)
    best: dict[int, int] = {}
    for niche, candidate in zip(niches.tolist(), scoring.tolist(), strict=True):
        if niche not in best or evaluated.fitness[candidate] > evaluated.fitness[best[niche]]:
            best[niche] = candidate
    return best
