"""Rows of ad-hoc tables as older versions kept them: all players with one partner in one file.

The file is ``games/PARTNER.npz`` in the table's folder. It is read and never written.
"""

import json
from pathlib import Path

import numpy as np

from hoad.adhoc.player import Beliefs
from hoad.adhoc.players.kinds.registry import Column
from hoad.core.files import reading_arrays, safe_name
from hoad.evaluation.meta_training import MetaTraining
from hoad.evaluation.tables.kept_cells import WHAT, KeptCell, as_episodes
from hoad.evaluation.tables.scores import Cell


def row_path(games: Path, partner: str) -> Path:
    """Return the path of the row of a partner, which need not exist."""
    return games / (safe_name(partner) + ".npz")


def load_row(path: Path) -> list[KeptCell]:
    """Return the cells of a row; a HoadError if the file cannot be read, or holds something else.

    Its wall time is shared out evenly; its provenance, of several commits, is that of every cell.
    """
    with reading_arrays(path, *WHAT) as arrays:
        about = json.loads(str(arrays.pop("about")))
        training, beliefs = about["training"], about["beliefs"]
        trainings = (MetaTraining(training["card"], training["curves"]),) if training else ()
        players = list(dict.fromkeys(key.rpartition("/")[0] for key in arrays))
        cells = []
        for player in players:
            column = Column.parse(player)
            believed = beliefs if column.word == "bayes-features" else None
            cell = Cell(
                as_episodes(arrays, f"{player}/"),
                arrays[f"{player}/repetitions"],
                about["made_with"],
                about["seconds"] / len(players),
                believed and Beliefs(tuple(believed["hypotheses"]), np.array(believed["means"])),
                trainings if column.plays_own_meta_model else (),
            )
            fingerprint = about["identities"][player]
            cells.append(KeptCell(column.current_name, about["settings"], fingerprint, cell))
        return cells
