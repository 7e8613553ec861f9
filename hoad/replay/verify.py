"""Verification and repair of files: every game is replayed, and every faulty game is reported.

A damaged block of a recording is removed, and ``--resume`` plays it again. The readable and legal
games of any other damaged file are written to a new file in the same folder.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from io import BytesIO
from itertools import islice
from operator import add
from pathlib import Path
from typing import Any, Final

import h5py
import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import only_writer, reporting
from hoad.game.log import GameLogs, find_wrong_decks, logs_of, replay
from hoad.game.state import MAX_TURNS
from hoad.replay.check import Fault, Notes, check_games
from hoad.replay.dataset import (
    ARRAYS,
    MOST_DEFLATED,
    READ_ERRORS,
    Dataset,
    find_faults,
    read_unchecked,
    stored_array,
    write_dataset,
)
from hoad.replay.formats.jsonl import Record, is_json_lines, read_lines, read_notes, validate
from hoad.replay.metadata import is_intact, load_metadata
from hoad.replay.recipe import PARTS, parts_of

_BATCH: Final = 2_000  # lines that are read and checked at a time

Say = Callable[[str], None]


@dataclass(frozen=True)
class Verification:
    """Counts of verified games."""

    # Games read. An unreadable file, or the unreadable rest of a file, counts as one
    games: int = 0
    verified: int = 0  # Games without a fault
    failed: int = 0  # Games with a fault
    # Turns of verified games with observations that fit a recorded hash
    observations_checked: int = 0

    def __add__(self, other: "Verification") -> "Verification":
        """Return the sums."""
        return Verification(*map(add, astuple(self), astuple(other)))


_UNREADABLE: Final = Verification(games=1, failed=1)


def verify_files(paths: Iterable[Path], say: Say) -> Verification:
    """Check everything that JSON Lines and HDF5 files say about their games.

    ``say`` is called with one line for each faulty game and each unreadable file.
    """
    total = Verification()
    for path in paths:
        verify = _verify_json_lines if is_json_lines(path) else _verify_hdf5
        total += verify(path, say)
    return total


def with_blocks(path: Path) -> list[Path]:
    """Return a file, if it exists, and its blocks; ``path`` is the file or the blocks' folder."""
    is_folder = path.name.endswith(PARTS)
    if path.is_dir() != is_folder:
        return [path]
    parts = path if is_folder else parts_of(path)
    blocks = sorted(parts.glob("*.h5"))
    return blocks if is_folder or (blocks and not path.exists()) else [path, *blocks]


def _verify_hdf5(path: Path, say: Say) -> Verification:
    try:
        dataset = read_unchecked(path)
    except HoadError as error:
        say(str(error))
        return _UNREADABLE
    faults = {fault.game: fault for fault in find_faults(dataset)}
    for fault in faults.values():
        say(f"{path}: {fault}")
    logs = dataset.logs
    hashed = (game for game, note in enumerate(dataset.notes) if "obs_sha1" in note)
    turns = sum(len(logs.actions_of(game)) for game in hashed if game not in faults)
    return Verification(len(logs), len(logs) - len(faults), len(faults), turns)


def _verify_json_lines(path: Path, say: Say) -> Verification:
    total, lines = Verification(), enumerate(read_lines(path))
    while True:
        batch: list[tuple[int, bytes]] = []
        try:
            batch.extend(islice(lines, _BATCH))
        except HoadError as error:
            say(str(error))
            return total + _verify_lines(path, batch, say) + _UNREADABLE
        if not batch and not total.games:
            say(f"{path}: no games")
            return _UNREADABLE
        if not batch:
            return total
        total += _verify_lines(path, batch, say)


def _verify_lines(path: Path, lines: list[tuple[int, bytes]], say: Say) -> Verification:
    """Check lines, which are given with their numbers (from 0)."""
    records: dict[int, Record] = {}
    faults: dict[int, str] = {}
    for number, line in lines:
        try:
            records[number] = validate(Record, line)
        except HoadError as error:
            faults[number] = f"game {number}: {error}"
    faults |= {fault.game: str(fault) for fault in _find_faults(records)}
    for number, fault in sorted(faults.items()):
        say(f"{path}: line {number + 1}, {fault}")
    hashed = (record for n, record in records.items() if record.obs_sha1 and n not in faults)
    turns = sum(len(record.actions) for record in hashed)
    return Verification(len(lines), len(lines) - len(faults), len(faults), turns)


