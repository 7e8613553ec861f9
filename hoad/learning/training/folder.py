"""A training's folder: whether it may be written to, its ``metadata.json``, and its time so far."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic_core import from_json

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


class Clock:
    """Wall and processor time of a training; a HoadError if that of earlier parts is unreadable."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            before = from_json(path.read_bytes()) if path.exists() else {}
            self._wall = time.monotonic() - before.get("seconds", 0.0)
            self._processor = time.process_time() - before.get("processor_seconds", 0.0)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            problem = f"cannot read the time of the training so far ({error})"
            raise HoadError(f"{path}: {problem}; remove this file to count from 0") from error

    def seconds(self) -> float:
        """Return the wall time, in seconds."""
        return time.monotonic() - self._wall

    def processor_seconds(self) -> float:
        """Return the time of all processors, in seconds."""
        return time.process_time() - self._processor

    def save(self) -> None:
        """Save the times for the next part."""
        times = {"seconds": self.seconds(), "processor_seconds": self.processor_seconds()}
        text = json.dumps({name: round(time, 1) for name, time in times.items()})
        write_file(self._path, text.encode())
