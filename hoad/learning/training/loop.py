"""The training loop of all networks: steps, curves, validations, checkpoints and resuming."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

from hoad.core.errors import HoadError
from hoad.core.event_files import curves_in, events_folder, write_settings
from hoad.core.files import only_writer
from hoad.core.program.signals import held_interrupt
from hoad.core.progress import progress, say
from hoad.learning.compute import best_device, derive_seed, is_bfloat16, keep_freed_memory
from hoad.learning.recipes import TrainingRecipe
from hoad.learning.training import checkpoints
from hoad.learning.training.checkpoints import load_checkpoint, load_weights, save_checkpoint
from hoad.learning.training.run import TrainingRun

LOSS = "training/loss"
VALIDATION_LOSS = "validation/loss"

Scalars = dict[str, float]


class Learner(ABC):
    """A network, its optimiser and its data: what the loop trains.

    All random numbers of a step must come from torch's generator or be a function of the step.
    """

    network: torch.nn.Module
    optimiser: torch.optim.Optimizer
    recipe: TrainingRecipe
    device: torch.device

    def __init__(self, recipe: TrainingRecipe) -> None:
        self.recipe = recipe
        self.device = best_device()
        torch.manual_seed(derive_seed(recipe.seed))

    @abstractmethod
    def step(self, step: int) -> Scalars:
        """Update the weights; return points of the curves, `LOSS` among them after an update."""

    @abstractmethod
    def validate(self) -> Scalars:
        """Measure on unseen games; the checkpoint with the lowest `VALIDATION_LOSS` is kept."""

    def test(self) -> dict[str, float]:
        """Measure the best network after the training: by default as in a validation."""
        return self.validate()

    def kept_network(self) -> torch.nn.Module:
        """Return the network that is kept for play: by default the one that is trained."""
        return self.network

    def kept_weights(self) -> dict[str, torch.Tensor]:
        """Return the weights for play, in bfloat16 if the training computes in bfloat16."""
        weights = self.kept_network().state_dict()
        narrow = is_bfloat16(self.device, self.recipe.precision)
        return checkpoints.narrow(weights) if narrow else weights

    def set_lr(self, lr: float) -> None:
        """Set the learning rate of the optimiser."""
        for group in self.optimiser.param_groups:
            group["lr"] = lr

    def is_milestone(self, step: int) -> bool:
        """Return whether the weights after this step are kept for good."""
        return False

    def describe(self) -> dict[str, Any]:
        """Return further metadata, as JSON can hold it, of weights that are kept for good."""
        return {}

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return the state, besides network and optimiser, that a resumed training needs."""
        return {}

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:  # noqa: B027 (optional)
        """Restore what :meth:`state_dict` returned; network and optimiser are restored before."""

    def details(self) -> Scalars:
        """Return further points of the last validation's curves, which no metadata hold."""
        return {}

    def pictures(self) -> dict[str, np.ndarray]:
        """Return pictures of the last validation by name, uint8, (height, width, channels)."""
        return {}


@dataclass
class _Progress:
    """Steps taken, lowest validation loss, scalars not reported yet, commits of the programs."""

    step: int = 0
    best: float = math.inf
    window: dict[str, Scalars] = field(default_factory=lambda: {"sums": {}, "counts": {}})
    commits: list[str] = field(default_factory=list)

    def add(self, scalars: Scalars) -> None:
        sums, counts = self.window["sums"], self.window["counts"]
        for name, value in scalars.items():
            sums[name] = sums.get(name, 0.0) + value
            counts[name] = counts.get(name, 0) + 1

    def take_means(self) -> Scalars:
        sums, counts = self.window["sums"], self.window["counts"]
        self.window = {"sums": {}, "counts": {}}
        return {name: value / counts[name] for name, value in sums.items()}


def train_and_test(learner: Learner, run: TrainingRun, resume: bool) -> dict[str, float]:
    """Train (:func:`train`), test the best network, write its metadata; return its measures."""
    train(learner, run, resume)
    weights, metadata = load_checkpoint(run.best)
    load_weights(learner.kept_network(), weights, run.best)
    measures, described = learner.test(), learner.describe()
    if described:
        save_checkpoint(run.best, learner.kept_weights(), metadata | described)
    run.write_metadata(metadata | described, measures)
    return measures


def train(learner: Learner, run: TrainingRun, resume: bool) -> None:
    """Train a new learner for the recipe's number of steps; write the best weights to ``run.best``.

    With ``resume``, continue from ``run.last`` if it exists: on one machine a run that was stopped
    takes the same steps as any other. Without it, no training is overwritten.

    Raises:
        HoadError: the loss is not finite, the folder's checkpoint cannot be used, or another
            program is training there.
    """
    run.claim(resume)
    keep_freed_memory()
    with only_writer(run.folder):
        _train(learner, run)


