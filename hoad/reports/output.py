"""The files of a report: the page, its figures, and the results as CSV and JSON."""

import csv
import io
import json
import math
import os
import re
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.figure_files import png, vector_formats, write_vector_files
from hoad.core.files import make_folder, read_json, write_file
from hoad.core.provenance import networks_used, provenance
from hoad.core.recipe import to_toml
from hoad.core.run_log import peak_memory
from hoad.reports.page import (
    Block,
    CommandLines,
    Heading,
    Paragraph,
    Report,
    Table,
    to_html,
    to_markdown,
)

RECIPE: Final = "recipe.toml"
"""The file of a report with the values of its recipe."""

_WORKERS: Final = "threads|backend|scheduler|children|timeout"  # options of all commands

_AGAIN: Final = "results/again"  # folder of what is made again


def write_report(report: Report, folder: Path) -> Path:
    """Write a report into a folder, made if it is missing; return the path of ``report.md``.

    The files are ``report.md``, ``report.html``, ``results.csv`` (the rows), ``results.json``
    (the facts, a line each; ``made_with`` has the peak of memory so far), ``recipe.toml`` (if there
    is a recipe) and the figures: PNG, and the formats that ``HOAD_FIGURES`` names.

    Raises:
        HoadError: the folder cannot be written to, or two figures have the same file name; or
            ``HOAD_FIGURES`` names another format, when all other files are written.
    """
    make_folder(folder)
    names = [figure.name for figure in report.figures]
    for name in names:
        if names.count(name) > 1:
            raise HoadError(f"{name}: two figures would have this name; rename what they show")
    drawn = {figure.name: figure.draw() for figure in report.figures}
    pictures = {name: png(figure) for name, figure in drawn.items()}
    facts = with_networks(report.facts)
    if "made_with" in facts:
        facts["made_with"] = {**facts["made_with"], "memory_mib": peak_memory()}
    files = pictures | {
        "report.md": to_markdown(report).encode(),
        "report.html": to_html(report, pictures).encode(),
        "results.csv": csv_text(report.rows).encode(),
        "results.json": facts_json(facts).encode(),
    }
    if report.recipe is not None:
        files[RECIPE] = to_toml(report.recipe).encode()
    for name, content in files.items():
        write_file(folder / name, content)
    write_vector_files({folder / name: figure for name, figure in drawn.items()})
    return folder / "report.md"


def with_networks(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts and, if networks have played, the name of each by file."""
    return {**facts, **({"networks": used} if (used := networks_used()) else {})}


def refuse_other_report(folder: Path, resume: bool = False) -> None:
    """Raise a HoadError for a folder with the report of another command: it may have taken days.

    ``--resume`` may extend the report of a command; other lines may differ in workers only. A
    format of figures that cannot be written is refused too, before the games.
    """
    vector_formats()
    path = folder / "results.json"
    if not path.exists():
        return
    facts = read_json(path)
    made_with = facts.get("made_with") if isinstance(facts, dict) else None
    command = str(made_with.get("command", "")) if isinstance(made_with, dict) else ""
    old, new = _settings(command), _settings(str(provenance()["command"]))
    if command and (old[:1] != new[:1] if resume else old != new):
        raise HoadError(
            f"{folder}: holds the report of {command!r}; move or remove it, or choose another "
            "folder with --out"
        )


def _settings(command: str) -> list[str]:
    """Return the words of a command line without the program and without workers."""
    words = re.sub(r"^(hoad evaluate|evaluate\.py) ", "", command)
    return re.sub(rf" --resume\b| --({_WORKERS})[ =]\S+", "", words).split()


def csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows with the same keys as CSV; the keys are the header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def six_digits(value: float) -> float:
    """Return a number with six significant digits, as an int where that is exact."""
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


def facts_json(facts: Mapping[str, Any]) -> str:
    """Return facts as compact JSON with a line for each."""
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'), allow_nan=False)}"
        for key, value in _plain(facts).items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def plain_json(value: Any) -> str:
    """Return JSON of mappings, sequences, numpy arrays and numbers; NaN and infinity are null."""
    return json.dumps(_plain(value), allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


@dataclass(frozen=True, kw_only=True)
class Result:
    """What results have in common: seed and wall time (in seconds) of the games, provenance.

    The seed is None where nothing was drawn.
    """

    seed: int | None
    seconds: float
    made_with: Mapping[str, str | int]

    def report(
        self,
        title: str,
        blocks: Sequence[Block],
        rows: Sequence[Mapping[str, object]],
        facts: Mapping[str, Any],
    ) -> Report:
        """Return a report of the result that also says how it was made."""
        origin = {"seed": self.seed, "seconds": self.seconds, "made_with": self.made_with}
        made = how_it_was_made(self.made_with, self.seed, {"games": self.seconds})
        return Report(title, blocks, rows, {**facts, **origin}, list(made))


class Started:
    """A measurement that goes on: its seed, its provenance and, at its end, its wall time."""

    def __init__(self, seed: int | None) -> None:
        self.seed, self.made_with, self._start = seed, provenance(), time.monotonic()

    def ended(self) -> dict[str, Any]:
        """Return the fields of a :class:`Result` by name."""
        seconds = time.monotonic() - self._start
        return {"seed": self.seed, "seconds": seconds, "made_with": self.made_with}


def how_it_was_made(
    made_with: Mapping[str, str | int],
    seed: int | None,
    seconds: Mapping[str, float],
    recipe: Mapping[str, Any] | None = None,
) -> Iterator[Block]:
    """Yield the section that says how to reproduce a report.

    ``made_with`` is :func:`hoad.core.provenance.provenance`, ``seconds`` the wall time by activity,
    ``recipe`` its values as in JSON, if there is one; ``seed`` is None where none is used.
    """
    made = dict(made_with)
    yield Heading("How it was made")
    rows = [["command", str(made.pop("command"))]]
    rows += [] if seed is None else [["seed", str(seed)]]
    rows += [[f"wall time: {what}", f"{time:.0f} s"] for what, time in seconds.items()]
    rows += [[key, str(value)] for key, value in made.items()]
    rows += [[f"network {name}", file] for file, name in networks_used().items()]
    rows += [[f"recipe: {key}", show_value(value)] for key, value in (recipe or {}).items()]
    yield Table([["what", "value"], *rows], numbers=False)


def how_to_make_it_again(
    command: str, recipe: Mapping[str, Any], what: str = "all of it", options: str = ""
) -> tuple[list[Block], dict[str, Any]]:
    """Return blocks with the exact command that makes results again, and the recipe that it names.

    Args:
        command: of ``evaluate.py``.
        recipe: the values that made the results, without ``games``; returned with another ``out``.
        what: the results that it makes.
        options: what else the command needs for these.
    """
    folder = Path(recipe["out"]) / RECIPE
    words = ["python", "evaluate.py", command, str(folder), *shlex.split(options), "--out", _AGAIN]
    lines = [shlex.join(words)]
    if root := os.environ.get("HOAD_CHECKPOINTS"):
        lines.insert(0, f"export HOAD_CHECKPOINTS={shlex.quote(root)}")
    text = (
        f"With the same code, networks and kind of processor, this makes {what} again, to the last "
        f"digit; {RECIPE} has all values of the recipe:"
    )
    return [Paragraph(text), CommandLines("\n".join(lines))], {**recipe, "out": _AGAIN}


def show_value(value: object) -> str:
    """Return a value of a recipe on one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {show_value(item)}" for key, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
