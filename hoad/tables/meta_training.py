"""Metadata and curves of the training of a meta-model that an evaluation uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

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
        # Metadata may be older than these keys.
        weight, begun = recipe.get("zero_shot_weight", 0), recipe.get("fomaml_steps", 0)
        core_seconds = metadata.get("processor_seconds")
        return {
            "layers": f"{len(hidden)}, {max(hidden):,} to {min(hidden):,} wide",
            "steps": f"{recipe['steps']:,}",
            "best step": f"{metadata['step']:,}",
            "hours": f"{metadata['training_seconds'] / 3600:.2f}",
            "core hours": "unknown" if core_seconds is None else f"{core_seconds / 3600:.2f}",
            "learned from": str(recipe["source"]),
            "learning rate": f"{recipe['learning_rate']:g}",
            "cores there": str(metadata["made_with"]["cpus"]),
            "zero-shot weight": f"{weight:g}" + (f" after {begun:,} steps" if begun else ""),
            "inner rate": f"{metadata['facts']['inner_rate']:g}",
            "inner steps at play": str(metadata["play_steps"]),
            "trained at commits": ", ".join(metadata["made_with"]["commits"]),
        }


def meta_training(name: str) -> MetaTraining | None:
    """Return the training of a meta-model ``maml:NAME``; a HoadError if a file cannot be read.

    None if there is none, or if it goes on: its metadata is then that of an older model.
    """
    from hoad.learning.training.checkpoints import read_header  # torch takes seconds
    from hoad.learning.training.metadata import read_metadata

    model = find_checkpoint("maml", name)
    metadata = read_metadata(model)
    if not metadata or metadata["step"] != read_header(model)["step"]:
        return None
    return MetaTraining(metadata, _read_curves(model.parent / "tensorboard"))


def _read_curves(folder: Path) -> dict[str, tuple[list[int], list[float]]]:
    if not folder.exists():
        return {}
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    events.Reload()
    read = {name: events.Scalars(name) for name in set(CURVES) & set(events.Tags()["scalars"])}
    return {name: ([p.step for p in one], [p.value for p in one]) for name, one in read.items()}
