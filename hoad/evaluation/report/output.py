"""The files of a report: the page, its figures, and the results as CSV and JSON."""

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import make_folder, read_json, write_file
from hoad.core.provenance import networks_used, provenance
from hoad.evaluation.report.page import Block, Heading, Report, Table, to_html, to_markdown
from hoad.evaluation.report.plots import png


def write_report(report: Report, folder: Path) -> Path:
    """Write a report into a folder, made if it is missing; return the path of ``report.md``.

    The files are ``report.md``, ``report.html``, ``results.csv`` (the rows), ``results.json``
    (the facts and the rows) and the figures.

    Raises:
        HoadError: the folder cannot be written to, or two figures have the same file name.
    """
    make_folder(folder)
    names = [figure.name for figure in report.figures]
    for name in names:
        if names.count(name) > 1:
            raise HoadError(f"{name}: two figures would have this name; rename what they show")
    pictures = {figure.name: png(figure.draw()) for figure in report.figures}
    facts = {**with_networks(report.facts), "rows": report.rows}
    files = pictures | {
        "report.md": to_markdown(report).encode(),
        "report.html": to_html(report, pictures).encode(),
        "results.csv": csv_text(report.rows).encode(),
        "results.json": (plain_json(facts, indent=1) + "\n").encode(),
    }
    for name, content in files.items():
        write_file(folder / name, content)
    return folder / "report.md"


def with_networks(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts and, if networks have played, the name of each by file."""
    return {**facts, **({"networks": used} if (used := networks_used()) else {})}


def refuse_other_report(folder: Path, resume: bool = False) -> None:
    """Refuse a folder with the report of another command line, which may have taken days.

    ``--resume`` may extend the report of a command; other lines may differ in workers only.

    Raises:
        HoadError: It names the folder and the command line of its report.
    """
    path = folder / "results.json"
    if not path.exists():
        return
    facts = read_json(path)
    made_with = facts.get("made_with", {}) if isinstance(facts, dict) else {}
    found = str(made_with.get("command", ""))
    old, new = _settings(found), _settings(str(provenance()["command"]))
    if found and (old[:1] != new[:1] if resume else old != new):
        raise HoadError(
            f"{folder}: holds the report of {found!r}; move or remove it, or choose another folder "
            "with --out"
        )


def _settings(command: str) -> list[str]:
    """Return the words of a command line without the program and without workers."""
    words = re.sub(r"^(hoad evaluate|evaluate\.py) ", "", command)
    return re.sub(r" --resume\b| --(threads|backend|scheduler)[ =]\S+", "", words).split()


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


def plain_json(value: Any, indent: int | None = None) -> str:
    """Return JSON of mappings, sequences, numpy arrays and numbers; NaN and infinity are null."""
    return json.dumps(_plain(value), indent=indent, allow_nan=False)


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
    """What results have in common: seed and wall time (in seconds) of the games, provenance."""

    seed: int
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


def how_it_was_made(
    made_with: Mapping[str, str | int],
    seed: int,
    seconds: Mapping[str, float],
    recipe: Mapping[str, Any] | None = None,
) -> Iterator[Block]:
    """Yield the section that says how to reproduce a report.

    ``made_with`` is :func:`hoad.core.provenance.provenance`, ``seconds`` the wall time by activity,
    and ``recipe`` the values of the recipe, if there is one, as in JSON.
    """
    made = dict(made_with)
    yield Heading("How it was made")
    rows = [["command", str(made.pop("command"))], ["seed", str(seed)]]
    rows += [[f"wall time: {what}", f"{time:.0f} s"] for what, time in seconds.items()]
    rows += [[key, str(value)] for key, value in made.items()]
    rows += [[f"network {name}", file] for file, name in networks_used().items()]
    rows += [[f"recipe: {key}", show_value(value)] for key, value in (recipe or {}).items()]
    yield Table([["what", "value"], *rows], numbers=False)


def show_value(value: object) -> str:
    """Return a value of a recipe on one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {show_value(item)}" for key, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
