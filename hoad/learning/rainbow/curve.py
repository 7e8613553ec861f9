"""The learning curve of self-play: a CSV file with a line for each validation."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.files import make_folder, write_file
from hoad.learning.training.clock import Clock

STEPS: Final = "environment_steps"
HOURS: Final = "hours"
CPU_HOURS: Final = "cpu_hours"

Line = dict[str, float]


class LearningCurve:
    """Measures against moves made, hours and processor hours, over all parts of a training."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._lines: list[Line] = []

    def resume(self, environment_steps: int) -> None:
        """Read the lines of earlier parts of the training up to here; later lines are dropped."""
        lines = read_curve(self._path) if self._path.exists() else []
        self._lines = [line for line in lines if line[STEPS] <= environment_steps]

    def add(self, environment_steps: int, measures: Mapping[str, float]) -> None:
        """Append a line, with the time of the training so far; columns are always the same."""
        line: Line = {
            STEPS: environment_steps,
            HOURS: round(self._clock.seconds() / 3600, 5),
            CPU_HOURS: round(self._clock.processor_seconds() / 3600, 5),
            **measures,
        }
        if self._lines and self._lines[0].keys() != line.keys():
            raise HoadError(f"{self._path}: a learning curve with other columns; remove it")
        self._lines.append(line)
        rows: list[Iterable[object]] = [line, *(earlier.values() for earlier in self._lines)]
        make_folder(self._path.parent)
        text = "".join(f"{','.join(map(str, row))}\n" for row in rows)
        write_file(self._path, text.encode())


def read_curve(path: Path) -> list[Line]:
    """Return the values by column of each line; a HoadError if this is no learning curve."""
    try:
        with path.open(newline="") as file:
            lines = [{key: float(line[key]) for key in line} for line in csv.DictReader(file)]
        for line in lines:
            line |= {key: int(line[key]) for key in line.keys() & {STEPS}}
    except (OSError, ValueError, TypeError, OverflowError) as error:
        raise HoadError(f"{path}: cannot read this learning curve: {error}") from error
    if not all({STEPS, HOURS, CPU_HOURS} <= line.keys() for line in lines):
        raise HoadError(f"{path}: not a learning curve; remove it")
    return lines
