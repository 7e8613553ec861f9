"""The one training loop: steps, curves, validations, checkpoints, and going on after a stop."""

import json
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer
from hoad.core.progress import progress
from hoad.core.provenance import provenance
from hoad.core.signals import held_interrupt
from hoad.learning.compute import is_bfloat16, keep_freed_memory
from hoad.learning.folders import CARD, MODEL, milestone_file
from hoad.learning.recipes import TrainingRecipe
from hoad.learning.training.checkpoints import (
    load_checkpoint,
    load_weights,
    narrow,
    save_checkpoint,
)
from hoad.learning.training.clock import Clock

LOSS = "training/loss"
VALIDATION_LOSS = "validation/loss"

Scalars = dict[str, float]


class Learner(ABC):
    """A network, its optimiser and its data: what the loop trains.

    Everything random in a step must come from torch's generator or be a function of the step.
    """

    network: torch.nn.Module
    optimiser: torch.optim.Optimizer
    recipe: TrainingRecipe
    device: torch.device

    @abstractmethod
    def step(self, step: int) -> Scalars:
        """Update the weights; return the curves' points, `LOSS` among them if anything did."""

    @abstractmethod
    def validate(self) -> Scalars:
        """Measure on unseen games; the checkpoint with the lowest `VALIDATION_LOSS` is kept."""

    def kept_network(self) -> torch.nn.Module:
        """Return the network that is to play; the one that is trained, unless overridden."""
        return self.network

    def kept_weights(self) -> dict[str, torch.Tensor]:
        """Return the weights for play, as narrow as the training has computed with them."""
        weights = self.kept_network().state_dict()
        return narrow(weights) if is_bfloat16(self.device, self.recipe.precision) else weights

    def set_rate(self, rate: float) -> None:
        """Let the optimiser learn at this rate from now on."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def is_milestone(self, step: int) -> bool:
        """Return whether the weights after this step are kept for good."""
        return False

    def describe(self) -> dict[str, Any]:
        """Return what is to be said about weights that are kept for good, as JSON can hold it."""
        return {}

    def place(self) -> dict[str, int]:
        """Return where the data stream stands, if that is not a function of the step."""
        return {}

    def go_to(self, place: dict[str, int]) -> None:  # noqa: B027 (optional, like `place`)
        """Put the data stream where :meth:`place` said that it stood."""

    def memory(self) -> dict[str, torch.Tensor]:
        """Return what else going on needs, by name: what the learner has gathered itself."""
        return {}

    def remember(self, memory: dict[str, torch.Tensor]) -> None:  # noqa: B027 (like `memory`)
        """Take back what :meth:`memory` returned."""

    def pictures(self) -> dict[str, np.ndarray]:
        """Return pictures of the last validation by name, uint8, (height, width, channels)."""
        return {}


@dataclass(frozen=True)
class Run:
    """One training and the folder that it leaves behind.

    Attributes:
        kind: ``imitator``, ``maml`` or ``rainbow``.
        name: the agent that is imitated or held out; Rainbow's seed.
        folder: holds ``model.safetensors`` (the best weights), ``last.safetensors`` (what
            going on needs), ``clock.json`` and ``tensorboard``, in the end ``card.json``; with
            them the weights of milestones, or Rainbow's learning curve.
        recipe: what was asked for.
        games: digests of the games that are learned from, by name.
        facts: what else the network's users need to know, as JSON can hold it.
        may_change: keys of the recipe in which a resumed training may differ.
        made_with: :func:`hoad.core.provenance.provenance`.
    """

    kind: str
    name: str
    folder: Path
    recipe: TrainingRecipe
    games: Mapping[str, str]
    facts: Mapping[str, Any] = field(default_factory=dict)
    may_change: frozenset[str] = frozenset()
    made_with: Mapping[str, str | int] = field(default_factory=provenance)

    @property
    def best(self) -> Path:
        """The file with the weights of the lowest validation loss."""
        return self.folder / MODEL

    @property
    def last(self) -> Path:
        """The file with the newest weights and what going on needs."""
        return self.folder / "last.safetensors"

    def milestone(self, step: int) -> Path:
        """Return the file with the weights after a step, where they are kept for good."""
        return self.folder / milestone_file(str(step))

    @cached_property
    def clock(self) -> Clock:
        """How long the training has taken, up to what was saved and since this was first asked."""
        return Clock(self.folder / "clock.json")

    def about(self, step: int) -> dict[str, Any]:
        """Return the words that go into a checkpoint."""
        return {
            "kind": self.kind,
            "name": self.name,
            "step": step,
            "recipe": self.recipe.model_dump(mode="json"),
            "games": dict(self.games),
            "facts": dict(self.facts),
        }


def train(learner: Learner, run: Run, resume: bool) -> None:
    """Train until the recipe's number of steps; leave the best weights in ``run.best``.

    On one CPU machine a run that was stopped and resumed takes the very same steps as one that
    was not.

    Args:
        learner: freshly made; changed in place.
        run: the recipe and the folder.
        resume: go on from ``run.last`` if it exists; else start, which refuses to overwrite.

    Raises:
        HoadError: the loss is not finite, the folder's checkpoint cannot be used, or another
            program is training there.
    """
    claim_folder(run, resume)
    keep_freed_memory()
    with only_writer(run.folder):
        _train(learner, run)


def _train(learner: Learner, run: Run) -> None:
    at = _resume(learner, run) if run.last.exists() else _Place()
    if str(run.made_with["commit"]) not in at.commits[-1:]:
        at.commits.append(str(run.made_with["commit"]))
    recipe = run.recipe
    clock = run.clock
    bar = progress(recipe.steps, f"{run.kind} {run.name}", unit="steps")
    bar.update(at.step)
    writer = SummaryWriter(str(run.folder / "tensorboard"), purge_step=at.step + 1)
    with writer, bar, held_interrupt() as interrupt:
        _write_text(writer, run, at.step)
        while at.step < recipe.steps:
            torch.manual_seed(derive_seed(recipe.seed, at.step))
            scalars = learner.step(at.step)
            at.step += 1
            _refuse_not_finite(scalars.get(LOSS, 0.0), at.step, run)
            at.window.add(scalars)
            is_checkpoint = at.step % recipe.validate_every == 0 or at.step == recipe.steps
            if is_checkpoint or at.step % recipe.report_every == 0:
                _write_scalars(writer, at.window.means(), at.step)
            if is_checkpoint:
                loss = _validate(learner, run, at, writer)
                bar.set_postfix(validation=f"{loss:.4f}")
                if bar.disable:
                    _log(run, at.step, loss)
            if learner.is_milestone(at.step):
                about = run.about(at.step) | learner.describe()
                save_checkpoint(run.milestone(at.step), learner.kept_weights(), about)
            if is_checkpoint or interrupt.is_set():
                _save(learner, run, at)
                clock.save()
            if interrupt.is_set():
                raise KeyboardInterrupt
            bar.update()


def derive_seed(*numbers: int) -> int:
    """Return a seed that depends on all ``numbers`` (each at least 0) but zeros at their end."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> np.uint64(1))


