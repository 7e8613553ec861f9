"""Saving what is left of damaged files.

A damaged block of a recording is removed, because ``--resume`` plays it again. Of a damaged file
the games that can be read, and that the rules allow, go into a new file beside it.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import h5py
import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import PARTS, describe, only_writer
from hoad.game.log import GameLogs
from hoad.replay.attributes import attributes_are_whole, read_attributes
from hoad.replay.check import Notes, judge
from hoad.replay.dataset import (
    DAMAGE,
    Dataset,
    write_dataset,
)
from hoad.replay.formats.jsonl import is_json_lines

_END_OF_FILE: Final = slice(28, 36)
"""Where HDF5 (superblock 3) says how long the file is."""

_NOT_OF_OLD: Final = frozenset({"first_game", "recipe"})
"""Attributes that are no longer true when games are missing."""


@dataclass(frozen=True)
class _Pieces:
    """An array of which some rows could not be read: they are 0 and not known."""

    rows: np.ndarray
    known: np.ndarray


def repair(path: Path) -> str:
    """Repair a file or block in which something is wrong; return what was done, in one line.

    Raises:
        HoadError: The file is none that HOAD can repair, or nothing is left of it; another
            program is writing there; the file with the rest exists or cannot be written.
    """
    if is_json_lines(path):
        raise HoadError(f"{path}: only HDF5 files are repaired; remove the lines that were named")
    if path.parent.name.endswith(PARTS):
        return _remove_block(path)
    target = path.with_name(f"{path.stem}.repaired{path.suffix}")
    if target.exists():
        raise HoadError(f"{target}: exists; remove it, or move it away, to repair {path} again")
    rest, games, warning = _salvage(path)
    write_dataset(target, rest)
    return (
        f"{path}: {len(rest.logs):,} of {games:,} games saved to {target}, "
        f"{games - len(rest.logs):,} lost{warning}"
    )


def _remove_block(path: Path) -> str:
    with only_writer(path.parent):
        try:
            path.unlink()
        except OSError as error:
            raise HoadError(f"{path}: cannot remove this block: {describe(error)}") from error
    return f"{path}: removed; go on with `record.py play ... --resume` to play its games again"


def _salvage(path: Path) -> tuple[Dataset, int, str]:
    """Return the games that are left, how many there were, and a warning or nothing."""
    try:
        with h5py.File(_padded(path), "r") as file:
            card = read_attributes(file)
            warning = "" if attributes_are_whole(file) else "; its attributes are damaged: see info"
            rest = _collect(file, card)
            if len(rest.logs):
                return rest, int(card["total_episodes"]), warning
    except DAMAGE as error:
        raise HoadError(f"{path}: cannot be repaired: {error}".splitlines()[0]) from error
    raise HoadError(f"{path}: cannot be repaired: not one game is left; record it again")


def _padded(path: Path) -> BytesIO:
    """Return a file's bytes, as many as there once were.

    HDF5 does not open a file that was cut short. Zeros in place of what is missing are no
    compressed data, so nobody takes them for games.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise HoadError(f"{path}: cannot read this file: {describe(error)}") from error
    missing = int.from_bytes(content[_END_OF_FILE], "little") - len(content)
    likely = missing if 0 < missing < 2**32 else 0
    return BytesIO(content + bytes(likely))


def _collect(file: h5py.File, card: dict[str, Any]) -> Dataset:
    """Return the games of which all is known and right."""
    games, turns = int(card["total_episodes"]), int(card["total_steps"])
    decks = _read(file, "decks", games)
    actions = _read(file, "actions", turns)
    offsets = _read(file, "offsets", games + 1)
    pairing = _read(file, "pairing", games)
    outcomes = {name: _read(file, name, games) for name in ("scores", "lives")}
    notes, noted = _read_notes(file, games)
    one_pairing = len(card["agents"]) == 1
    readable = (
        decks.known
        & noted
        & (one_pairing | (pairing.known & (pairing.rows < len(card["agents"]))))
        & _whole_games(offsets, actions)
    )
    chosen = np.flatnonzero(readable)
    logs = GameLogs(card["players"], decks.rows, actions.rows, offsets.rows).select(chosen)
    facts, faults = judge(logs, [notes[game] for game in chosen] if notes else ())
    right = np.ones(len(chosen), bool)
    right[[fault.game for fault in faults]] = False
    for name, stored in outcomes.items():
        right &= ~stored.known[chosen] | (stored.rows[chosen] == getattr(facts, name))
    return Dataset(
        logs.select(np.flatnonzero(right)),
        card["agents"],
        pairing.rows[chosen][right],
        facts.scores[right],
        facts.lives[right],
        tuple(notes[game] for game in chosen[right]) if notes else (),
        {key: value for key, value in card.items() if key not in _NOT_OF_OLD}
        | {"lost_games": games - int(right.sum())},
    )


def _read(file: h5py.File, name: str, length: int) -> _Pieces:
    """Read an array chunk by chunk."""
    shape, kind = {"decks": ((length, 50), np.uint8), "offsets": ((length,), np.int64)}.get(
        name, ((length,), np.uint16 if name == "pairing" else np.uint8)
    )
    pieces = _Pieces(np.zeros(shape, kind), np.zeros(length, bool))
    with suppress(*DAMAGE):
        _read_chunks(file[name], pieces)
    return pieces


def _read_chunks(data: h5py.Dataset, pieces: _Pieces) -> None:
    step = data.chunks[0]
    for start in range(0, len(pieces.rows), step):
        rows = slice(start, start + step)
        with suppress(*DAMAGE):
            place = (start, *(0 for _ in data.shape[1:]))
            if data.id.get_chunk_info_by_coord(place).byte_offset is not None:
                pieces.rows[rows] = data[rows]
                pieces.known[rows] = True


def _whole_games(offsets: _Pieces, actions: _Pieces) -> np.ndarray:
    """Return for each game whether its bounds make sense and all actions between are known."""
    turns = len(actions.rows)
    starts, ends = offsets.rows[:-1], offsets.rows[1:]
    sound = offsets.known[:-1] & offsets.known[1:]
    sound &= (starts >= 0) & (starts <= ends) & (ends <= turns)
    unknown_before = np.concatenate([[0], np.cumsum(~actions.known)])
    bounds = np.where(sound, starts, 0), np.where(sound, ends, 0)
    return sound & (unknown_before[bounds[0]] == unknown_before[bounds[1]])


def _read_notes(file: h5py.File, games: int) -> tuple[list[Notes], np.ndarray]:
    """Return the notes (none at all where the file has none) and of which games they are known.

    Lines are counted from both ends, so those before and after a damaged piece are known.
    """
    if "notes" not in file:
        return [], np.ones(games, bool)
    pieces = _read(file, "notes", len(file["notes"]))
    gaps = np.flatnonzero(~pieces.known)
    notes: list[Notes] = [{} for _ in range(games)]
    known = np.zeros(games, bool)
    content = pieces.rows.tobytes()
    if not len(gaps):
        head, tail = content.split(b"\n"), []
    else:
        head = content[: gaps[0]].split(b"\n")[:-1]
        tail = content[gaps[-1] + 1 :].split(b"\n")[1:]
    for first, lines in ((0, head), (games - len(tail), tail)):
        for game, line in enumerate(lines, first):
            with suppress(ValueError, IndexError):
                notes[game] = json.loads(line)
                known[game] = True
    return notes, known
