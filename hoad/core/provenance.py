"""Provenance: what a result was made with."""

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from hoad import __version__

PACKAGES = ("numpy", "numba", "torch")

_MACHINE: Final = ("platform", "cpus", "python", *PACKAGES)
"""What tells machines apart."""

_networks: Final[dict[str, str]] = {}

_BUT_RESULTS: Final = ":(exclude,glob)results/*/**"


def provenance() -> dict[str, str | int]:
    """Return what is needed to reproduce a result, as plain values for JSON, HDF5 or a report.

    ``commit`` has ``-dirty`` where tracked files other than results have changes, and is
    ``unknown`` outside a checkout; ``date`` is UTC, ISO 8601.
    """
    program = Path(sys.argv[0]).name
    command = shlex.join(["hoad" if program == "__main__.py" else program, *sys.argv[1:]])
    return {
        "hoad": __version__,
        "commit": _commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command.encode("utf-8", "backslashreplace").decode(),  # names may not be UTF-8
        "python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
        "platform": platform.platform(),
        "cpus": os.cpu_count() or 1,
    }


def provenance_of_all(made_with: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the latest of several provenances, with lists of the commits and machines of all."""
    made = sorted(made_with, key=itemgetter("date"))
    commits = [commit for run in made for commit in run.get("commits", [run["commit"]])]
    machines = [f"({'; '.join(f'{key} {run[key]}' for key in _MACHINE)})" for run in made]
    of_all = {"commits": commits, "machines": machines}
    return {**made[-1], **{key: list(dict.fromkeys(values)) for key, values in of_all.items()}}


def note_network(name: str, path: Path) -> None:
    """Remember that this program plays with the network of a file."""
    _networks[os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)] = name


def networks_used() -> dict[str, str]:
    """Return the networks that were loaded since the command began: names by file, sorted."""
    return dict(sorted(_networks.items()))


def forget_networks() -> None:
    """Begin a new command."""
    _networks.clear()


def describe_networks() -> str:
    """Return a sentence that says where the networks come from; empty if there are none."""
    places: dict[str, list[str]] = {}
    for file, name in networks_used().items():
        path = Path(file)
        is_named = len(path.parts) > 3 and path.parts[-3] == name.partition(":")[0]
        places.setdefault(str(path.parents[2]) if is_named else file, []).append(name)
    if not places:
        return ""
    sources = [f"{', '.join(dict.fromkeys(names))} from {place}" for place, names in places.items()]
    several = " (they may come from different trainings)" if len(places) > 1 else ""
    return f"Networks: {'; '.join(sources)}{several}."


@cache
def _commit() -> str:
    """Ask git once: a later commit is not the code that this program has loaded."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():  # installed: an outer repository is another project's
        return "unknown"
    try:
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "diff", "--name-only", "HEAD", "--", ".", _BUT_RESULTS)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit


def _git(root: Path, *words: str) -> str:
    command = ["git", "--no-optional-locks", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _version(package: str) -> str:
    try:
        return version(package)  # from its metadata: to import torch takes seconds
    except PackageNotFoundError:
        return "absent"
