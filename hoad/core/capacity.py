"""What fits into the memory and on the disk of this machine."""

import math
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from hoad.core.errors import HoadError

MOST_GAMES: Final = 10**9
"""Games of a pairing that can be asked for: hours of compiled agents, weeks of networks."""

_GROUPS: Final = Path("/sys/fs/cgroup")  # Linux: limits of containers, batch jobs and services
_OWN_GROUP: Final = Path("/proc/self/cgroup")


def cores() -> int:
    """Return on how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_memory() -> int:
    """Return the bytes that this process can still allocate without a swap."""
    return max(0, int(min(psutil.virtual_memory().available, *map(_left_in, _groups()))))


def _groups() -> Iterator[Path]:
    """Yield the folder of the process's control group, and those of the groups around it."""
    group = _GROUPS
    with suppress(OSError):
        for line in _OWN_GROUP.read_text().splitlines():
            if line.startswith("0::/"):
                group = _GROUPS / line.removeprefix("0::/")
    yield from (each for each in (group, *group.parents) if each.is_relative_to(_GROUPS))


def _left_in(group: Path) -> float:
    """Return the bytes that a control group can still allocate; infinity without a limit."""
    try:
        limit = int((group / "memory.max").read_text())
    except (OSError, ValueError):  # it is "max"
        return math.inf
    used = cached = 0
    with suppress(OSError, ValueError):
        used = int((group / "memory.current").read_text())
    with suppress(OSError, ValueError):
        for line in (group / "memory.stat").read_text().splitlines():
            if line.startswith("inactive_file "):  # contents of files, which the system drops
                cached = int(line.split()[1])
    return limit - max(0, used - cached)


def require_memory(needed: float, what: str, remedy: str) -> None:
    """Raise a HoadError that starts with ``what`` if so many bytes do not fit into the memory."""
    if needed > (available := available_memory()):
        raise HoadError(
            f"{what} would take {size(needed)} of memory, and {size(available)} are free; {remedy}"
        )


def require_disk(folder: Path, needed: float, what: str, remedy: str) -> None:
    """Raise a HoadError if so many bytes do not fit on the disk of a folder, which may be new."""
    present = next(
        parent for parent in (folder.resolve(), *folder.resolve().parents) if parent.exists()
    )
    if needed > (free := shutil.disk_usage(present).free):
        raise HoadError(
            f"{what} would take {size(needed)} on the disk of {folder}, and {size(free)} are "
            f"free; {remedy}"
        )


def size(count: float) -> str:
    """Return a number of bytes for people, such as ``1.5 GB``."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an allocation has failed, of Python, numpy or torch (a RuntimeError)."""
    texts = ("can't allocate memory", "out of memory", "not enough memory")
    return isinstance(error, MemoryError) or any(text in str(error).lower() for text in texts)
