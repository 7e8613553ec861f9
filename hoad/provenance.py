"""What a result was made with."""

import os
import platform
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hoad import __version__

PACKAGES = ("numpy", "numba", "torch")


def provenance() -> dict[str, str | int]:
    """Return what it takes to make a result again, as plain values for JSON, HDF5 or a report.

    Keys: ``hoad`` (version), ``commit`` (git, with ``-dirty`` where tracked files were changed;
    ``unknown`` outside a checkout), ``date`` (UTC, ISO 8601), ``command``, ``python``, one key
    for each of `PACKAGES`, ``platform`` and ``cpus``.
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


def _commit() -> str:
    root = Path(__file__).parents[1]
    if not (root / ".git").exists():  # installed elsewhere: an outer repository is not ours
        return "unknown"
    describe = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        answer = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(root), *describe],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return answer.stdout.strip()


def _version(package: str) -> str:
    """Ask the installed metadata, because importing torch to read a number takes seconds."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
