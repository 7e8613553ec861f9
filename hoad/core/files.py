"""Files that are complete or absent, and folders that one program writes at a time."""

import errno
import fcntl
import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from pydantic_core import from_json

from hoad.core.errors import HoadError

UNFINISHED: Final = ".part"
"""Suffix of a file that is being written; only a program that was killed leaves one."""

PARTS: Final = ".parts"
"""Suffix of the folder with the blocks of a file that is being recorded."""

_LOCK: Final = "writer.lock"

_SIGNATURES: Final = {
    b"\x89PNG": "a picture",
    b"\x89HDF\r\n": "an HDF5 file",
    b"\x1f\x8b": "a compressed file",
    b"PK\x03\x04": "an archive of arrays",
}
"""First bytes of the kinds of files that programs write."""


def safe_name(name: str) -> str:
    """Return an agent's name as a part of a file name: characters that any system allows."""
    return re.sub(r"[^\w.,-]", "_", name)


@contextmanager
def write_atomically(path: Path) -> Iterator[IO[bytes]]:
    """Open a binary file that gets its name, and replaces an older one, when it is complete.

    Raises:
        HoadError: The file cannot be written: no permission, no folder, no space; or a file of
            another kind has the name.
    """
    unfinished = path.with_name(f"{path.name}{UNFINISHED}")
    try:
        try:
            with unfinished.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _refuse_other_kind(path, unfinished)
            unfinished.replace(path)
            _sync_folder(path.parent)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise HoadError(f"{path}: cannot write this file: {describe(error)}") from error


def require_present(*paths: Path) -> None:
    """Refuse, before anything is imported to read it, a file that is not there: a HoadError."""
    for path in paths:
        if not path.exists():
            raise HoadError(f"{path}: cannot read this file: {os.strerror(errno.ENOENT)}")


def check_target(path: Path, endings: tuple[str, ...], may_exist: bool = False) -> None:
    """Refuse, before any work, a file to write with another ending, or that exists: a HoadError."""
    if not path.name.endswith(endings):
        raise HoadError(f"{path}: expected a name that ends in {' or '.join(endings)}")
    if path.exists() and not may_exist:
        raise HoadError(f"{path}: exists; remove it or choose another name")


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file as :func:`write_atomically` does."""
    with write_atomically(path) as file:
        file.write(content)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Lock a folder, so that no other program that asks for the lock writes to it.

    It raises a HoadError if another program holds the lock, or the folder cannot be locked.
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
    """Make a folder and its parents, where they are missing; a HoadError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HoadError(f"{folder}: cannot make this folder: {describe(error)}") from error


@contextmanager
def folder_for(folder: Path | None) -> Iterator[None]:
    """Make a folder for what the body writes, if one is given; one that is new and empty goes.

    It raises a HoadError if the folder cannot be made.
    """
    if folder is None or folder.is_dir():
        yield
        return
    make_folder(folder)
    try:
        yield
    finally:
        with suppress(OSError):  # it is not empty
            folder.rmdir()


def describe(error: OSError) -> str:
    """Return the system's message, e.g. ``No space left on device``."""
    return error.strerror or str(error)


def read_json(path: Path) -> Any:
    """Read a file that holds one JSON value; a HoadError if it cannot be read or is not JSON."""
    try:
        return from_json(path.read_bytes())
    except OSError as error:
        raise HoadError(f"{path}: cannot read this file: {describe(error)}") from error
    except ValueError as error:
        raise HoadError(
            f"{path}: not a JSON file ({one_line(str(error))}); restore it from its source"
        ) from error


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a numpy archive (.npz) as :func:`write_atomically` does."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    write_file(path, buffer.getvalue())


@contextmanager
def reading_arrays(path: Path, what: str, remedy: str) -> Iterator[dict[str, np.ndarray]]:
    """Read the arrays of a numpy archive; name the file in every error.

    Raises:
        HoadError: The file cannot be read, or the body cannot use its arrays: the message says
            that it is not ``what``, and names the remedy.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        yield arrays
    except OSError as error:
        raise HoadError(f"{path}: cannot read {what}: {describe(error)}") from error
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        EOFError,
        RuntimeError,  # of zipfile, as NotImplementedError is: an unknown method or flag
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise HoadError(f"{path}: not {what}; {remedy}") from error


def one_line(text: str, limit: int = 300) -> str:
    """Return text with control characters escaped; the middle of a long text is left out."""
    if len(text) > limit:
        text = f"{text[: limit // 2]} ... {text[-limit // 2 :]}"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _refuse_other_kind(path: Path, unfinished: Path) -> None:
    """Raise a HoadError if ``path`` has content of another kind than the file to replace it."""
    if not path.exists():
        return
    found, new = _kind(path), _kind(unfinished)
    if found and found != new:
        raise HoadError(
            f"{path}: is {found}, and {new or 'an empty file'} would replace it; choose another "
            "name, or remove it first"
        )


def _kind(path: Path) -> str:
    """Return what a file holds, by its first bytes; empty for an empty file."""
    with path.open("rb") as file:
        head = file.read(9)
    for signature, kind in _SIGNATURES.items():
        if head.startswith(signature):
            return kind
    if b"\0" in head:
        return "a file of tensors" if head[8:] == b"{" else "a binary file"
    if head.lstrip()[:1] in (b"{", b"["):
        return "JSON"
    return "a text" if head else ""


def _sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
