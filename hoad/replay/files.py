"""Files that are complete or absent."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from hoad.errors import HoadError

UNFINISHED: Final = ".part"
"""Suffix of what is being written; left behind only by a program that was killed."""


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


def _sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
