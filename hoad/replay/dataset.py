"""Games in HDF5: one file for each agent in self-play, or for each pairing of agents.

The schema is documented in ``datasets/README.md``. A file appears when it is complete, and every
game is replayed under the rules before it is written.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import h5py
import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import refuse_pipe, reporting, what_it_is, write_atomically
from hoad.game.log import GameLogs
from hoad.replay.check import Fault, Notes, check_games
from hoad.replay.formats.jsonl import read_notes
from hoad.replay.metadata import (
    FORMAT,
    VERSION,
    Metadata,
    finish_metadata,
    is_intact,
    load_metadata,
    start_metadata,
    to_python,
    totals,
)

ARRAYS: Final[dict[str, tuple[type, tuple[int, ...]]]] = {
    "decks": (np.uint8, (50,)),
    "actions": (np.uint8, ()),
    "offsets": (np.int64, ()),
    "scores": (np.uint8, ()),
    "lives": (np.uint8, ()),
    "pairing": (np.uint16, ()),
}
"""Type and shape of one row of each array of a file."""

_COMPRESSED: Final = {"compression": "gzip", "compression_opts": 4, "fletcher32": True}
_MAX_PAIRINGS: Final = 2**16  # the indices of pairings are stored as uint16

_LAYOUT: Final = ("v110", "v110")
"""HDF5's layout of 2016, the first that checksums everything but texts of variable length."""

_CHUNK_GAMES: Final = 1_024
_CHUNK_BYTES: Final = 65_536  # either way, a damaged chunk costs about a thousand games

READ_ERRORS: Final = (OSError, KeyError, ValueError, TypeError, RuntimeError, MemoryError)
"""What h5py and numpy raise when they read a damaged file."""

_FILTERS: Final = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}

MOST_DEFLATED: Final = 1_032
"""Deflate makes no more bytes of one (zlib's documentation, "Maximum Compression Factor")."""

Names = tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Dataset:
    """Recorded games.

    Attributes:
        pairings: Names of the agents by seat, for each pairing that occurs.
        pairing: Index of each game's pairing, uint16, shape ``(games,)``.
        scores: Cards on the fireworks (lenient score), uint8, shape ``(games,)``.
        lives: Lives left, uint8, shape ``(games,)``.
        notes: What else an imported log says about each game; empty for recorded games.
        metadata: What made the games; if read from a file, all attributes of the file.
    """

    logs: GameLogs
    pairings: tuple[Names, ...]
    pairing: np.ndarray
    scores: np.ndarray
    lives: np.ndarray
    notes: tuple[Notes, ...]
    metadata: Metadata

    def __repr__(self) -> str:
        pairings = [" and ".join(names) for names in self.pairings[:1]]
        if len(self.pairings) > 1:
            pairings = [f"{len(self.pairings):,} pairings"]
        return f"<Dataset: {len(self.logs):,} games of {pairings[0] if pairings else 'no agents'}>"

    @property
    def agents(self) -> Names:
        """Names of the agents by seat; a HoadError if there are several pairings."""
        if len(self.pairings) != 1:
            raise HoadError(f"games of {len(self.pairings)} pairings, expected one pairing")
        return self.pairings[0]

    @property
    def names(self) -> np.ndarray:
        """Name of the agent in each seat of each game, str, shape ``(games, players)``."""
        return np.array(self.pairings).reshape(-1, self.logs.players)[self.pairing]


def make_dataset(
    logs: GameLogs,
    players: Sequence[Names],
    metadata: Metadata,
    source: object,
    notes: Sequence[Notes] = (),
) -> Dataset:
    """Check games and add their outcomes.

    Args:
        logs: The games.
        players: Names of the agents by seat, for each game; or one entry for all games.
        metadata: What made the games (``seed``, ``first_game``; or ``source``).
        source: Where the games come from, for error messages.
        notes: One for each game, or none.

    Raises:
        HoadError: A game breaks the rules or contradicts its notes (source, game and turn are
            named); there are more than 65,536 pairings.
    """
    outcomes, faults = check_games(logs, notes)
    if faults:
        raise HoadError(f"{source}: {faults[0]}; remove this game or correct it")
    pairings = tuple(dict.fromkeys(players))
    if len(pairings) > _MAX_PAIRINGS:
        raise HoadError(
            f"{source}: {len(pairings):,} pairings of agents, expected at most "
            f"{_MAX_PAIRINGS:,}; split the games by their players"
        )
    pairing = np.zeros(len(logs), np.uint16)
    if len(pairings) > 1:
        index = {names: number for number, names in enumerate(pairings)}
        pairing[:] = [index[names] for names in players]
    scores, lives = outcomes.scores, outcomes.lives
    return Dataset(logs, pairings, pairing, scores, lives, tuple(notes), dict(metadata))


