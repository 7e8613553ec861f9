"""The candidates of a generation: random, or offspring of elites.

Which elites are parents, their crossover, and mutation.
"""

import numpy as np

from hoad.evolution.recipe import RULE_SETS, EvolveRecipe


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
        candidates[random:] = _vary(parents, count - random, rules, recipe, rng)
    return candidates


def _vary(
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
