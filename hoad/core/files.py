"""Files that are complete or absent, and that one program writes at a time."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from pydantic_core import from_json

from hoad.core.errors import HoadError

UNFINISHED: Final = ".part"
"""Suffix of what is being written; left behind only by a program that was killed."""

PARTS: Final = ".parts"
"""Suffix of the folder with the blocks of a file that is being recorded."""

_LOCK: Final = "writer.lock"


def safe_name(name: str) -> str:
    """Return a part of a file's name for the name of an agent: safe characters on any system."""
    return re.sub(r"[^\w.,-]", "_", name)


@contextmanager
def write_atomically(path: Path) -> Iterator[IO[bytes]]:
    """Open a binary file that takes its name once it is complete and safe on the disk.

    Until then a file of that name, if there is one, stays as it is, whatever happens.

    Raises:
        HoadError: Nothing can be written there: no permission, no folder, no space.
    """
    unfinished = path.with_name(f"{path.name}{UNFINISHED}")
    try:
        try:
            with unfinished.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
            _sync_folder(path.parent)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise HoadError(f"{path}: cannot write this file: {describe(error)}") from error


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Keep other programs that ask for the same from writing to a folder.

    The system forgets the lock when the program ends, however it ends.

    Raises:
        HoadError: Another program is the writer; or no lock can be had there.
    """
    with _take_lock(folder):
        yield


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing.

    Raises:
        HoadError: That is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HoadError(f"{folder}: cannot make this folder: {describe(error)}") from error


def describe(error: OSError) -> str:
    """Return what the system says, e.g. ``No space left on device``."""
    return error.strerror or str(error)


def read_json(path: Path) -> Any:
    """Read a file that holds one JSON value.

    Raises:
        HoadError: The file cannot be read or is not JSON.
    """
    try:
        return from_json(path.read_bytes())
    except OSError as error:
        raise HoadError(f"{path}: cannot read this file: {describe(error)}") from error
    except ValueError as error:
        raise HoadError(
            f"{path}: not a JSON file ({one_line(str(error))}); restore it from its source"
        ) from error


def one_line(text: str, limit: int = 300) -> str:
    """Return text with control characters escaped; the middle of a long text is left out."""
    if len(text) > limit:
        text = f"{text[: limit // 2]} ... {text[-limit // 2 :]}"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _take_lock(folder: Path) -> IO[bytes]:
    """Return an open file whose closing gives the lock back."""
    try:
        file = (folder / _LOCK).open("wb")
    except OSError as error:
        raise HoadError(f"{folder}: cannot write there: {describe(error)}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.fstat(file.fileno()).st_nlink:
            raise BlockingIOError  # its owner finished just now, and removed the folder
    except BlockingIOError as error:
        file.close()
        raise HoadError(
            f"{folder}: another program is writing there; wait until it is done"
        ) from error
    return file
