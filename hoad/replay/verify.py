"""Verification of whole files: every game is replayed, and every faulty one reported."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.files import PARTS
from hoad.game.log import logs_of
from hoad.replay.check import Fault, judge
from hoad.replay.dataset import find_faults, read_unchecked
from hoad.replay.formats.jsonl import Record, is_json_lines, parse_line, read_lines

_BATCH: Final = 2_000
"""Lines that are read and judged at a time."""

Complain = Callable[[str], None]


@dataclass(frozen=True)
class Verdict:
    """How many games were found in how good a state.

    Attributes:
        games: Games seen. What cannot be read of a file counts as one game.
        verified: Games with which all is well.
        failed: The others.
        observations_checked: Turns of verified games whose observations' hash was recorded.
    """

    games: int = 0
    verified: int = 0
    failed: int = 0
    observations_checked: int = 0

    def __add__(self, other: "Verdict") -> "Verdict":
        """Return the sums."""
        return Verdict(
            self.games + other.games,
            self.verified + other.verified,
            self.failed + other.failed,
            self.observations_checked + other.observations_checked,
        )


def verify_files(paths: Iterable[Path], complain: Complain) -> Verdict:
    """Check everything that JSON Lines and HDF5 files say about their games.

    Args:
        paths: The files.
        complain: Called with one line for each faulty game and each unreadable file.
    """
    total = Verdict()
    for path in paths:
        total += (
            _verify_json_lines(path, complain)
            if is_json_lines(path)
            else _verify_hdf5(path, complain)
        )
    return total


def with_blocks(path: Path) -> list[Path]:
    """Return a file, where it exists, and the blocks of an interrupted recording of it.

    Args:
        path: A file, or the folder of the blocks of one.
    """
    is_folder = path.name.endswith(PARTS)
    if is_folder and not path.is_dir():
        return [path]
    parts = path if is_folder else path.with_name(f"{path.name}{PARTS}")
    blocks = sorted(parts.glob("*.h5"))
    return blocks if is_folder or (blocks and not path.exists()) else [path, *blocks]


def _verify_hdf5(path: Path, complain: Complain) -> Verdict:
    try:
        dataset = read_unchecked(path)
    except HoadError as error:
        complain(str(error))
        return Verdict(games=1, failed=1)
    faults = find_faults(dataset)
    for fault in faults:
        complain(f"{path}: {fault}")
    faulty = {fault.game for fault in faults}
    hashed = [game for game, note in enumerate(dataset.notes) if "obs_sha1" in note]
    return Verdict(
        games=len(dataset.logs),
        verified=len(dataset.logs) - len(faulty),
        failed=len(faulty),
        observations_checked=sum(
            len(dataset.logs.actions_of(game)) for game in hashed if game not in faulty
        ),
    )


def _verify_json_lines(path: Path, complain: Complain) -> Verdict:
    total, lines = Verdict(), enumerate(read_lines(path))
    while True:
        batch: list[tuple[int, bytes]] = []
        try:
            batch.extend(islice(lines, _BATCH))
        except HoadError as error:
            complain(str(error))
            return total + _verify_batch(path, batch, complain) + Verdict(games=1, failed=1)
        if not batch:
            return total
        total += _verify_batch(path, batch, complain)


def _verify_batch(path: Path, lines: list[tuple[int, bytes]], complain: Complain) -> Verdict:
    """Check some lines, given with their numbers (from 0)."""
    records: dict[int, Record] = {}
    complaints: dict[int, str] = {}
    for number, line in lines:
        try:
            records[number] = parse_line(line)
        except HoadError as error:
            complaints[number] = f"game {number}: {error}"
    complaints |= {fault.game: str(fault) for fault in _find_faults(records)}
    for number, complaint in sorted(complaints.items()):
        complain(f"{path}: line {number + 1}, {complaint}")
    return Verdict(
        games=len(lines),
        verified=len(lines) - len(complaints),
        failed=len(complaints),
        observations_checked=sum(
            len(record.actions)
            for number, record in records.items()
            if record.obs_sha1 and number not in complaints
        ),
    )


def _find_faults(records: dict[int, Record]) -> Iterator[Fault]:
    """Judge games by their numbers; those with as many players together."""
    for players in sorted({len(record.players) for record in records.values()}):
        numbers = [n for n, record in records.items() if len(record.players) == players]
        group = [records[number] for number in numbers]
        logs = logs_of(players, [r.deck for r in group], [r.actions for r in group])
        for fault in judge(logs, [record.notes for record in group])[1]:
            yield replace(fault, game=numbers[fault.game])
