"""Speed of sampling transitions, and of training on them."""

import statistics

import torch

from benchmarks.learning import self_play
from benchmarks.timing import median_seconds, seconds
from hoad.learning.imitator import ImitatorLearner, supervised_step
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.transitions import to_device
from hoad.replay.sampler import BUFFER, TransitionSampler

_BATCH = 128
_SEED = 1

_STEPS = 200
_RUNS = 3


def loader_transitions_per_s() -> float:
    """Return transitions per second in batches of 128, with one refill of the buffer."""
    sampler = TransitionSampler(self_play("iggi", 16_000), _BATCH, _SEED)
    batches = BUFFER // _BATCH

    def deliver() -> None:
        for _ in range(batches):
            next(sampler)

    return batches * _BATCH / median_seconds(deliver)


def training_with_loader_share() -> float:
    """Return the speed of an imitator's training relative to training on one constant batch.

    The network is the thesis's. The buffer holds the transitions of one run, so that each run
    includes one refill, which costs as much per transition as a refill of the default buffer. Runs
    with and without the loader alternate.
    """
    recipe = ImitatorRecipe(steps=1, validate_every=1)
    learner = ImitatorLearner(self_play("iggi", 4_000), recipe)
    logs = self_play("iggi", 4_000)
    learner.sampler = TransitionSampler(logs, _BATCH, _SEED, buffer=_STEPS * _BATCH)
    batch = to_device(next(learner.sampler), learner.device)

    def with_loader() -> None:
        for step in range(_STEPS):
            learner.step(step)

    def without() -> None:
        for _ in range(_STEPS):
            supervised_step(learner.network, learner.optimiser, batch, recipe.precision)

    with_loader()
    torch.manual_seed(_SEED)
    return statistics.median(seconds(without) / seconds(with_loader) for _ in range(_RUNS))
