"""The log of a run: the lines that its terminal saw, kept in the folder of its results."""

import codecs
import io
import os
import re
import resource
import sys
import time
import traceback
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.files import open_regular

LOG: Final = "run.log"
"""The file, to which each run in a folder is added."""

_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_MARK: Final = b"== "  # with which a log begins
_MIB: Final = 1024  # of the KiB in which Linux counts memory
_PROCESSES: Final = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
_MOST: Final = 10_000  # lines that wait for a folder
_PLAIN: Final = {"±": "+-", "→": "->", "…": "...", "–": "-", "—": "-", "×": "x"}
_NAME: Final = "hoad-plain"


class _Log:
    """The lines of a run so far, and the folders that keep them."""

    def __init__(self, title: str) -> None:
        self._start = time.monotonic()
        self._first = f"{_MARK.decode()}{datetime.now(UTC).isoformat(timespec='seconds')} {title}"
        self._lines: deque[str] = deque(maxlen=_MOST)
        self._files: dict[Path, io.TextIOBase] = {}

    def keep_in(self, folder: Path) -> None:
        path = folder.resolve() / LOG
        if path not in self._files:
            descriptor = open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
            file = os.fdopen(descriptor, "a", encoding="utf-8", errors="replace", buffering=1)
            if os.pread(descriptor, len(_MARK), 0) in (b"", _MARK):  # else somebody else's
                self._files[path] = file
                self._write([path], [self._first, *self._lines])

    def add(self, line: str) -> None:
        """Add a line, without bars that later ones have replaced and without colours."""
        self._lines.append(_CONTROL.sub("", line.rstrip("\r").rpartition("\r")[2]))
        self._write(self._files, [self._lines[-1]])

    def end(self) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        self.add(
            f"== ended after {time.monotonic() - self._start:.0f} s; this process used "
            f"{used.ru_utime + used.ru_stime:.0f} s of processor time, and the largest at most "
            f"{peak_memory()} MiB of memory"
        )
        for file in self._files.values():
            with suppress(OSError):
                file.close()

    def _write(self, paths: Iterable[Path], lines: Iterable[str]) -> None:
        with suppress(OSError, ValueError):  # a full disk stops no run
            for path in paths:
                self._files[path].writelines(f"{line}\n" for line in lines)


def peak_memory() -> int:
    """Return the most MiB that this process or one that it has started and ended held."""
    return max(resource.getrusage(process).ru_maxrss for process in _PROCESSES) // _MIB


_log: _Log | None = None


@contextmanager
def log_run(title: str) -> Iterator[None]:
    """Log what happens inside of this context, if :func:`write_log_to` names a folder."""
    global _log
    _log = _Log(title)
    try:
        yield
    except BaseException:
        for line in traceback.format_exc().splitlines():
            _log.add(line)
        raise
    finally:
        _log.end()
        _log = None


def write_log_to(folder: Path) -> None:
    """Keep the log of this program, from its first line on, in a folder that is there.

    Nothing happens where no log has begun, as in a notebook, or no file can be written.
    """
    if _log is not None:
        with suppress(OSError, HoadError):
            _log.keep_in(folder)


def log_line(line: str) -> None:
    """Add a line to the log, if there is one, and to nothing else."""
    if _log is not None:
        _log.add(line)


class LoggedStream(io.TextIOWrapper):
    """A standard stream; each of its lines is also one of the log."""

    _unfinished = ""

    def write(self, text: str) -> int:
        """Write text, as any stream does."""
        written = super().write(text)
        *lines, rest = (self._unfinished + text).split("\n")
        shown = rest.rstrip("\r")  # of bars, the last one is enough
        self._unfinished = shown.rpartition("\r")[2] + rest[len(shown) :][:1]
        for line in lines:
            log_line(line)
        return written


def plain(error: UnicodeError) -> tuple[str, int]:
    """Return characters in place of those that an encoding does not have, as codecs ask for."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char, "?") for char in text), error.end


def prepare_streams() -> None:
    """Let the standard streams print everything, and log it.

    What a closed standard error gets is dropped.
    """
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)  # or the first file to be opened would take its place
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (as long as the process)
    codecs.register_error(_NAME, plain)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            logged = LoggedStream(
                stream.buffer,
                stream.encoding,
                _NAME,
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )
            setattr(sys, name, logged)
