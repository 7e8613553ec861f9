"""Files that are complete or absent, and folders that one program writes at a time."""

import codecs
import errno
import fcntl
import io
import os
import re
import stat
import sys
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Final

import numpy as np
from pydantic_core import from_json

from hoad.core.errors import HoadError

UNFINISHED: Final = ".part"
"""End of the name of a file that is being written; only a program that was killed leaves one."""

CONTROL: Final = r"\x00-\x1f\x7f-\x9f"
"""Control characters, for the brackets of a regular expression; no player's name has any."""

_SECONDS_TO_LOOK: Final = 0.5  # whether a lock is free

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
def write_atomically(path: Path, new: bool = False) -> Iterator[IO[bytes]]:
    """Open a binary file that gets its name, and replaces an older one, when it is complete.

    Several programs may write a file of the same name at a time: each writes a file of its own.
    With ``new``, the first that is complete stays, and the others are refused. What a killed
    program left of this file is removed.

    Raises:
        HoadError: The file cannot be written: no permission, no folder, no space; or a file of
            another kind has the name; or any file has it and ``new`` is true.
    """
    try:
        remove_unfinished(path)
        file, unfinished = _open_unfinished(path)
        with file:  # locked until it has its name
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                _give_name(unfinished, path, new)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
        _sync_folder(path.parent)
    except OSError as error:
        raise HoadError(f"{path}: cannot write this file: {describe(error)}") from error


