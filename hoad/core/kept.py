"""Results that are kept in one file: each entry is complete or absent, however the writer ends.

The file is an SQLite database, in which several workers may write at a time. Text that many entries
share, such as the settings of a table, is stored once.
"""

import hashlib
import json
import math
import os
import sqlite3
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import describe, make_folder, one_line

_SIGNATURE: Final = b"SQLite format 3\0"
_APPLICATION: Final = 0x484F4144  # "HOAD", which SQLite stores in the file

_SCHEMA: Final = (
    "CREATE TABLE texts (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, json TEXT NOT NULL)",
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, folder TEXT NOT NULL, name TEXT NOT NULL, "
    "arrays BLOB NOT NULL, checksum BLOB NOT NULL, UNIQUE (folder, name))",
    "CREATE TABLE facts (entry INTEGER NOT NULL, key TEXT NOT NULL, text INTEGER NOT NULL, "
    "PRIMARY KEY (entry, key)) WITHOUT ROWID",
)

_LAYOUT: Final = "layout"
"""The fact that says which arrays an entry has: name, type and shape of each."""

_PAGE: Final = 16_384  # bytes; entries of a few kilobytes fill it better than SQLite's 4,096

_PATIENCE: Final = 60.0  # seconds that a writer waits for others
_MOST_BYTES: Final = 2**28  # of the arrays of an entry; a small file may expand to any size

_WRONG: Final = (
    AttributeError,
    KeyError,
    TypeError,
    ValueError,
    MemoryError,
    RecursionError,
    SyntaxError,  # of numpy: a type such as "(1,"
)
"""What reading facts or arrays raises if they are not what was written."""


@dataclass(frozen=True)
class Kept:
    """An entry of a file."""

    folder: str  # what it belongs to, such as the partner of a cell
    name: str  # unique in its folder
    # values that JSON can hold; equal values of several entries are stored once
    facts: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)  # any shapes and plain types


@dataclass(frozen=True)
class KeptFile:
    """A file of entries, which is made when the first is added.

    Every method raises a HoadError, which names the file and the remedy, if it cannot be read or
    written, holds something else, or is damaged.

    Attributes:
        what: the entries, in messages: ``the games of a table``.
    """

    path: Path
    what: str

    def folders(self) -> list[str]:
        """Return the folders that have entries, in alphabetical order."""
        return [row[0] for row in self._rows("SELECT DISTINCT folder FROM entries ORDER BY folder")]

    def names(self, folder: str) -> list[str]:
        """Return the names of a folder's entries, in alphabetical order."""
        query = "SELECT name FROM entries WHERE folder = ? ORDER BY name"
        return [row[0] for row in self._rows(query, folder)]

    def find(self, folder: str, name: str) -> Kept | None:
        """Return an entry, or None if there is none."""
        return next(self._read("WHERE folder = ? AND name = ?", folder, name), None)

    def in_folder(self, folder: str) -> list[Kept]:
        """Return the entries of a folder, by name."""
        return list(self._read("WHERE folder = ? ORDER BY name", folder))

    def add(self, *entries: Kept) -> None:
        """Add entries, all or none; those that the file has stay as they are.

        It returns when they are on disk.
        """
        make_folder(self.path.parent)
        with self._errors():
            _make_empty_file(self.path)
            with closing(self._connect()) as database:
                database.execute(f"PRAGMA page_size = {_PAGE}")  # only where there is nothing yet
                database.execute("BEGIN IMMEDIATE")  # waits for other writers
                if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
                    database.execute(f"PRAGMA application_id = {_APPLICATION}")
                    for statement in _SCHEMA:
                        database.execute(statement)
                self._check(database)
                for entry in entries:
                    _insert(database, entry)
                database.execute("COMMIT")  # else closing undoes all

    def _read(self, where: str, *values: str) -> Iterator[Kept]:
        entries = self._rows(
            f"SELECT id, folder, name, arrays, checksum FROM entries {where}", *values
        )
        facts = self._rows(
            "SELECT entry, key, json FROM facts JOIN texts ON texts.id = text "
            f"WHERE entry IN (SELECT id FROM entries {where}) ORDER BY entry, key",
            *values,
        )
        by_entry: dict[int, dict[str, str]] = {}
        for number, key, text in facts:
            by_entry.setdefault(number, {})[key] = text
        decoded: dict[str, Any] = {}  # by text, because most texts are those of many entries
        for number, folder, name, arrays, checksum in entries:
            texts = by_entry.get(number, {})
            try:
                if _checksum(folder, name, texts, arrays) != checksum:
                    raise ValueError("wrong checksum")
                for text in texts.values():
                    if text not in decoded:
                        decoded[text] = json.loads(text)
                facts_of_entry = {key: decoded[text] for key, text in texts.items()}
                layout = facts_of_entry.pop(_LAYOUT)
                yield Kept(folder, name, facts_of_entry, _unpack(layout, arrays))
            except (*_WRONG, zlib.error) as error:
                raise self._damaged(f"{folder}/{name}: {error}") from error

    def _rows(self, query: str, *values: str) -> list[tuple]:
        if not self.path.exists():
            return []
        with self._errors(), closing(self._connect()) as database:
            if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
                return []  # the writer was killed before it had added an entry
            self._check(database)
            return database.execute(query, values).fetchall()

    def _connect(self) -> sqlite3.Connection:
        for suffix in ("", "-journal", "-wal"):  # SQLite reads all of them
            path = Path(f"{self.path}{suffix}")
            if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
                raise HoadError(f"{path}: not a plain file; give the file itself, or remove this")
        with self.path.open("rb") as file:
            head = file.read(len(_SIGNATURE))
        if head not in (b"", _SIGNATURE):
            raise self.foreign()
        database = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",  # reads only where writing is forbidden
            uri=True,
            timeout=_PATIENCE,
            isolation_level=None,
        )
        database.execute("PRAGMA trusted_schema = OFF")
        return database

    def _check(self, database: sqlite3.Connection) -> None:
        """Refuse a database with anything else in it: a view or a trigger may do what it likes."""
        [application] = database.execute("PRAGMA application_id").fetchone()
        schema = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        if application != _APPLICATION or sorted(sql for [sql] in schema) != sorted(_SCHEMA):
            raise self.foreign()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._failed(describe(error)) from error
        except UnicodeDecodeError as error:  # a message of SQLite quotes the file
            raise self._damaged(str(error)) from error
        except sqlite3.DatabaseError as error:
            # Without a code, text in the file is no UTF-8.
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise self._damaged(str(error)) from error
            busy = code == sqlite3.SQLITE_BUSY
            remedy = "; another program uses it: wait until it is done" if busy else ""
            raise self._failed(f"{error}{remedy}") from error

    def _damaged(self, problem: str) -> HoadError:
        return HoadError(
            f"{self.path}: damaged ({one_line(problem)}); restore it from its source, or remove it "
            f"to make {self.what} again"
        )

    def foreign(self) -> HoadError:
        """Return the error of a file that holds something else, for who finds that in an entry."""
        return HoadError(f"{self.path}: not {self.what}; remove it to make them again")

    def _failed(self, problem: str) -> HoadError:
        return HoadError(f"{self.path}: cannot keep or read {self.what}: {one_line(problem)}")


