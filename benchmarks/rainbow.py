"""How fast Rainbow plays and learns: one thread, the recipe of models/rainbow.toml."""

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

import torch

from benchmarks.timing import median_seconds
from hoad.core.recipe import load_recipe
from hoad.game.moves import MOVES
from hoad.game.observation import OBSERVATION_BITS
from hoad.learning.compute import autocast
from hoad.learning.rainbow.curve import LearningCurve
from hoad.learning.rainbow.learner import RainbowLearner
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.training.clock import Clock

_RECIPE: Final = Path(__file__).parents[1] / "models" / "rainbow.toml"
_MOVES: Final = 20e6
_SIZE: Final = 1024


def moves_per_s() -> float:
    """Return moves a second of playing 1,024 games in lockstep, replay buffer included."""
    learner = _learner()
    return learner.recipe.games / median_seconds(lambda: learner.play_on(_warm(learner)))


def updates_per_s() -> float:
    """Return updates of the weights a second, drawing transitions and priorities included."""
    learner = _learner()
    return learner.recipe.updates / median_seconds(lambda: learner.learn(_warm(learner)))


def hours_of_training() -> float:
    """Return the hours that 20 million moves with their updates would take."""
    learner = _learner()
    seconds = median_seconds(lambda: learner.step(_warm(learner)))
    return seconds * _MOVES / learner.recipe.games / 3600


def playing_matrix_share() -> float:
    """Return the share of the fastest matrix products that playing attains."""
    recipe = _learner().recipe
    return moves_per_s() * _products(recipe) / _fastest_products_per_s(recipe)


def update_matrix_share() -> float:
    """Return the share of the fastest matrix products that updates attain."""
    recipe = _learner().recipe
    hidden, last = _hidden_products(recipe), recipe.hidden[-1] * recipe.atoms
    first = OBSERVATION_BITS * recipe.hidden[0]  # nothing is propagated to the observations
    choice, target, learned = _products(recipe), hidden + last, 3 * (hidden + last) - first
    products = recipe.batch_size * (choice + target + learned)
    return updates_per_s() * products / _fastest_products_per_s(recipe)


def _products(recipe: RainbowRecipe) -> int:
    """Return the products of numbers that the values of all moves in one position take."""
    return _hidden_products(recipe) + recipe.hidden[-1] * MOVES * recipe.atoms


def _hidden_products(recipe: RainbowRecipe) -> int:
    widths = [OBSERVATION_BITS, *recipe.hidden]
    return sum(inputs * outputs for inputs, outputs in zip(widths, recipe.hidden, strict=False))


def _fastest_products_per_s(recipe: RainbowRecipe) -> float:
    """Return products a second of large square matrices in the recipe's precision."""
    learner = _learner()
    matrix = torch.randn(_SIZE, _SIZE, device=learner.device)
    with torch.no_grad(), autocast(learner.device, recipe.precision):
        lean = (matrix @ matrix).to(torch.get_autocast_dtype(learner.device.type))
        return _SIZE**3 / median_seconds(lambda: lean @ lean)


def _warm(learner: RainbowLearner) -> int:
    """Return a step after the first updates and the decay of random moves."""
    return learner.recipe.learning_starts + learner.recipe.epsilon_decay


@lru_cache
def _learner() -> RainbowLearner:
    """Return a learner that has played until it could learn."""
    recipe = load_recipe(_RECIPE, RainbowRecipe)
    unused = Path(tempfile.gettempdir())
    clock = Clock(unused / "unused.json")
    learner = RainbowLearner(recipe, LearningCurve(unused / "unused.csv", clock))
    for step in range(recipe.learning_starts + 2):
        learner.step(step)
    return learner
