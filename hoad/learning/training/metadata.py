"""``metadata.json`` next to a trained network: recipe, games, measures, and what made it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hoad.core.errors import HoadError
from hoad.core.files import write_atomically
from hoad.core.paths import METADATA, OLD_METADATA, find_metadata
from hoad.learning.training.checkpoints import read_header
from hoad.learning.training.loop import TrainingRun, complete_recipe, refuse_other_run


def write_metadata(
    run: TrainingRun, metadata: Mapping[str, Any], measures: Mapping[str, float]
) -> None:
    """Write ``metadata.json`` into the run's folder, for people and reports to read.

    ``made_with`` describes the last part of the training; its ``commits`` are those of all parts.

    Args:
        run: the training.
        metadata: of the checkpoint.
        measures: of the checkpoint, by name.
    """
    commits = read_header(run.last).get("commits", ["unknown"])
    values = {
        **metadata,
        "recipe": run.recipe.model_dump(mode="json"),  # the checkpoint may have an older one
        "measures": dict(measures),
        "training_seconds": round(run.clock.seconds(), 1),
        "processor_seconds": round(run.clock.processor_seconds(), 1),
        "made_with": {**run.made_with, "commits": commits},
    }
    with write_atomically(run.folder / METADATA) as file:
        file.write((json.dumps(values, indent=2) + "\n").encode())
    (run.folder / OLD_METADATA).unlink(missing_ok=True)


def read_metadata(checkpoint: Path) -> dict[str, Any]:
    """Return the content of the metadata file next to a network's file; empty if there is none.

    Raises:
        HoadError: the file cannot be read.
    """
    path = find_metadata(checkpoint)
    if path is None:
        return {}
    try:
        metadata = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise HoadError(f"{path}: cannot read this metadata ({error}); train again") from error
    if not isinstance(metadata, dict):
        raise HoadError(f"{path}: not the metadata of a network; train again")
    return metadata


def finished_measures(run: TrainingRun) -> dict[str, Any] | None:
    """Return the measures in a run's metadata, or None if the training is not finished.

    A run that was trained for more steps than its recipe asks for is finished too.

    Raises:
        HoadError: the folder's last checkpoint is damaged or another run's.
    """
    if not run.last.exists():
        return None
    last = read_header(run.last)
    refuse_other_run(last, run)
    metadata = read_metadata(run.best)
    wanted = run.recipe.model_dump(mode="json")
    found = complete_recipe(metadata.get("recipe", {}), run)
    same = all(
        found.get(key) == value for key, value in wanted.items() if key not in run.may_change
    )
    enough = min(last["step"], found.get("steps", 0)) >= run.recipe.steps
    # A training that was continued and stopped may have left a model newer than its metadata.
    finished = same and enough and metadata["step"] == read_header(run.best)["step"]
    return metadata["measures"] if finished else None
