"""Where checkpoints and populations are, and where what comes with HOAD is."""

import os
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.files import safe_name

MODEL: Final = "model.safetensors"
"""The file of a trained network's weights in its folder."""

METADATA: Final = "metadata.json"
"""The file next to it: recipe, games, measures, and what made the network."""

CURVE: Final = "curve.csv"
"""The file with the learning curve of a Rainbow network in the same folder."""

_VARIABLE: Final = "HOAD_CHECKPOINTS"

_PACKAGE: Final = Path(__file__).parents[1]
_WHEEL: Final = _PACKAGE / "shipped"  # see the wheel's sources in pyproject.toml
_IN_CHECKOUT: Final = not _WHEEL.is_dir()

SHIPPED: Final = _PACKAGE.parent if _IN_CHECKOUT else _WHEEL
"""The folder of what comes with HOAD: recipes, examples, networks, populations."""

SHIPPED_CHECKPOINTS: Final = SHIPPED / "checkpoints" / "shipped"
"""The trained networks that come with HOAD."""

SHIPPED_POPULATIONS: Final = SHIPPED / "populations"
"""The populations that come with HOAD, as ``NAME.json``."""

SHIPPED_EXAMPLES: Final = SHIPPED / "examples"
"""Programs that show how to use HOAD, and a notebook."""


def checkpoint_root() -> Path:
    """Return the folder to write checkpoints to: ``$HOAD_CHECKPOINTS``, or ``checkpoints``.

    It raises a HoadError if the variable is empty, or names something that is no folder.
    """
    folder = os.environ.get(_VARIABLE, "checkpoints")
    if not folder:
        raise HoadError(f"{_VARIABLE} is empty; unset it, or set it to a folder with checkpoints")
    root = Path(folder)
    if root.exists() and not root.is_dir():
        raise HoadError(f"{_VARIABLE} is {root}, which is no folder; correct or unset it")
    return root


def own_checkpoints() -> Path:
    """Return that folder to read from; a HoadError too if the variable names one that is absent."""
    root = checkpoint_root()
    if _VARIABLE in os.environ and not root.exists():
        raise HoadError(
            f"{_VARIABLE} is {root}, and there is no such folder; correct it, or unset it to use "
            "the networks and populations that come with HOAD"
        )
    return root


def checkpoint_folder(kind: str, name: str, root: Path | None = None) -> Path:
    """Return the folder of a network of a kind (``imitator``, ``maml`` or ``rainbow``) in a root.

    ``name`` is the imitated agent, the held-out agent, or Rainbow's seed.
    """
    return (root or checkpoint_root()) / kind / safe_name(name)


def milestone_file(step: str) -> str:
    """Return the name of the file with the weights after a step."""
    return f"step-{step}.safetensors"


def find_checkpoint(kind: str, name: str) -> Path:
    """Return the file of a network: the shipped one if there is one, and not the user's own.

    ``NAME@STEP`` names the weights after that step, if the step is a milestone of the recipe.

    Raises:
        HoadError: see :func:`own_checkpoints`.
    """
    name, _, step = name.partition("@")
    file = milestone_file(step) if step else MODEL
    own = checkpoint_folder(kind, name, own_checkpoints()) / file
    shipped = checkpoint_folder(kind, name, SHIPPED_CHECKPOINTS) / file
    return shipped if shipped.exists() and not own.exists() else own


def find_metadata(checkpoint: Path) -> Path | None:
    """Return the metadata file next to a network's file; None if there is none."""
    path = checkpoint.with_name(METADATA)
    return path if path.exists() else None


def playing_name(kind: str, name: str, root: Path) -> str:
    """Return the agent name of a network that was trained into the folder ``root``."""
    path = checkpoint_folder(kind, name, root) / MODEL
    own = checkpoint_folder(kind, name) / MODEL
    return f"{kind}:{name}" if path.resolve() == own.resolve() else f"{kind}:{path}"
