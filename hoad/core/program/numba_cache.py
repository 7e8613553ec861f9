"""The folder where numba keeps compiled code: one for all checkouts that have the same sources.

Numba checks only the file of the function itself: a cached caller would run the old code of a
callee after the callee's file has changed. So the folder is named after the content of all sources
with compiled functions, the versions of numba and of what it uses, and the processor. It is in
``$HOAD_CACHE``, by default the user's folder of caches, and never in the checkout, which may be
read-only. Inside, functions are found by module, so that a second checkout compiles nothing.
"""

import atexit
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any, Final

from numba import config
from numba.core.caching import _CacheLocator  # as numba's documentation asks

CACHE: Final = "HOAD_CACHE"
"""Environment variable with the folder of compiled code."""

_PACKAGE: Final = Path(__file__).parents[2]
_PREFIX: Final = "numba-"
_FOLDER: Final = re.compile(rf"{_PREFIX}[0-9a-f]{{16}}")  # what HOAD makes, and nobody else
_COMPILES: Final = re.compile(rb"^from numba import .*\bnjit\b", re.MULTILINE)
_UNUSED: Final = 30 * 24 * 3600  # seconds after which a folder of other sources is removed

_LOCATORS: Final = (
    f"{__name__}.SharedLocator",
    "InTreeCacheLocator",  # these are numba's own, for compiled functions of the user's agents
    "UserWideCacheLocator",
    "IPythonCacheLocator",
)


def share_compiled_code() -> None:
    """Let numba look for compiled code of HOAD in the shared folder, unless NUMBA_CACHE_DIR is set.

    With NUMBA_CACHE_DIR, which is for work on compiled functions, numba does as it always does.
    The setting is not left in the environment, where it would reach other programs.
    """
    if "NUMBA_CACHE_DIR" not in os.environ:
        config.CACHE_LOCATOR_CLASSES = ",".join(_LOCATORS)  # type: ignore[attr-defined]


@cache
def shared_folder() -> Path:
    """Return the folder for compiled code of these sources, versions and this processor; make it.

    If no folder can be written to, a line says so, and it is a temporary one for this program and
    its workers.
    """
    root = _root()
    folder = root / f"{_PREFIX}{_digest()}"
    try:
        is_new = not folder.exists()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return _temporary_folder(folder, error)
    os.utime(folder)
    if is_new:
        _remove_unused(root)
    return folder


def _root() -> Path:
    if folder := os.environ.get(CACHE):
        return Path(folder).expanduser().absolute()
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(caches):  # else it does not count, by its specification
        return Path(caches) / "hoad"
    try:
        return Path.home() / ".cache" / "hoad"
    except RuntimeError:  # a user without a home
        return Path("/nonexistent")


def _temporary_folder(folder: Path, error: OSError) -> Path:
    print(
        f"{folder}: cannot keep compiled code there ({error.strerror}), so it is compiled for this "
        f"program only; set {CACHE} to a folder that can be written to",
        file=sys.stderr,
    )
    temporary = Path(tempfile.mkdtemp(prefix="hoad-"))
    os.environ[CACHE] = str(temporary)  # workers of this program share it
    program = os.getpid()

    def remove() -> None:
        if os.getpid() == program:
            shutil.rmtree(temporary, ignore_errors=True)

    atexit.register(remove)
    folder = temporary / folder.name
    folder.mkdir()
    return folder


def _remove_unused(root: Path) -> None:
    """Remove folders that no program has used for a month; another checkout uses the others."""
    for other in root.glob(f"{_PREFIX}*"):
        if not _FOLDER.fullmatch(other.name):
            continue
        try:
            unused = time.time() - other.stat().st_mtime
        except OSError:
            continue  # another program has just removed it
        if unused > _UNUSED:
            shutil.rmtree(other, ignore_errors=True)


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if _COMPILES.search(source):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + source + b"\0")
    digest.update(repr(_versions()).encode())
    return digest.hexdigest()[:16]


def _versions() -> tuple[Any, ...]:
    """Return the versions of all that takes part in compiling, and the processor."""
    import llvmlite  # type: ignore[import-untyped]
    import numba
    import numpy as np
    from llvmlite import binding

    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    versions = numba.__version__, llvmlite.__version__, np.__version__, sys.version
    return (*versions, *processor, platform.machine())


class SharedLocator(_CacheLocator):
    """A folder for each module, and a file for each line where a function begins.

    The shared folder is named after the content of all sources, so nothing else tells old code.
    """

    def __init__(self, module: Path, line: int) -> None:
        self._folder = shared_folder() / ".".join(module.with_suffix("").parts)
        self._line = line

    def get_cache_path(self) -> str:
        """Return the folder of the function's module."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return what is the same as long as the source is."""
        return self._folder.parent.name

    def get_disambiguator(self) -> str:
        """Return what tells functions of the same name apart."""
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "SharedLocator | None":
        """Return the place of a function of HOAD; None for one of somebody else."""
        path = Path(py_file).absolute()
        if not path.is_relative_to(_PACKAGE):
            return None
        locator = cls(path.relative_to(_PACKAGE), py_func.__code__.co_firstlineno)
        locator.ensure_cache_path()
        return locator