@dataclass
class _Window:
    """Sums of scalars since the last report, and of how many."""

    sums: Scalars = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, scalars: Scalars) -> None:
        for name, value in scalars.items():
            self.sums[name] = self.sums.get(name, 0.0) + value
            self.counts[name] = self.counts.get(name, 0) + 1

    def means(self) -> Scalars:
        """Return the means and start anew."""
        means = {name: value / self.counts[name] for name, value in self.sums.items()}
        self.sums, self.counts = {}, {}
        return means


@dataclass
class _Place:
    """How far a training is.

    Attributes:
        step: steps taken.
        best: the lowest validation loss.
        window: what awaits its report.
        commits: of the programs that it was trained with, in order.
    """

    step: int = 0
    best: float = math.inf
    window: _Window = field(default_factory=_Window)
    commits: list[str] = field(default_factory=list)


def claim_folder(run: Run, resume: bool) -> None:
    """Make the folder of a run, before anything long is begun.

    Raises:
        HoadError: it holds a training that is not to be gone on with, or a network whose
            training is not there, or cannot be made.
    """
    if not run.last.exists() and (run.folder / CARD).exists():
        raise HoadError(
            f"{run.folder}: holds a network, but not the training that --resume would go on with; "
            "remove the folder, or choose another one with --out"
        )
    if run.last.exists() and not resume:
        raise HoadError(
            f"{run.folder}: holds a training already; go on with --resume, or remove the folder, "
            "or choose another one with --out"
        )
    make_folder(run.folder)


