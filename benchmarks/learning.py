"""How fast networks are trained, and how much of the speed of plain matrix products that is."""

import statistics
from pathlib import Path
from typing import Final

import numpy as np
import torch

from benchmarks.timing import median_seconds, seconds
from hoad.agents import get_agent, play
from hoad.core.recipe import load_recipe
from hoad.game.log import GameLogs
from hoad.game.observation import OBSERVATION_BITS
from hoad.learning.compute import best_device, is_bfloat16, keep_freed_memory
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.maml.learner import MamlLearner
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import Task
from hoad.learning.networks import MetaModel, Perceptron
from hoad.learning.recipes import ImitatorRecipe
from hoad.replay.split import split_games

_MODELS: Final = Path(__file__).parents[1] / "models"
_SIZE: Final = 1024
_STEPS: Final = 40
_META_STEPS: Final = 5
_SEED: Final = 1


def matrix_gflop_per_s() -> float:
    """Return the speed of products of large square matrices in the precision of training."""
    device = best_device()
    dtype = torch.bfloat16 if is_bfloat16(device, "auto") else torch.float32
    a, b = (torch.randn(_SIZE, _SIZE, device=device).to(dtype) for _ in range(2))

    def multiply() -> None:
        for _ in range(20):
            a @ b
        _wait()

    return 20 * 2 * _SIZE**3 / median_seconds(multiply) / 1e9


def imitator_transitions_per_s() -> float:
    """Return transitions a second in training the imitator of ``models/imitator.toml``."""
    keep_freed_memory()  # as train() does
    learner = _imitator_learner()

    def train() -> None:
        for step in range(_STEPS):
            learner.step(step)

    train()  # fills the buffer too
    return _STEPS * learner.recipe.batch_size / statistics.median(seconds(train) for _ in range(3))


def imitator_matrix_share() -> float:
    """Return how much of the speed of plain products an imitator's training reaches."""
    recipe = _imitator_learner().recipe
    flop = _training_flop(Perceptron(recipe.hidden), recipe.hidden[0])
    return imitator_transitions_per_s() * flop / 1e9 / matrix_gflop_per_s()


def meta_step_s() -> float:
    """Return the seconds of a meta-step of ``models/maml.toml``, drawing its games included."""
    return _meta_steps()[0]


def meta_step_matrix_share() -> float:
    """Return how much of the speed of plain products a meta-step reaches."""
    taken, transitions, recipe = _meta_steps()
    network = MetaModel(recipe.hidden)
    training = _training_flop(network, recipe.hidden[0])
    # The support, half of the transitions, passes backwards again for the statistics.
    flop = transitions * (training + training / 3)
    return flop / taken / 1e9 / matrix_gflop_per_s()


def _meta_steps() -> tuple[float, float, MamlRecipe]:
    """Return the median seconds of a meta-step, its mean number of transitions, the recipe."""
    keep_freed_memory()  # as train() does
    recipe = load_recipe(_MODELS / "maml.toml", MamlRecipe)
    tasks = [_task(agent) for agent in ("simplebot", "iggi", "piers", "outer")]
    learner = MamlLearner(tasks, [], recipe, inner_lr=1e-3)
    steps = iter(range(_META_STEPS + 1))

    def step() -> None:
        learner.step(next(steps))
        _wait()

    step()
    taken = statistics.median(seconds(step) for _ in range(_META_STEPS))
    lengths = [len(task.logs.actions) / len(task.logs) for task in tasks]
    # The step draws every one of the four tasks: support and query of so many games each.
    return taken, 2 * recipe.games * sum(lengths), recipe


def _training_flop(network: torch.nn.Module, first_width: int) -> int:
    """Return the operations of matrix products for a transition: forwards once, backwards twice.

    The first layer needs no gradient of its input.
    """
    return 6 * _weights(network) - 2 * OBSERVATION_BITS * first_width


def _weights(network: torch.nn.Module) -> int:
    return sum(p.numel() for p in network.parameters() if p.ndim > 1)


def _imitator_learner() -> ImitatorLearner:
    recipe = load_recipe(_MODELS / "imitator.toml", ImitatorRecipe)
    return ImitatorLearner(self_play("iggi", 2_000), recipe)


def _task(agent: str) -> Task:
    logs = self_play(agent, 300)
    games = split_games(logs)
    return Task(agent, logs, np.concatenate([games["train"], games["test"]]), games["validation"])


def self_play(agent: str, games: int) -> GameLogs:
    """Return games of an agent with itself."""
    player = get_agent(agent)
    return play([player, player], games, _SEED)


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
