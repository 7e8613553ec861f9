"""The time that a training has taken so far, also in parts that were stopped."""

import json
import time
from pathlib import Path

from pydantic_core import from_json

from hoad.core.errors import HoadError
from hoad.core.files import write_file


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
