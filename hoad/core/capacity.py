"""What fits into the memory and on the disk of this machine."""

import os
import shutil
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError

MOST_GAMES: Final = 10**9
"""Games of a pairing that can be asked for: hours of compiled agents, weeks of networks."""

_GROUP: Final = Path("/sys/fs/cgroup")  # Linux: limits of the container or of the batch job


def available_memory() -> int:
    """Return the bytes that this process can still allocate without a swap."""
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        values = {line.split(":")[0]: int(line.split()[1]) for line in lines}
        limits.append(values["MemAvailable"] * 1024)
        limit = (_GROUP / "memory.max").read_text().strip()
        if limit != "max":
            limits.append(int(limit) - int((_GROUP / "memory.current").read_text()))
    except (OSError, KeyError, ValueError, IndexError):
        pass  # not Linux, or a group without limits
    return max(0, min(limits))


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
