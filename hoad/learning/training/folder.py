"""A training's folder: whether it may be written to, and its ``metadata.json``."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import read_json, write_file
from hoad.core.identity import checksum
from hoad.core.paths import MODEL, find_metadata

LAST: Final = "last.safetensors"
"""The file with the newest weights and all else that a resumed training needs."""

OTHER_FOLDER: Final = "remove the folder, or choose another one with --out"

_CHECKSUM: Final = "checksum"


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


def write_metadata_file(path: Path, values: Mapping[str, Any]) -> None:
    """Write values, the last of them a checksum of all others; a HoadError if that fails."""
    text = json.dumps({**values, _CHECKSUM: checksum(values)}, indent=2)
    write_file(path, (text + "\n").encode())


def read_metadata_file(path: Path) -> dict[str, Any]:
    """Return the values without their checksum; a HoadError if damaged."""
    remedy = "restore it, or remove it: the network plays without"
    values = read_json(path)
    if not isinstance(values, dict):
        raise HoadError(f"{path}: not the metadata of a network, or damaged; {remedy}")
    if values.pop(_CHECKSUM, None) != checksum(values):
        raise HoadError(f"{path}: damaged metadata (checksum differs); {remedy}")
    return values


def read_metadata(checkpoint: Path) -> dict[str, Any]:
    """Return a network's metadata, empty without a file; a HoadError if the file is unreadable."""
    path = find_metadata(checkpoint)
    return read_metadata_file(path) if path else {}
