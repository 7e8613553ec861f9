"""Code of the user's own: agents and ad-hoc players in a file, which may fail in any way.

Each failure becomes a HoadError with the lines of the user's files that led to it: an exception,
``sys.exit``, and more memory than there is. docs/your-agent.md tells what is not prevented.
"""

import hashlib
import importlib.util
import inspect
import os
import resource
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import current_process
from pathlib import Path
from threading import RLock
from typing import Final

from hoad.core.capacity import available_memory
from hoad.core.errors import HoadError

_PACKAGE: Final = Path(__file__).parents[1]
_NOT_OWN: Final = (
    "<",  # as in <frozen importlib._bootstrap>
    str(_PACKAGE) + os.sep,
    *(sysconfig.get_path(name) + os.sep for name in ("stdlib", "purelib", "platlib")),
)
_SHARE: Final = 0.9  # of the free memory, which own code may use

_MOST_FRAMES: Final = 5

_loading = RLock()
_neighbours: dict[str, tuple[Path, ...]] = {}


@contextmanager
def own_code(subject: str) -> Iterator[None]:
    """Turn what own code raises in this context into a HoadError.

    ``subject`` begins the message, as in ``agent python:mine.py:Mine: choose``.
    """
    try:
        yield
    except HoadError:
        raise
    except SystemExit as error:
        problem = "ends the program (sys.exit); leave that to HOAD"
        raise HoadError(f"{subject} {problem}{_where(error)}") from error
    except Exception as error:
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise HoadError(f"{subject} fails with {what}{_where(error)}") from error


def load_class(argument: str) -> type:
    """Return the class of ``FILE.py:CLASS``; the file may import modules of its folder.

    Raises:
        HoadError: there is no such file or class, or the file cannot be run.
    """
    path, _, class_name = argument.rpartition(":")
    name = f"python:{argument}"
    if not path:
        raise HoadError(f"agent {name}: the class is missing; write python:FILE.py:CLASS")
    if Path(path).suffix != ".py" or not Path(path).is_file():
        raise HoadError(f"agent {name}: no file {path!r}; write python:FILE.py:CLASS")
    _limit_memory()
    place = hashlib.sha1(str(Path(path).resolve()).encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"agent_{Path(path).stem}_{place}", path)
    assert spec and spec.loader  # a .py file always has them
    module = importlib.util.module_from_spec(spec)
    with _loading, own_code(f"agent {name}: {path}"):
        sys.modules[spec.name] = module  # dataclasses look their module up there
        with _neighbours_found(Path(path).resolve().parent, spec.name):
            spec.loader.exec_module(module)
    kind = getattr(module, class_name, None)
    if not isinstance(kind, type):
        raise HoadError(f"agent {name}: {path} has no class {class_name!r}")
    return kind


def source_identity(kind: type) -> str:
    """Return the identity of the file of a class, of modules from its folder, and of its ``files``.

    That attribute, if there is one, has names of files, from the folder of the class's file.

    Raises:
        HoadError: one of these files cannot be read.
    """
    file = inspect.getsourcefile(kind)
    digest = hashlib.sha1(Path(file).read_bytes() if file else b"")
    named = [Path(file or "").parent / name for name in getattr(kind, "files", ())]
    for other in (*_neighbours.get(kind.__module__, ()), *named):
        try:
            digest.update(other.read_bytes())
        except OSError as error:
            raise HoadError(f"{kind.__name__}: {other}: {error.strerror}") from error
    return digest.hexdigest()


def _limit_memory() -> None:
    """Let an allocation fail that the free memory cannot hold, before the system ends processes."""
    processes = 1 if current_process().name == "MainProcess" else os.cpu_count() or 1
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        used = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData"))
        most = used + int(_SHARE * available_memory() / processes)
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    except (OSError, StopIteration, ValueError):
        pass  # not Linux


@contextmanager
def _neighbours_found(folder: Path, name: str) -> Iterator[None]:
    """Let the module of this name import others from its folder; other modules find none there."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        with suppress(ValueError):  # own code may have changed the path
            sys.path.remove(str(folder))
        files = {}
        for other in sys.modules.keys() - before - {name}:
            file = getattr(sys.modules[other], "__file__", None)
            if file and Path(file).is_relative_to(folder) and _is_own(file):
                files[other] = Path(file)
        for other in files:
            del sys.modules[other]
        _neighbours[name] = tuple(sorted(files.values()))


def _is_own(file: str) -> bool:
    return not file.startswith(_NOT_OWN)


def _where(error: BaseException) -> str:
    """Return the lines of own files that led to an error, in brackets."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename)
    ]
    lines = [f"{frame.filename}, line {frame.lineno}, in {frame.name}" for frame in frames]
    if isinstance(error, SyntaxError):
        lines.append(f"{error.filename}, line {error.lineno}")
    return f" ({'; '.join(lines[-_MOST_FRAMES:])})" if lines else ""
