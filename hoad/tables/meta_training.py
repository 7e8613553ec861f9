"""Metadata and curves of the training of a meta-model that an evaluation uses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.core.event_files import events_folder
from hoad.core.paths import find_checkpoint

SHOTS: Final = ("zero-shot", "low-shot")

CURVES: Final = tuple(
    f"held-out/{shot} {what}"
    for what, shot in product(("accuracy", "lenient score", "strict score"), SHOTS)
)
"""How a model did with its held-out agent as its training went on: names of TensorBoard."""


@dataclass(frozen=True)
class MetaTraining:
    """What the training of a meta-model wrote next to it, and its `CURVES`: steps and values."""

    metadata: Mapping[str, Any]
    curves: Mapping[str, Sequence[Sequence[float]]]

    @property
    def name(self) -> str:
        """The name of the model, as in ``maml:NAME``."""
        return str(self.metadata["name"])

    def facts(self) -> dict[str, str]:
        """Return the main facts as text."""
        metadata, recipe = self.metadata, self.metadata["recipe"]
        hidden = recipe["hidden"]
        return {
            "layers": f"{len(hidden)}, {max(hidden):,} to {min(hidden):,} wide",
            "steps": f"{recipe['steps']:,}",
            "best step": f"{metadata['step']:,}",
            "hours": f"{metadata['training_seconds'] / 3600:.2f}",
            "core hours": f"{metadata['processor_seconds'] / 3600:.2f}",
            "learned from": str(recipe["source"]),
            "learning rate": f"{recipe['learning_rate']:g}",
            "cores there": str(metadata["made_with"]["cpus"]),
            "objective": objective(recipe),
            "inner rate of training": f"{metadata['facts']['inner_rate']:g}",
            "inner steps chosen": str(metadata["play_steps"]),
            "trained at commits": ", ".join(map(_short, metadata["made_with"]["commits"])),
        }


def _short(commit: str) -> str:
    """Return the first seven of a commit's 40 digits, and the mark of one with changes."""
    return commit[:7] + commit[40:]


def objective(recipe: Mapping[str, Any]) -> str:
    """Return the name of what a meta-training minimises, by its recipe."""
    weight, begun = recipe["zero_shot_weight"], recipe["fomaml_steps"]
    if not recipe.get("low_shot_weight", 1):
        return "the unadapted loss alone"
    method = "ANIL" if recipe.get("inner_layers") == "last" else "FOMAML"
    if not weight:
        return method
    times = "" if weight == 1 else f"{weight:g} times "
    after = f"; {method} alone for the first {begun:,} steps" if begun else ""
    return f"{method} with {times}the unadapted loss{after}"


Curve = dict[float, float]
"""Values by step."""


def at_common_steps(
    curves_of_runs: Iterable[Mapping[str, Sequence[Sequence[float]]]], name: str
) -> tuple[list[Curve], Curve]:
    """Return the curve of this name of each run, and their mean at the steps that all have.

    A run that lacks the curve has an empty one.
    """
    curves = [dict(zip(*run.get(name, ((), ())), strict=True)) for run in curves_of_runs]
    common = sorted(set.intersection(*map(set, curves))) if curves else []
    return curves, {step: float(np.mean([curve[step] for curve in curves])) for step in common}


def meta_training(name: str) -> MetaTraining | None:
    """Return the training of a meta-model ``maml:NAME``; a HoadError if a file cannot be read.

    None if there is none, or if it goes on: its metadata is then that of an older model.
    """
    from hoad.learning.training.checkpoints import read_header  # torch takes seconds
    from hoad.learning.training.folder import read_metadata

    model = find_checkpoint("maml", name)
    metadata = read_metadata(model)
    if not metadata or metadata["step"] != read_header(model)["step"]:
        return None
    return MetaTraining(metadata, _read_curves(events_folder(model.parent)))


def _read_curves(folder: Path) -> dict[str, tuple[list[int], list[float]]]:
    if not any(folder.glob("events.*")):
        return {}
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    events.Reload()
    read = {name: events.Scalars(name) for name in set(CURVES) & set(events.Tags()["scalars"])}
    return {
        name: ([p.step for p in curve], [p.value for p in curve]) for name, curve in read.items()
    }
