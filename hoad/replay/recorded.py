"""Recorded games of two players, with the name of who sat where."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of
from hoad.replay.dataset import make_dataset, read_dataset
from hoad.replay.formats.jsonl import is_json_lines, read_records

_PLAYERS: Final = 2


@dataclass(frozen=True)
class RecordedGames:
    """The games of one file, replayed under the rules.

    Attributes:
        path: the file.
        logs: the games.
        names: recorded agent of each seat, shape ``(games, 2)``, str.
        chromosomes: ``rules:...`` of each game's chromosome, or "" where it has none, str.
    """

    path: Path
    logs: GameLogs
    names: np.ndarray
    chromosomes: np.ndarray


def read_recorded(path: Path) -> RecordedGames:
    """Read a JSON Lines or HDF5 file of two-player games.

    Games that were aborted need not be over; all others are checked to the end.

    Raises:
        HoadError: the file is not sound, holds no games or games of other than two players, or
            one that the rules do not allow (file, game and turn are named).
    """
    games = _read_json_lines(path) if is_json_lines(path) else _read_hdf5(path)
    if not len(games.logs):
        raise HoadError(f"{path}: no games; name a file that has some")
    return games


def _read_json_lines(path: Path) -> RecordedGames:
    records = list(read_records(path))
    for game, record in enumerate(records):
        _demand_two(path, len(record.players), f"game {game} has")
    decks = [record.deck for record in records]
    logs = logs_of(_PLAYERS, decks, [record.actions for record in records])
    notes = [record.notes for record in records]
    names = [tuple(record.players) for record in records]
    make_dataset(logs, names, {}, path, notes)  # replays and checks
    return RecordedGames(path, logs, np.array(names).reshape(-1, 2), _chromosomes(notes, len(logs)))


def _read_hdf5(path: Path) -> RecordedGames:
    dataset = read_dataset(path)
    _demand_two(path, dataset.logs.players, "the games have")
    names = np.array(dataset.pairings)[dataset.pairing]
    return RecordedGames(path, dataset.logs, names, _chromosomes(dataset.notes, len(dataset.logs)))


def _demand_two(path: Path, players: int, who: str) -> None:
    if players != _PLAYERS:
        raise HoadError(
            f"{path}: {who} {players} players, but agents play the two-player game; "
            "leave this file out"
        )


def _chromosomes(notes: list | tuple, games: int) -> np.ndarray:
    """Return the agent that each game's chromosome stands for, or "" where it has none."""
    if not notes:
        return np.full(games, "")
    lists = [note.get("chromosome", ()) for note in notes]
    return np.array([f"rules:{','.join(map(str, rules))}" if rules else "" for rules in lists])