def write_dataset(path: str | Path, dataset: Dataset, new: bool = False) -> None:
    """Write a dataset to a file that is complete or absent (raises what `write_blocks` raises)."""
    write_blocks(Path(path), [dataset], dataset.metadata, new)


def write_blocks(
    path: Path, blocks: Iterable[Dataset], metadata: Metadata, new: bool = False
) -> None:
    """Write the games of all blocks, in order, to a file that is complete or absent (a HoadError).

    With ``new`` it replaces no other file (:func:`hoad.core.files.write_atomically`).

    There is at least one block; all have the same pairings, and their own metadata are not written.
    Memory holds one block and the compressed file.
    """
    buffer = io.BytesIO()  # in memory first: HDF5 does not recover from a full disk
    with h5py.File(buffer, "w", libver=_LAYOUT) as file:
        for number, block in enumerate(blocks):
            if number == 0:  # metadata come first, so that a file that is cut short has them
                start_metadata(file, block.pairings, metadata)
            _append(file, block)
            file.flush()  # writes the headers of the arrays as well
        finish_metadata(file)
    with write_atomically(path, new) as target:
        target.write(buffer.getbuffer())


def read_dataset(path: str | Path) -> Dataset:
    """Read a dataset and replay every game.

    Raises:
        HoadError: as :func:`read_unchecked`, or a game breaks the rules (game and turn are named).
    """
    dataset = read_unchecked(path)
    if faults := find_faults(dataset):
        raise HoadError(f"{path}: {faults[0]}; restore this file or record it again")
    return dataset


def read_unchecked(path: str | Path) -> Dataset:
    """Read a dataset, not replayed; a HoadError if missing, foreign, damaged or another version."""
    with _reading(Path(path)) as file:
        metadata = _intact_metadata(file)
        stored = _stored_arrays(file, Path(path).stat().st_size)
        arrays = {name: stored[name][...] for name in ARRAYS}
        lines = stored["notes"][...].tobytes().decode().split("\n") if "notes" in stored else []
        dataset = Dataset(
            GameLogs(metadata["players"], arrays["decks"], arrays["actions"], arrays["offsets"]),
            metadata["agents"],
            arrays["pairing"],
            arrays["scores"],
            arrays["lives"],
            tuple(map(read_notes, lines)),
            metadata,
        )
        _check_consistency(dataset, arrays)
    return dataset


def read_metadata(path: str | Path) -> dict[str, Any]:
    """Read the metadata only (raises what `read_unchecked` raises)."""
    with _reading(Path(path)) as file:
        return _intact_metadata(file)


def find_faults(dataset: Dataset) -> list[Fault]:
    """Replay a dataset's games; return the first fault of each faulty game."""
    outcomes, by_replay = check_games(dataset.logs, dataset.notes)
    faults = {fault.game: fault for fault in by_replay}
    for name, stored, fact in (
        ("score", dataset.scores, outcomes.scores),
        ("lives", dataset.lives, outcomes.lives),
    ):
        for game in np.flatnonzero(stored != fact).tolist():
            what = f"{name} is {stored[game]} in the log, {fact[game]} by the rules"
            faults.setdefault(game, Fault(game, None, what))
    return sorted(faults.values(), key=lambda fault: fault.game)


def _stored_arrays(file: h5py.File, size: int) -> dict[str, h5py.Dataset]:
    """Return the arrays of an open file of ``size`` bytes; ``notes`` are among them if it has any.

    It raises a ValueError as :func:`stored_array`, or if such a file cannot hold so much.
    """
    names = [*ARRAYS, *({"notes"} & set(file.keys()))]
    arrays = {name: stored_array(file, name) for name in names}
    if sum(array.nbytes for array in arrays.values()) > MOST_DEFLATED * size:
        raise ValueError("the arrays are larger than such a file can hold")
    return arrays


def stored_array(file: h5py.File, name: str) -> h5py.Dataset:
    """Return an array of an open file, which is not read yet; no other file is opened.

    Raises:
        ValueError: it is missing, a link, not stored in the file, or has another type or shape
            than `ARRAYS` has.
    """
    dtype, row = ARRAYS.get(name, (np.uint8, ()))  # notes are bytes
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        raise ValueError(f"{name} is missing, or a link to another place")
    array = file[name]
    if not isinstance(array, h5py.Dataset) or not _is_stored_here(array):
        raise ValueError(f"{name} is no array that is stored in this file")
    if array.dtype != dtype or array.ndim == 0 or array.shape[1:] != row:
        raise ValueError(f"{name} has the type {array.dtype} and shape {array.shape}")
    return array