def _find_faults(records: dict[int, Record]) -> Iterator[Fault]:
    """Check games, given by their numbers; games of the same number of players together."""
    for players in sorted({len(record.players) for record in records.values()}):
        numbers = [n for n, record in records.items() if len(record.players) == players]
        group = [records[number] for number in numbers]
        logs = logs_of(players, [r.deck for r in group], [r.actions for r in group])
        for fault in check_games(logs, [record.notes for record in group])[1]:
            yield replace(fault, game=numbers[fault.game])


_END_OF_FILE: Final = slice(28, 36)  # bytes with the file's length, in HDF5's superblock 3

_INVALID: Final = frozenset({"first_game", "recipe"})
"""Metadata that are wrong once games are missing."""


@dataclass(frozen=True)
class _Partial:
    """An array that is read as far as possible: 0 in each row that is not ``known`` (bool)."""

    rows: np.ndarray
    known: np.ndarray


def repair(path: Path) -> str:
    """Repair a damaged file or block; return one line that says what was done.

    Raises:
        HoadError: The file is not HDF5, or no game can be saved; another program is writing
            there; the repaired file exists or cannot be written.
    """
    if is_json_lines(path):
        raise HoadError(f"{path}: only HDF5 files are repaired; remove the reported lines")
    if path.parent.name.endswith(PARTS):
        with only_writer(path.parent), reporting(path, "cannot remove this block"):
            path.unlink()
        return f"{path}: removed; play its games again with `record.py play ... --resume`"
    target = path.with_name(f"{path.stem}.repaired{path.suffix}")
    if target.exists():
        raise HoadError(f"{target}: exists; remove or rename it to repair {path} again")
    saved, intact = _salvage(path)
    write_dataset(target, saved, new=True)
    games, lost = len(saved.logs), saved.metadata["lost_games"]
    warning = "" if intact else "; its metadata are damaged, see `record.py info`"
    return f"{path}: {games:,} of {games + lost:,} games saved to {target}, {lost:,} lost{warning}"


def _salvage(path: Path) -> tuple[Dataset, bool]:
    """Return the games that can be saved, and whether the metadata are intact."""
    with reporting(path):
        stored = path.read_bytes()
    try:
        content = _padded(stored)
        with h5py.File(content, "r") as file:
            metadata = load_metadata(file)
            _refuse_too_many(metadata, len(content.getbuffer()))
            saved = _collect(file, metadata)
            if len(saved.logs):
                return saved, is_intact(file, metadata)
    except (*READ_ERRORS, HoadError) as error:
        raise HoadError(f"{path}: cannot be repaired: {error}".splitlines()[0]) from error
    raise HoadError(f"{path}: cannot be repaired: no game is left; record it again")


def _padded(content: bytes) -> BytesIO:
    """Return a file's content, extended to its original length.

    HDF5 does not open a file that is cut short. The zeros at its end are not valid compressed
    data, so they are not read as games.
    """
    missing = int.from_bytes(content[_END_OF_FILE], "little") - len(content)
    return BytesIO(content + bytes(missing if 0 < missing < 2**32 else 0))


def _collect(file: h5py.File, metadata: dict[str, Any]) -> Dataset:
    """Return the games that can be read completely and that are legal."""
    games, turns = int(metadata["total_episodes"]), int(metadata["total_steps"])
    decks = _read(file, "decks", games)
    actions = _read(file, "actions", turns)
    offsets = _read(file, "offsets", games + 1)
    if "recipe" in metadata:  # HOAD's own recordings: all games are complete
        _complete_offsets(offsets, int(metadata["players"]), decks, actions)
    pairing = _read(file, "pairing", games)
    outcomes = {name: _read(file, name, games) for name in ("scores", "lives")}
    notes, noted = _read_notes(file, games)
    one_pairing = len(metadata["agents"]) == 1
    paired = one_pairing | (pairing.known & (pairing.rows < len(metadata["agents"])))
    readable = decks.known & noted & paired & _whole_games(offsets, actions)
    chosen = np.flatnonzero(readable)
    logs = GameLogs(metadata["players"], decks.rows, actions.rows, offsets.rows).select(chosen)
    facts, faults = check_games(logs, [notes[game] for game in chosen] if notes else ())
    right = np.ones(len(chosen), bool)
    right[[fault.game for fault in faults]] = False
    for name, stored in outcomes.items():
        right &= ~stored.known[chosen] | (stored.rows[chosen] == getattr(facts, name))
    return Dataset(
        logs.select(np.flatnonzero(right)),
        metadata["agents"],
        pairing.rows[chosen][right],
        facts.scores[right],
        facts.lives[right],
        tuple(notes[game] for game in chosen[right]) if notes else (),
        {key: value for key, value in metadata.items() if key not in _INVALID}
        | {"lost_games": games - int(right.sum())},
    )


