"""What a result was made with."""

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
    """Return what it takes to make a result again, as plain values for JSON, HDF5 or a report.

    Keys: ``hoad`` (version), ``commit`` (git, with ``-dirty`` where tracked files were changed
    other than results, which are what is made; ``unknown`` outside a checkout), ``date`` (UTC, ISO
    8601), ``command``, ``python``, one key for each of `PACKAGES`, ``platform`` and ``cpus``.
    """
    return {
        "hoad": __version__,
        "commit": _commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
        "platform": platform.platform(),
        "cpus": os.cpu_count() or 1,
    }


@cache
def _commit() -> str:
    """Ask once: what is committed later is not what this program has loaded."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():  # installed elsewhere: an outer repository is not ours
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
    """Ask the installed metadata, because importing torch to read a number takes seconds."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