def _train(learner: Learner, run: TrainingRun) -> None:
    at = _resume(learner, run) if run.last.exists() else _Progress()
    commit = str(run.made_with["commit"])
    at.commits += [commit] if commit not in at.commits[-1:] else []
    recipe, clock, title = run.recipe, run.clock, f"{run.kind} {run.name}"
    bar = progress(recipe.steps, title, unit="steps")
    bar.update(at.step)
    curves = curves_in(events_folder(run.folder), at.step + 1)
    with curves as writer, bar, held_interrupt() as interrupt:
        settings = recipe.model_dump(mode="json") | dict(run.facts)
        rows = (f"|{key}|{json.dumps(value)}|" for key, value in settings.items())
        writer.add_text("recipe", "\n".join(["|key|value|", "|-|-|", *rows]), at.step)
        while at.step < recipe.steps:
            torch.manual_seed(derive_seed(recipe.seed, at.step))
            scalars = learner.step(at.step)
            at.step += 1
            _refuse_not_finite(scalars.get(LOSS, 0.0), at.step, run)
            at.add(scalars)
            is_checkpoint = at.step % recipe.validate_every == 0 or at.step == recipe.steps
            if is_checkpoint or at.step % recipe.report_every == 0:
                _write_scalars(writer, at.take_means(), at.step)
            if is_checkpoint:
                measures = _validate(learner, run, at, writer)
                loss = measures[VALIDATION_LOSS]
                if settings:  # once, when the names of the measures are known
                    write_settings(writer, settings, measures)
                    settings = {}
                bar.set_postfix(validation=f"{loss:.4f}")
                steps = f"step {at.step:,} of {recipe.steps:,}"
                after = f"after {clock.seconds() / 60:.1f} minutes, validation loss {loss:.4f}"
                say(bar, f"{title}: {steps} {after}")
            if learner.is_milestone(at.step):
                metadata = run.metadata(at.step) | learner.describe()
                save_checkpoint(run.milestone(at.step), learner.kept_weights(), metadata)
            if is_checkpoint or interrupt.is_set():
                _save(learner, run, at)
                clock.save()
            if interrupt.is_set():
                raise KeyboardInterrupt
            bar.update()


def _resume(learner: Learner, run: TrainingRun) -> _Progress:
    """Restore the learner from the run's last checkpoint; return the progress."""
    tensors, metadata = load_checkpoint(run.last)
    run.refuse_other(metadata)
    parts: dict[str, dict[str, torch.Tensor]] = {"network": {}, "optimiser": {}, "learner": {}}
    for key, tensor in tensors.items():
        part, _, name = key.partition(".")
        parts[part][name] = tensor
    load_weights(learner.network, parts["network"], run.last)
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, tensor in parts["optimiser"].items():
        index, _, name = key.partition(".")
        state.setdefault(int(index), {})[name] = tensor
    groups = learner.optimiser.state_dict()["param_groups"]
    learner.optimiser.load_state_dict({"state": state, "param_groups": groups})
    learner.load_state_dict(parts["learner"])
    commits = metadata.get("commits", ["unknown"])
    return _Progress(metadata["step"], metadata["best"], metadata["window"], commits)


def _save(learner: Learner, run: TrainingRun, at: _Progress) -> None:
    """Save the newest weights and all else that a resumed training needs."""
    tensors = {f"network.{name}": tensor for name, tensor in learner.network.state_dict().items()}
    for index, state in learner.optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{index}.{name}": tensor for name, tensor in state.items()}
    tensors |= {f"learner.{name}": tensor for name, tensor in learner.state_dict().items()}
    save_checkpoint(run.last, tensors, run.metadata(at.step) | asdict(at))


def _validate(learner: Learner, run: TrainingRun, at: _Progress, writer: SummaryWriter) -> Scalars:
    """Measure on unseen games, keep the weights if they are the best; return the measures."""
    measures = learner.validate()
    loss = measures[VALIDATION_LOSS]
    _write_scalars(writer, measures | learner.details(), at.step)
    for name, picture in learner.pictures().items():
        writer.add_image(name, picture, at.step, dataformats="HWC")
    _refuse_not_finite(loss, at.step, run)
    if loss < at.best:
        at.best = loss
        metadata = run.metadata(at.step) | {"validation_loss": loss}
        save_checkpoint(run.best, learner.kept_weights(), metadata)
    return measures


def _refuse_not_finite(loss: float, step: int, run: TrainingRun) -> None:
    if math.isfinite(loss):
        return
    last = f"last good checkpoint: {run.last}" if run.last.exists() else "no checkpoint yet"
    raise HoadError(
        f"{run.kind} {run.name}: the loss is {loss} at step {step}; {last}; lower the learning "
        f"rate of the recipe, {run.recipe.model_dump_json()}"
    )


def _write_scalars(writer: SummaryWriter, scalars: Scalars, step: int) -> None:
    for name, value in scalars.items():
        writer.add_scalar(name, value, step)
