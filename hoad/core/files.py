"""Files that are complete or absent, and folders that one program writes at a time."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from hoad.core.errors import HoadError

UNFINISHED: Final = ".part"
"""Suffix of a file that is being written; only a program that was killed leaves one."""

PARTS: Final = ".parts"
"""Suffix of the folder with the blocks of a file that is being recorded."""

_LOCK: Final = "writer.lock"


def safe_name(name: str) -> str:
    """Return an agent's name as a part of a file name: characters that any system allows."""
    return re.sub(r"[^\w.,-]", "_", name)


@contextmanager
def write_atomically(path: Path) -> Iterator[IO[bytes]]:
    """Open a binary file that gets its name, and replaces another one, when it is complete.

    Raises:
        HoadError: The file cannot be written: no permission, no folder, no space.
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
    """Lock a folder, so that no other program that asks for the lock writes to it.

    Raises:
        HoadError: Another program holds the lock; or the folder cannot be locked.
    """
    try:
        file = (folder / _LOCK).open("wb")
    except OSError as error:
        raise HoadError(f"{folder}: cannot write there: {describe(error)}") from error
    with file:  # closing it, which the system does for a killed program, releases the lock
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.fstat(file.fileno()).st_nlink:
                raise BlockingIOError  # the program that held it has just removed the folder
        except BlockingIOError as error:
            message = "another program is writing there; wait until it is done"
            raise HoadError(f"{folder}: {message}") from error
        yield


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, where they are missing.

    Raises:
        HoadError: The folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HoadError(f"{folder}: cannot make this folder: {describe(error)}") from error


def describe(error: OSError) -> str:
    """Return the system's message, e.g. ``No space left on device``."""
    return error.strerror or str(error)


def _sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
