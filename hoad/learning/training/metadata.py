"""The card beside a trained network: what it is, what made it, how well it does."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hoad.core.errors import HoadError
from hoad.core.files import write_atomically
from hoad.learning.folders import CARD
from hoad.learning.training.checkpoints import load_checkpoint
from hoad.learning.training.loop import Run, refuse_other_run


def write_card(run: Run, about: Mapping[str, Any], measures: Mapping[str, float]) -> None:
    """Write ``card.json`` into the run's folder, for people and reports to read.

    What it was made with is that of the last part of the training; ``commits`` are those of all.

    Args:
        run: the training.
        about: what the checkpoint says about itself.
        measures: of that checkpoint, by name.
    """
    commits = load_checkpoint(run.last)[1].get("commits", ["unknown"])
    card = {
        **about,
        "recipe": run.recipe.model_dump(mode="json"),  # of which the best checkpoint may be older
        "measures": dict(measures),
        "training_seconds": round(run.clock.seconds(), 1),
        "processor_seconds": round(run.clock.processor_seconds(), 1),
        "made_with": {**run.made_with, "commits": commits},
    }
    with write_atomically(run.folder / CARD) as file:
        file.write((json.dumps(card, indent=2) + "\n").encode())


def read_card(checkpoint: Path) -> dict[str, Any]:
    """Return the card beside a network's file; empty if there is none.

    Raises:
        HoadError: it cannot be read.
    """
    path = checkpoint.with_name(CARD)
    if not path.exists():
        return {}
    try:
        card = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise HoadError(f"{path}: cannot read this card ({error}); train again") from error
    if not isinstance(card, dict):
        raise HoadError(f"{path}: not the card of a network; train again")
    return card


def finished_measures(run: Run) -> dict[str, Any] | None:
    """Return the measures on a run's card, or None if the run has not come to its end.

    A run that was trained for more steps than its recipe asks has come to its end too.

    Raises:
        HoadError: the folder's last checkpoint is damaged or another run's.
    """
    if not run.last.exists():
        return None
    about = load_checkpoint(run.last)[1]
    refuse_other_run(about, run)
    card = read_card(run.best)
    recipe = run.recipe.model_dump(mode="json")
    told = run.recipe.defaults() | card.get("recipe", {})
    same = all(told.get(key) == value for key, value in recipe.items() if key not in run.may_change)
    enough = min(about["step"], told.get("steps", 0)) >= run.recipe.steps
    # A training that went on and was stopped may have left a model that is newer than its card.
    finished = enough and card["step"] == load_checkpoint(run.best)[1]["step"]
    return card["measures"] if same and finished else None