def _open_unfinished(path: Path) -> tuple[IO[bytes], Path]:
    """Create a file in the folder of ``path``, by a name that no file has; lock it."""
    while True:
        unfinished = path.with_name(f"{_start_of_name(path)}.{token_hex(8)}{UNFINISHED}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.fdopen(os.open(unfinished, flags, 0o666), "wb")
        try:
            if _lock(file.fileno()):
                return file, unfinished
        except OSError:  # a disk without locks
            return file, unfinished
        file.close()  # another program took it for what a killed one had left


def remove_unfinished(path: Path) -> None:
    """Remove what killed programs left of a file: they no longer lock it."""
    pattern = re.escape(_start_of_name(path)) + r"\.[0-9a-f]{16}" + re.escape(UNFINISHED)
    with suppress(OSError):
        for name in os.listdir(path.parent):
            if re.fullmatch(pattern, name) and (left := path.parent / name).is_file():
                with left.open("rb") as file:
                    if _lock(file.fileno()):
                        left.unlink()


def _start_of_name(path: Path) -> str:
    """Return what fits into the name of an unfinished file, which is at most 255 bytes."""
    return os.fsdecode(os.fsencode(path.name)[:220])


def _give_name(unfinished: Path, path: Path, new: bool) -> None:
    if new:
        try:
            os.link(unfinished, path)  # unlike a rename, it replaces nothing
        except FileExistsError:
            raise HoadError(f"{path}: exists: another program has written it meanwhile") from None
        except OSError:  # a disk without links
            if os.path.lexists(path):
                raise HoadError(f"{path}: exists; choose another name") from None
        else:
            unfinished.unlink()
            return
    _refuse_other_kind(path, unfinished)
    unfinished.replace(path)


def _lock(descriptor: int) -> bool:
    """Lock an open file; return whether no other program holds the lock or removed the file."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(descriptor).st_nlink > 0


def require_present(*paths: Path) -> None:
    """Refuse, before anything is imported to read it, a file that is not there: a HoadError."""
    for path in paths:
        if not path.exists():
            raise HoadError(f"{path}: cannot read this file: {os.strerror(errno.ENOENT)}")


def check_target(path: Path, endings: tuple[str, ...], may_exist: bool = False) -> None:
    """Refuse, before any work, a file to write with another ending, or that exists: a HoadError."""
    if not path.name.endswith(endings):
        raise HoadError(f"{path}: expected a name that ends in {' or '.join(endings)}")
    if os.path.lexists(path) and not may_exist:
        raise HoadError(f"{path}: exists; remove it or choose another name")


def write_file(path: Path, content: bytes, new: bool = False) -> None:
    """Write a whole file as :func:`write_atomically` does."""
    with write_atomically(path, new) as file:
        file.write(content)


@contextmanager
def only_writer(folder: Path, lock: str = "writer.lock", wait: bool = False) -> Iterator[None]:
    """Lock a folder, so that no other program that asks for the lock writes to it.

    It raises a HoadError if another program holds the lock, or the folder cannot be locked. With
    ``wait`` it says so in a line and waits for the other program. The lock is a file, which is
    there while it is held; its content, if it is anybody's, stays.
    """
    path = folder / lock
    try:
        descriptor = _wait_for_lock(path) if wait else _take_lock(path)
    except BlockingIOError as error:
        message = "another program is writing there; wait until it is done"
        raise HoadError(f"{folder}: {message}") from error
    except OSError as error:
        raise HoadError(f"{folder}: cannot write there: {describe(error)}") from error
    try:
        yield
    finally:  # closing it, which the system does for a killed program, releases the lock
        with suppress(OSError):
            if not os.fstat(descriptor).st_size:
                path.unlink()
        os.close(descriptor)


def _wait_for_lock(path: Path) -> int:
    with suppress(BlockingIOError):
        return _take_lock(path)
    print(f"{path}: waiting for another program, which holds it", file=sys.stderr, flush=True)
    while True:
        with suppress(BlockingIOError):
            return _take_lock(path)
        time.sleep(_SECONDS_TO_LOOK)


def _take_lock(path: Path) -> int:
    """Return an open and locked file; a BlockingIOError if another program has locked it."""
    while True:
        descriptor = open_regular(path, os.O_RDWR | os.O_CREAT)
        if _lock(descriptor):
            return descriptor
        has_name = os.fstat(descriptor).st_nlink > 0
        os.close(descriptor)
        if has_name:
            raise BlockingIOError  # else the program that held it has just ended


def open_regular(path: Path, flags: int) -> int:
    """Open a file as :func:`os.open` does, but no link, pipe or device: a HoadError.

    A new file can be read and written by whom the user's mask allows.
    """
    try:
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise HoadError(f"{path}: a link or a pipe, expected a file; remove it") from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise HoadError(f"{path}: not a regular file; remove it")
    return descriptor


def refuse_pipe(path: Path) -> None:
    """Refuse to read a pipe, a device or a socket, which may never end: a HoadError.

    It raises an OSError if there is nothing at ``path``.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise HoadError(f"{path}: not a regular file; give a file")


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, where they are missing; a HoadError if that fails."""
    with reporting(folder, "cannot make this folder"):
        folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def folder_for(folder: Path | None) -> Iterator[None]:
    """Make a folder for what the body writes, if one is given; one that is new and empty goes.

    It raises a HoadError if the folder cannot be made, or if another program writes a report there.
    """
    if folder is None:
        yield
        return
    is_new = not folder.is_dir()
    make_folder(folder)
    try:
        with only_writer(folder, "report.lock"):
            yield
    finally:
        if is_new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


@contextmanager
def reporting(path: Path, problem: str = "cannot read this file") -> Iterator[None]:
    """Turn an OSError of the body into a HoadError, such as ``PATH: PROBLEM: Is a directory``."""
    try:
        yield
    except OSError as error:
        raise HoadError(f"{path}: {problem}: {describe(error)}") from error


def describe(error: OSError) -> str:
    """Return the system's message, e.g. ``No space left on device``."""
    return error.strerror or str(error)


def what_it_is(path: Path) -> str:
    """Return in words what a file holds instead of what it should; empty if that is not known."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return ""
    if not head:
        return "empty, perhaps cut short"
    if head.startswith(b"version https://git-lfs.github.com/"):
        return "a pointer of Git LFS, not the file itself (git lfs pull fetches it)"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "a text in UTF-16; save it as UTF-8"
    return ""


def read_json(path: Path) -> Any:
    """Read a file that holds one JSON value; a HoadError if it cannot be read or is not JSON."""
    with reporting(path):
        refuse_pipe(path)
        content = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        return from_json(content)
    except ValueError as error:
        what = what_it_is(path) or one_line(str(error))
        raise HoadError(f"{path}: not a JSON file ({what}); restore it from its source") from error


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
        SyntaxError,  # of numpy: a type such as "(1,"
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        kind = f" ({is_it})" if (is_it := what_it_is(path)) else ""
        raise HoadError(f"{path}: not {what}{kind}; {remedy}") from error


def one_line(text: str, limit: int = 300) -> str:
    """Return text with control characters escaped; the middle of a long text is left out."""
    if len(text) > limit:
        text = f"{text[: limit // 2]} ... {text[-limit // 2 :]}"
    return printable(text)


def printable(text: str) -> str:
    """Return text with control characters escaped: a terminal would carry them out."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _refuse_other_kind(path: Path, unfinished: Path) -> None:
    """Raise a HoadError if ``path`` has content of another kind than the file to replace it."""
    if not path.exists():
        return
    if not path.is_file():
        raise HoadError(f"{path}: not a regular file; choose another name")
    old, new = _kind(path), _kind(unfinished)
    if old and old != new:
        raise HoadError(
            f"{path}: is {old}, and {new or 'an empty file'} would replace it; choose another "
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