def _refuse_too_many(metadata: dict[str, Any], size: int) -> None:
    """Raise a ValueError for more games or turns than a file of this size can hold."""
    for name in ("total_episodes", "total_steps"):
        if not 0 <= int(metadata[name]) <= MOST_DEFLATED * size:
            raise ValueError(f"{name} is {metadata[name]}")


def _read(file: h5py.File, name: str, length: int) -> _Partial:
    """Read an array chunk by chunk."""
    dtype, row = ARRAYS.get(name, (np.uint8, ()))  # notes are bytes
    partial = _Partial(np.zeros((length, *row), dtype), np.zeros(length, bool))
    with suppress(*READ_ERRORS):
        data = stored_array(file, name)
        step = data.chunks[0]
        for start in range(0, length, step):
            rows = slice(start, start + step)
            with suppress(*READ_ERRORS):
                place = (start, *(0 for _ in data.shape[1:]))
                if data.id.get_chunk_info_by_coord(place).byte_offset is not None:
                    partial.rows[rows] = data[rows]
                    partial.known[rows] = True
    return partial


def _complete_offsets(offsets: _Partial, players: int, decks: _Partial, actions: _Partial) -> None:
    """Find unknown ends of games, which a cut file loses first, by replaying the games.

    A game with a known beginning, deck and actions is played until it is over.
    """
    if not offsets.known.any():
        offsets.known[0] = True  # the first game begins with the first action
    unreadable = np.append(np.flatnonzero(~actions.known), len(actions.rows))
    for game in np.flatnonzero(~offsets.known[1:]).tolist():
        if not (offsets.known[game] and decks.known[game]):
            continue
        start = int(offsets.rows[game])
        if not 0 <= start <= len(actions.rows):
            continue
        end = min(start + MAX_TURNS, int(unreadable[np.searchsorted(unreadable, start)]))
        bounds = np.array([0, end - start])
        logs = GameLogs(players, decks.rows[[game]], actions.rows[start:end], bounds)
        if find_wrong_decks(logs)[0]:  # is left out as any game with such a deck
            continue
        outcome = replay(logs)
        if outcome.over[0]:
            after = int(outcome.illegal_turn[0])  # the next game's first action
            offsets.rows[game + 1] = start + after if after >= 0 else end
            offsets.known[game + 1] = True


def _whole_games(offsets: _Partial, actions: _Partial) -> np.ndarray:
    """Return for each game whether its bounds are valid and all its actions are known."""
    turns = len(actions.rows)
    starts, ends = offsets.rows[:-1], offsets.rows[1:]
    sound = offsets.known[:-1] & offsets.known[1:]
    sound &= (starts >= 0) & (starts <= ends) & (ends <= turns)
    unknown_before = np.concatenate([[0], np.cumsum(~actions.known)])
    bounds = np.where(sound, starts, 0), np.where(sound, ends, 0)
    return sound & (unknown_before[bounds[0]] == unknown_before[bounds[1]])


def _read_notes(file: h5py.File, games: int) -> tuple[list[Notes], np.ndarray]:
    """Return the notes (none if the file has none), and for each game whether they are known.

    Lines are counted from both ends, so the lines before and after a damaged part are known.
    """
    if "notes" not in file:
        return [], np.ones(games, bool)
    try:
        length = len(stored_array(file, "notes"))
        if length > MOST_DEFLATED * file.id.get_filesize():
            raise ValueError("the notes are larger than such a file can hold")
    except ValueError:
        return [], np.zeros(games, bool)
    partial = _read(file, "notes", length)
    gaps = np.flatnonzero(~partial.known)
    notes: list[Notes] = [{} for _ in range(games)]
    known = np.zeros(games, bool)
    content = partial.rows.tobytes()
    head, tail = content.split(b"\n"), list[bytes]()
    if len(gaps):
        head = content[: gaps[0]].split(b"\n")[:-1]
        tail = content[gaps[-1] + 1 :].split(b"\n")[1:]
    for first, lines in ((0, head), (games - len(tail), tail)):
        for game, line in enumerate(lines, first):
            with suppress(ValueError, IndexError):
                notes[game] = read_notes(line)
                known[game] = True
    return notes, known
