"""The card beside a trained network: what it is, what made it, how well it does."""

import json
from collections.abc import Mapping
from typing import Any

from hoad.learning.training import Run
from hoad.provenance import provenance
from hoad.replay.files import write_atomically


def write_card(run: Run, about: Mapping[str, Any], measures: Mapping[str, float]) -> None:
    """Write ``card.json`` into the run's folder, for people and reports to read.

    Args:
        run: the training.
        about: what the checkpoint says about itself.
        measures: of that checkpoint, by name.
    """
    card = {**about, "measures": dict(measures), "made_with": provenance()}
    with write_atomically(run.folder / "card.json") as file:
        file.write((json.dumps(card, indent=2) + "\n").encode())