def _is_stored_here(array: h5py.Dataset) -> bool:
    """Return whether an array's bytes are in its file, packed at most once."""
    storage = array.id.get_create_plist()
    filters = [storage.get_filter(index)[0] for index in range(storage.get_nfilters())]
    packed_once = set(filters) <= _FILTERS and len(filters) == len(set(filters))
    return not array.is_virtual and not storage.get_external_count() and packed_once


def _append(file: h5py.File, block: Dataset) -> None:
    """Add a block's games to the arrays; the first block creates them."""
    logs = block.logs
    first = "decks" not in file
    turns = 0 if first else len(file["actions"])
    arrays = {
        "decks": logs.decks,
        "actions": logs.actions,
        "offsets": (logs.offsets if first else logs.offsets[1:]) + turns,
        "scores": block.scores,
        "lives": block.lives,
        "pairing": block.pairing,
    }
    if block.notes:
        lines = ["" if first else "\n", "\n".join(map(json.dumps, block.notes))]
        arrays["notes"] = np.frombuffer("".join(lines).encode(), np.uint8)
    for name, data in arrays.items():
        if not first:
            end = len(file[name])
            file[name].resize(end + len(data), axis=0)
            file[name][end:] = data
            continue
        row = data.shape[1:]
        rows = _CHUNK_BYTES if name in ("actions", "notes") else _CHUNK_GAMES
        options = {"maxshape": (None, *row), "chunks": (rows, *row), **_COMPRESSED}
        file.create_dataset(name, data=data, shuffle=data.itemsize > 1, **options)


@contextmanager
def _reading(path: Path) -> Iterator[h5py.File]:
    """Open a file; an error that its damaged content causes names the file."""
    with _open(path) as file:
        try:
            yield file
        except READ_ERRORS as error:
            what = (str(error) or type(error).__name__).splitlines()[0]
            raise HoadError(
                f"{path}: damaged ({what}); restore this file or record it again"
            ) from error


def _open(path: Path) -> h5py.File:
    """Open a file of this format and version."""
    with reporting(path):
        refuse_pipe(path)
        path.open("rb").close()
    try:
        file = h5py.File(path, "r")
        header = [str(to_python(file.attrs.get(key))) for key in ("format", "version")]
    except READ_ERRORS as error:
        if isinstance(error, BlockingIOError) or "already open for write" in str(error):
            raise HoadError(
                f"{path}: another program has the file open for writing, or was killed while it "
                "had; wait, or save its games with `record.py verify --repair`"
            ) from error
        what = what_it_is(path) or "not an HDF5 file, or cut short"
        raise HoadError(f"{path}: {what}; restore it or record it again") from error
    if header == [FORMAT, str(VERSION)]:
        return file
    file.close()
    if header[0] != FORMAT:
        raise HoadError(f"{path}: an HDF5 file, but not one with games that HOAD wrote")
    newer = header[1].isdigit() and int(header[1]) > VERSION
    raise HoadError(
        f"{path}: format version {header[1]}, but this HOAD reads version {VERSION}; "
        + ("update HOAD" if newer else "record it again, or read it with the HOAD that wrote it")
    )


def _intact_metadata(file: h5py.File) -> dict[str, Any]:
    metadata = load_metadata(file)
    if not is_intact(file, metadata):
        raise ValueError("the attributes do not fit their checksum")
    return metadata


def _check_consistency(dataset: Dataset, arrays: Mapping[str, np.ndarray]) -> None:
    """Raise a ValueError that names what has the wrong type, shape or sum."""
    games, turns = len(arrays["decks"]), len(arrays["actions"])
    lengths = {"actions": turns, "offsets": games + 1}
    fits = {
        name: arrays[name].dtype == dtype and arrays[name].shape == (lengths.get(name, games), *row)
        for name, (dtype, row) in ARRAYS.items()
    }
    if all(fits.values()):
        offsets, players = dataset.logs.offsets, dataset.logs.players
        facts = totals(turns, dataset.scores, dataset.lives)
        ends = (offsets[0], offsets[-1])
        fits = {
            "pairing": bool((dataset.pairing < len(dataset.pairings)).all()),
            "offsets": ends == (0, turns) and bool((np.diff(offsets) >= 0).all()),
            "notes": len(dataset.notes) in (0, games) and _notes_fit(dataset),
            "players": {*map(len, dataset.pairings)} == {players} and 2 <= players <= 5,
            **{name: dataset.metadata[name] == fact for name, fact in facts.items()},
        }
    wrong = [name for name, fit in fits.items() if not fit]
    if wrong:
        raise ValueError(f"{' and '.join(wrong)} do not fit the rest")


def _notes_fit(dataset: Dataset) -> bool:
    """Return whether notes of each turn are as many as there are turns."""
    turns = np.diff(dataset.logs.offsets).tolist()
    return all(
        len(note[key]) == length
        for note, length in zip(dataset.notes, turns, strict=False)
        for key in ("slots", "rule")
        if key in note
    )
