"""A training's folder: what it holds, and whether a training may write to it."""

from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.paths import MODEL, find_metadata

LAST: Final = "last.safetensors"
"""The file with the newest weights and all else that a resumed training needs."""

OTHER_FOLDER: Final = "remove the folder, or choose another one with --out"


def refuse_training(folder: Path, resume: bool) -> None:
    """Raise a HoadError if a folder holds a training that is not to be resumed, or cannot be."""
    problem = ""
    has_training = (folder / LAST).exists()
    if not has_training and find_metadata(folder / MODEL):
        problem = "holds a network, but not the training that --resume needs; "
    if has_training and not resume:
        problem = "holds a training already; continue it with --resume, or "
    if problem:
        raise HoadError(f"{folder}: {problem}{OTHER_FOLDER}")