def _make_empty_file(path: Path) -> None:
    """Make a file that does not exist; never through a link."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_WRONLY, 0o666))


def _insert(database: sqlite3.Connection, entry: Kept) -> None:
    layout = [[name, array.dtype.str, array.shape] for name, array in entry.arrays.items()]
    facts = {**entry.facts, _LAYOUT: layout}
    texts = {key: json.dumps(value, allow_nan=False) for key, value in sorted(facts.items())}
    arrays = zlib.compress(b"".join(array.tobytes() for array in entry.arrays.values()), 9)
    added = database.execute(
        "INSERT OR IGNORE INTO entries (folder, name, arrays, checksum) VALUES (?, ?, ?, ?)",
        (entry.folder, entry.name, arrays, _checksum(entry.folder, entry.name, texts, arrays)),
    )
    if not added.rowcount:
        return
    for key, text in texts.items():
        digest = hashlib.sha256(text.encode()).digest()[:16]
        database.execute("INSERT OR IGNORE INTO texts (digest, json) VALUES (?, ?)", (digest, text))
        database.execute(
            "INSERT INTO facts SELECT ?, ?, id FROM texts WHERE digest = ?",
            (added.lastrowid, key, digest),
        )


def _checksum(folder: str, name: str, texts: Mapping[str, str], arrays: bytes) -> bytes:
    about = json.dumps([folder, name, dict(texts)])
    return hashlib.sha256(about.encode() + b"\0" + arrays).digest()[:16]


def _unpack(layout: Any, content: bytes) -> dict[str, np.ndarray]:
    """Return arrays, which may be written to, in one piece of compressed bytes."""
    unpacking = zlib.decompressobj()
    plain = unpacking.decompress(content, _MOST_BYTES)
    if not unpacking.eof:
        raise ValueError("arrays cut short, or too long")
    arrays, start = {}, 0
    for name, dtype, shape in layout:
        count = math.prod(shape)
        array = np.frombuffer(plain, dtype, count, start).reshape(shape).copy()
        arrays[name] = array
        start += array.nbytes
    return arrays
