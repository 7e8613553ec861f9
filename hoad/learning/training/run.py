"""One training: what it learns from, its folder, and its ``metadata.json``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from hoad.core.errors import HoadError
from hoad.core.files import make_folder
from hoad.core.paths import METADATA, MODEL, milestone_file
from hoad.core.provenance import provenance
from hoad.core.run_log import write_log_to
from hoad.learning.recipes import TrainingRecipe
from hoad.learning.training.checkpoints import read_header
from hoad.learning.training.clock import Clock
from hoad.learning.training.folder import (
    LAST,
    OTHER_FOLDER,
    read_metadata,
    refuse_training,
    write_metadata_file,
)


@dataclass(frozen=True)
class TrainingRun:
    """One training and its folder."""

    kind: str  # imitator, maml or rainbow
    name: str  # the imitated agent, the held-out agent, or Rainbow's seed
    # holds model.safetensors (the best weights), last.safetensors (the newest state, for
    # resuming), clock.json, events for TensorBoard, weights of milestones, Rainbow's learning
    # curve and, after the last step, metadata.json
    folder: Path
    recipe: TrainingRecipe
    games: Mapping[str, str]  # checksums of the games that are learned from, by name
    # further metadata for users of the network, as JSON can hold it
    facts: Mapping[str, Any] = field(default_factory=dict)
    # keys of the recipe in which a resumed training may differ
    may_change: frozenset[str] = frozenset()
    made_with: Mapping[str, str | int] = field(default_factory=provenance)

    @property
    def best(self) -> Path:
        """The file with the weights of the lowest validation loss."""
        return self.folder / MODEL

    @property
    def last(self) -> Path:
        """The file with the newest weights and all else that a resumed training needs."""
        return self.folder / LAST

    def milestone(self, step: int) -> Path:
        """Return the file with the weights after a step, if the step is a milestone."""
        return self.folder / milestone_file(str(step))

    @cached_property
    def clock(self) -> Clock:
        """The time of the training: what was saved, and what passes from the first access on."""
        return Clock(self.folder / "clock.json")

    def metadata(self, step: int) -> dict[str, Any]:
        """Return the metadata of a checkpoint."""
        return {
            "kind": self.kind,
            "name": self.name,
            "step": step,
            "recipe": self.recipe.model_dump(mode="json"),
            "games": dict(self.games),
            "facts": dict(self.facts),
        }

    def claim(self, resume: bool) -> None:
        """Make the folder, before any long computation starts.

        Raises:
            HoadError: it holds a training and ``resume`` is false, or a network without its
                training, or it cannot be made.
        """
        refuse_training(self.folder, resume)
        make_folder(self.folder)
        write_log_to(self.folder)

    def refuse_other(self, metadata: Mapping[str, Any]) -> None:
        """Raise a HoadError that names the first difference of the last checkpoint's metadata."""
        if "window" not in metadata:
            problem = "a network for play, not a training that --resume can continue"
            raise HoadError(f"{self.last}: {problem}; {OTHER_FOLDER}")
        wanted = self.metadata(metadata.get("step", 0))
        for part in ("kind", "name"):
            if metadata.get(part) != wanted[part]:
                problem = f"checkpoint of {part} {metadata.get(part)}, not {wanted[part]}"
                raise HoadError(f"{self.last}: {problem}; choose another folder with --out")
        stored = {"recipe": self._complete_recipe(metadata), "games": metadata.get("games", {})}
        for part, then in stored.items():
            for key in sorted((then.keys() | wanted[part].keys()) - self.may_change):
                if then.get(key) != wanted[part].get(key):
                    raise HoadError(
                        f"{self.last}: checkpoint of another run: {part} {key} was "
                        f"{then.get(key)}, now {wanted[part].get(key)}; use its {part}, or start "
                        "in another folder with --out"
                    )

    def _complete_recipe(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """Return a stored recipe; keys that are newer get the defaults, which change nothing."""
        return self.recipe.defaults() | metadata.get("recipe", {})

    def write_metadata(self, metadata: Mapping[str, Any], measures: Mapping[str, float]) -> None:
        """Write ``metadata.json``: a checkpoint's metadata, its measures, and what made it.

        ``made_with`` describes the last part of the training; its ``commits`` are those of all.
        """
        commits = read_header(self.last).get("commits", ["unknown"])
        values = {
            **metadata,
            "recipe": self.recipe.model_dump(mode="json"),  # perhaps of more steps than before
            "measures": dict(measures),
            "training_seconds": round(self.clock.seconds(), 1),
            "processor_seconds": round(self.clock.processor_seconds(), 1),
            "made_with": {**self.made_with, "commits": commits},
        }
        write_metadata_file(self.folder / METADATA, values)

    def finished_measures(self) -> dict[str, Any] | None:
        """Return the measures in the metadata, or None if the training is not finished.

        A run that was trained for more steps than its recipe asks for is finished too.

        Raises:
            HoadError: the last checkpoint is damaged or another run's.
        """
        if not self.last.exists():
            return None
        last = read_header(self.last)
        self.refuse_other(last)
        metadata = read_metadata(self.best)
        recipe = self._complete_recipe(metadata)
        wanted = self.recipe.model_dump(mode="json", exclude=set(self.may_change))
        same = all(recipe.get(key) == value for key, value in wanted.items())
        enough = min(last["step"], recipe.get("steps", 0)) >= self.recipe.steps
        # A training that was continued and stopped may have left a model newer than its metadata.
        finished = same and enough and metadata["step"] == read_header(self.best)["step"]
        return metadata["measures"] if finished else None
