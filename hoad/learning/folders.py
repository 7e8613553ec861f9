"""Where trained networks lie."""

from pathlib import Path
from typing import Final

from hoad.core.files import safe_name
from hoad.core.paths import SHIPPED_CHECKPOINTS, checkpoint_root

MODEL: Final = "model.safetensors"
"""The file of a trained network's weights in its folder."""

SHIPPED: Final = SHIPPED_CHECKPOINTS
"""The networks that come with HOAD."""

CARD: Final = "card.json"
"""The file beside it that says what it is, what made it and how well it does."""


def milestone_file(step: str) -> str:
    """Return the name of the file with the weights after a step."""
    return f"step-{step}.safetensors"


def find_checkpoint(kind: str, name: str) -> Path:
    """Return the file of a trained network: one's own, else the one that comes with HOAD.

    Where there is neither, it is the place of one's own. ``NAME@STEP`` is what the training had
    made after that step, where its recipe has it as a milestone.
    """
    name, _, step = name.partition("@")
    file = milestone_file(step) if step else MODEL
    own = checkpoint_folder(kind, name) / file
    shipped = checkpoint_folder(kind, name, SHIPPED) / file
    return shipped if shipped.exists() and not own.exists() else own


def playing_name(kind: str, name: str, root: Path) -> str:
    """Return the name by which a network that was trained into a root folder plays from here."""
    path = checkpoint_folder(kind, name, root) / MODEL
    own = checkpoint_folder(kind, name) / MODEL
    return f"{kind}:{name}" if path.resolve() == own.resolve() else f"{kind}:{path}"


def checkpoint_folder(kind: str, name: str, root: Path | None = None) -> Path:
    """Return the folder of one trained network.

    Args:
        kind: ``imitator``, ``maml`` or ``rainbow``.
        name: the agent that is imitated or held out; what a Rainbow is called.
        root: folder of all checkpoints; the default one if None.
    """
    return (root or checkpoint_root()) / kind / safe_name(name)
