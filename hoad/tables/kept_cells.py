"""Cells of a table: the games of one player with one partner, kept in a file.

The file is ``games.sqlite`` in the table's folder of games, which several tables may share; a cell
is the entry ``PLAYER-IDENTITY`` of the folder ``[KNOWS/]PARTNER``. The identity is that of all that
the games depend on besides HOAD's own code: the settings of the table, and the identities of
partner and player. A kept cell is not played again.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.adhoc_player import Beliefs, Episodes
from hoad.core.files import require_present
from hoad.core.identity import identity_of
from hoad.core.kept import Kept, KeptFile
from hoad.reports.output import plain_json
from hoad.tables.meta_training import MetaTraining
from hoad.tables.scores import Cell

_BELIEFS: Final = ("means", "of_first_episode", "in_partner", "found", "estimates")


@dataclass(frozen=True)
class KeptCell:
    """A cell with what decides its games.

    Attributes:
        player: its name in the recipe.
        settings: of the table, and of the partner, as plain values.
        identity: the player's.
        options: identity of the settings of all players (``options`` of the roster).
    """

    player: str
    settings: Mapping[str, Any]
    identity: str
    options: str
    cell: Cell

    @property
    def name(self) -> str:
        """The name of its entry."""
        decisive = identity_of([dict(sorted(self.settings.items())), self.identity])
        return f"{self.player}-{decisive}"


def kept_games(folder: Path) -> KeptFile:
    """Return the file of all cells in a folder of games."""
    return KeptFile(folder / "games.sqlite", "the games of a table")


def join_games(folder: Path, others: Sequence[Path]) -> None:
    """Add the cells that other folders of games keep; those that the folder has stay.

    It raises a HoadError if a folder keeps no games, before any cell is added, or a file cannot be
    read or written.
    """
    require_present(*(kept_games(other).path for other in others))
    for other in others:
        kept = kept_games(other)
        for place in kept.folders():
            kept_games(folder).add(*kept.in_folder(place))


def cell_folder(knows: str, partner: str) -> str:
    """Return the folder, inside of the file, with all cells of a partner and of a pool."""
    return f"{knows}/{partner}" if knows else partner


def save_cell(file: KeptFile, folder: str, kept: KeptCell) -> None:
    """Add a cell to the file, or raise a HoadError and leave the file as it was."""
    cell, beliefs = kept.cell, kept.cell.beliefs
    facts = {
        "player": kept.player,
        "settings": kept.settings,
        "fingerprint": kept.identity,
        "options": kept.options,
        "made_with": cell.made_with,
        "seconds": cell.seconds,
        "hypotheses": beliefs.hypotheses if beliefs else None,
        "trainings": [vars(training) for training in cell.trainings],
    }
    arrays = {"repetitions": cell.repetitions, **vars(cell.episodes)}
    if beliefs:
        arrays |= {name: vars(beliefs)[name] for name in _BELIEFS}
    file.add(Kept(folder, kept.name, json.loads(plain_json(facts)), arrays))


def load_cells(file: KeptFile, folder: str) -> list[KeptCell]:
    """Return the cells that were saved in a folder; a HoadError if the file holds others."""
    try:
        return [_cell(entry) for entry in file.in_folder(folder)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise file.foreign() from error


def _cell(entry: Kept) -> KeptCell:
    facts, arrays = entry.facts, entry.arrays
    beliefs = None
    if facts["hypotheses"] is not None:
        beliefs = Beliefs(tuple(facts["hypotheses"]), **{name: arrays[name] for name in _BELIEFS})
    cell = Cell(
        episodes=_episodes(arrays),
        repetitions=arrays["repetitions"],
        made_with=facts["made_with"],
        seconds=facts["seconds"],
        beliefs=beliefs,
        trainings=tuple(MetaTraining(**training) for training in facts["trainings"]),
    )
    player, settings, options = facts["player"], facts["settings"], facts["options"]
    return KeptCell(player, settings, facts["fingerprint"], options, cell)


def _episodes(arrays: Mapping[str, np.ndarray]) -> Episodes:
    """Return the episodes in these arrays; a ValueError or KeyError if they hold none."""
    names = ("lenient", "strict", "seats", "repetitions")
    lenient, strict, seats, repetitions = (arrays[name] for name in names)
    if not lenient.shape == strict.shape == (len(repetitions), len(seats)):
        raise ValueError(f"shapes {lenient.shape}, {strict.shape}")
    return Episodes(lenient, strict, seats)
