"""Provenance: what a result was made with."""

import os
import platform
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from hoad import __version__

PACKAGES = ("numpy", "numba", "torch")

_BUT_RESULTS: Final = ":(exclude,glob)results/*/**"


def provenance() -> dict[str, str | int]:
    """Return what is needed to reproduce a result, as plain values for JSON, HDF5 or a report.

    ``commit`` has ``-dirty`` where tracked files other than results have changes, and is
    ``unknown`` outside a checkout; ``date`` is UTC, ISO 8601.
    """
    program = Path(sys.argv[0]).name
    return {
        "hoad": __version__,
        "commit": _commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(["hoad" if program == "__main__.py" else program, *sys.argv[1:]]),
        "python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
        "platform": platform.platform(),
        "cpus": os.cpu_count() or 1,
    }


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