def _resume(learner: Learner, run: Run) -> _Place:
    """Bring the learner to where the run's last checkpoint left it; return how far that is."""
    tensors, about = load_checkpoint(run.last)
    refuse_other_run(about, run)
    weights: dict[str, torch.Tensor] = {}
    memory: dict[str, torch.Tensor] = {}
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, tensor in tensors.items():
        part, _, name = key.partition(".")
        if part == "network":
            weights[name] = tensor
        elif part == "memory":
            memory[name] = tensor
        else:
            index, _, name = name.partition(".")
            state.setdefault(int(index), {})[name] = tensor
    load_weights(learner.network, weights, run.last)
    groups = learner.optimiser.state_dict()["param_groups"]
    learner.optimiser.load_state_dict({"state": state, "param_groups": groups})
    learner.go_to(about["place"])
    learner.remember(memory)
    window = _Window(**about["window"])
    return _Place(about["step"], about["best"], window, about.get("commits", ["unknown"]))


def refuse_other_run(about: Mapping[str, Any], run: Run) -> None:
    """Raise a HoadError that names the first thing in which a checkpoint is another run's."""
    if "window" not in about:
        raise HoadError(
            f"{run.last}: a network that plays, not a training that --resume can go on with; "
            "remove the folder, or choose another one with --out"
        )
    wanted = run.about(about.get("step", 0))
    for part in ("kind", "name"):
        if about.get(part) != wanted[part]:
            raise HoadError(
                f"{run.last}: checkpoint of {part} {about.get(part)}, not {wanted[part]}; "
                "choose another folder with --out"
            )
    for part, remedy in (("recipe", "use its recipe"), ("games", "use its games")):
        found = about.get(part, {})
        if part == "recipe":  # which may be older than a key: it did then what the default does
            found = run.recipe.defaults() | found
        for key in sorted((found.keys() | wanted[part].keys()) - run.may_change):
            if found.get(key) != wanted[part].get(key):
                raise HoadError(
                    f"{run.last}: checkpoint of another run: {part} {key} was {found.get(key)}, "
                    f"now {wanted[part].get(key)}; {remedy}, or start in another folder with --out"
                )


def _validate(learner: Learner, run: Run, at: _Place, writer: SummaryWriter) -> float:
    """Measure on unseen games, keep the weights if they are the best; return the loss."""
    measures = learner.validate()
    loss = measures[VALIDATION_LOSS]
    _write_scalars(writer, measures, at.step)
    for name, picture in learner.pictures().items():
        writer.add_image(name, picture, at.step, dataformats="HWC")
    _refuse_not_finite(loss, at.step, run)
    if loss < at.best:
        at.best = loss
        about = run.about(at.step) | {"validation_loss": loss}
        save_checkpoint(run.best, learner.kept_weights(), about)
    return loss


def _log(run: Run, step: int, loss: float) -> None:
    """Write on standard error how far the training is, for who keeps it in a file."""
    print(
        f"{run.kind} {run.name}: step {step:,} of {run.recipe.steps:,} after "
        f"{run.clock.seconds() / 60:.1f} minutes, validation loss {loss:.4f}",
        file=sys.stderr,
        flush=True,
    )


def _save(learner: Learner, run: Run, at: _Place) -> None:
    """Save the newest weights and what going on needs."""
    tensors = {f"network.{name}": tensor for name, tensor in learner.network.state_dict().items()}
    for index, state in learner.optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{index}.{name}": tensor for name, tensor in state.items()}
    tensors |= {f"memory.{name}": tensor for name, tensor in learner.memory().items()}
    about = run.about(at.step) | {"place": learner.place()}
    save_checkpoint(run.last, tensors, about | asdict(at))


def _refuse_not_finite(loss: float, step: int, run: Run) -> None:
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


def _write_text(writer: SummaryWriter, run: Run, step: int) -> None:
    """Log every setting as a table that TensorBoard shows as text."""
    values = run.recipe.model_dump(mode="json") | dict(run.facts)
    rows = "\n".join(f"|{key}|{json.dumps(value)}|" for key, value in values.items())
    writer.add_text("recipe", f"|key|value|\n|-|-|\n{rows}", step)
