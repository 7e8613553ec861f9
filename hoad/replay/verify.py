"""Verification of files: every game is replayed, and every faulty game is reported."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, replace
from itertools import islice
from operator import add
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.files import PARTS
from hoad.game.log import logs_of
from hoad.replay.check import Fault, check_games
from hoad.replay.dataset import find_faults, read_unchecked
from hoad.replay.formats.jsonl import Record, is_json_lines, read_lines, validate

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
    parts = path if is_folder else path.with_name(f"{path.name}{PARTS}")
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
