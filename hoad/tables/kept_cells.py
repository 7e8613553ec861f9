"""Cells of a table: the games of one player with one partner, each kept as a file.

The file is ``[KNOWS/]PARTNER/PLAYER-DIGEST.npz`` in the table's folder of games, which several
tables may share. The digest is of what the games depend on besides HOAD's own code: the settings of
the table and the fingerprints of partner and player. A fingerprint is the digest of an identity,
which is all that the moves of an agent or a player depend on. A kept cell is not played again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.agents.player import Beliefs
from hoad.core.digest import digest
from hoad.core.files import make_folder, reading_arrays, safe_name, write_arrays
from hoad.players.episodes import Episodes
from hoad.reports.output import plain_json
from hoad.tables.meta_training import MetaTraining
from hoad.tables.scores import Cell

_WHAT: Final = ("the games of a table", "remove it and play them again")
"""What the files hold, and what to do with one that holds something else."""

_BELIEFS: Final = ("means", "of_first_episode", "in_partner", "found", "estimates")


@dataclass(frozen=True)
class KeptCell:
    """A cell with what decides its games.

    Attributes:
        player: its current name (:attr:`Column.current_name`), with the player's fingerprint.
        settings: of the table, and of the partner, as plain values.
        options: digest of the settings of all players (:attr:`Roster.options`).
    """

    player: str
    settings: Mapping[str, Any]
    fingerprint: str
    options: str
    cell: Cell

    @property
    def file(self) -> str:
        """The name of its file."""
        found = digest([dict(sorted(self.settings.items())), self.fingerprint])
        return f"{safe_name(self.player)}-{found}.npz"


def cell_folder(games: Path, knows: str, partner: str) -> Path:
    """Return the folder with all cells of a partner, and of players that know a pool."""
    return games / safe_name(knows) / safe_name(partner)


def save_cell(folder: Path, kept: KeptCell) -> None:
    """Write a cell's file into the folder of its partner, or raise a HoadError and write none."""
    cell, beliefs = kept.cell, kept.cell.beliefs
    about = {
        "player": kept.player,
        "settings": kept.settings,
        "fingerprint": kept.fingerprint,
        "options": kept.options,
        "made_with": cell.made_with,
        "seconds": cell.seconds,
        "hypotheses": beliefs.hypotheses if beliefs else None,
        "trainings": [vars(training) for training in cell.trainings],
    }
    arrays = {"about": np.array(plain_json(about)), "repetitions": cell.repetitions}
    arrays |= vars(cell.episodes)
    if beliefs:
        found = vars(beliefs)
        arrays |= {name: found[name] for name in _BELIEFS if found[name] is not None}
    make_folder(folder)
    write_arrays(folder / kept.file, arrays)


def load_cell(path: Path) -> KeptCell:
    """Read what :func:`save_cell` wrote; a HoadError if the file holds something else."""
    with reading_arrays(path, *_WHAT) as arrays:
        about = json.loads(str(arrays.pop("about")))
        beliefs = None
        if about["hypotheses"] is not None:
            found = {name: arrays[name] for name in _BELIEFS if name in arrays}
            beliefs = Beliefs(tuple(about["hypotheses"]), **found)
        trainings = tuple(MetaTraining(**training) for training in about["trainings"])
        games, made = (_episodes(arrays), arrays["repetitions"]), about["made_with"]
        cell = Cell(*games, made, about["seconds"], beliefs, trainings)
        what = about["player"], about["settings"], about["fingerprint"]
        return KeptCell(*what, about.get("options", ""), cell)  # older files have no options


def _episodes(arrays: Mapping[str, np.ndarray]) -> Episodes:
    """Return the episodes in these arrays; a ValueError or KeyError if they hold none."""
    names = ("lenient", "strict", "seats", "repetitions")
    lenient, strict, seats, repetitions = (arrays[name] for name in names)
    if not lenient.shape == strict.shape == (len(repetitions), len(seats)):
        raise ValueError(f"shapes {lenient.shape}, {strict.shape}")
    return Episodes(lenient, strict, seats)
