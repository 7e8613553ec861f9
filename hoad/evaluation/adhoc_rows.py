"""Rows of an ad-hoc table on disk: a table that was stopped goes on, or is made row by row.

A row is the file ``games/PARTNER.npz`` in the recipe's folder, with the scores of all its games.
Whoever trains a meta-model a night, or on several machines, adds a row at a time to one table.
"""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.adhoc.bayes.recorder import Beliefs
from hoad.adhoc.session import Session
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, safe_name, write_atomically
from hoad.evaluation.adhoc_players import PlayerMaker
from hoad.evaluation.adhoc_recipe import AdhocRecipe
from hoad.evaluation.adhoc_table import Cell
from hoad.evaluation.meta_training import SHOTS, MetaTraining, meta_training
from hoad.evaluation.report.output import plain_json

FOLDER: Final = "games"

_SETTINGS: Final = {"source", "seed", "episodes", "games_per_episode"}
"""Keys of a recipe on which all games depend."""

_REMEDY: Final = "remove this file, or choose another folder with --out"


@dataclass
class Row:
    """What is known of a partner.

    Attributes:
        cells: by player.
        made_with: :func:`hoad.core.provenance.provenance` of the last cell; ``commits``: of all.
        settings: what all games of the row depend on.
        identities: digests of what players are made of, by player.
        training: of the row's meta-model, if one plays.
        beliefs: of the adaptive meta-agent, if it plays.
        seconds: wall time of the games, and of all learning for them; where several rows were
            played at a time, each has a share of it.
    """

    cells: dict[str, Cell]
    made_with: dict[str, Any]
    settings: dict[str, Any]
    identities: dict[str, str] = field(default_factory=dict)
    training: MetaTraining | None = None
    beliefs: Beliefs | None = None
    seconds: float = 0.0


def row_path(recipe: AdhocRecipe, partner: str) -> Path:
    """Return where the row of this partner is, or would be."""
    return recipe.out / FOLDER / (safe_name(partner) + ".npz")


def begin_row(recipe: AdhocRecipe, partner: str, made_with: Mapping[str, str | int]) -> Row:
    """Return an empty row, or what was played of it.

    A player that is another one by now, whose meta-model was trained on, say, plays anew; one
    whose network is not on this machine stays as it is, and so does all that meta-models
    have played if one of its milestones is not here. What HOAD's own code has changed is not
    noticed; ``made_with`` has the commits.

    Args:
        recipe: what is played.
        partner: whom the row is about.
        made_with: of this run.

    Raises:
        HoadError: an agent is missing; what was played cannot be read, or was played with
            other settings or agents.
    """
    maker, path = PlayerMaker(recipe), row_path(recipe, partner)
    settings = recipe.model_dump(mode="json", include=_SETTINGS)
    settings["partner"] = {partner: _digest(repr(maker.seated(partner).identity))}
    row = Row({}, dict(made_with), settings)
    if path.exists():
        row = _load(path)
        _refuse_others(path, row.settings, settings)
    elsewhere = _is_trained_elsewhere(row, maker, partner)
    for player in recipe.players:
        digest = _digest_if_here(maker, player, partner)
        if not digest or (elsewhere and _is_shot(player) and player in row.cells):
            continue  # what is still to be played is demanded later
        if row.identities.get(player) != digest:
            row.cells.pop(player, None)
        row.identities[player] = digest
    if not elsewhere and any(map(_is_shot, recipe.players)):
        row.training = meta_training(partner) or row.training
    return row


def refuse_rows(recipe: AdhocRecipe) -> None:
    """Raise a HoadError if games of a recipe's partners are kept in its folder already."""
    for partner in recipe.partners:
        path = row_path(recipe, partner)
        if path.exists():
            raise HoadError(f"{path}: holds games already; go on with --resume, or {_REMEDY}")


def save_row(recipe: AdhocRecipe, partner: str, row: Row) -> None:
    """Write a row; its file is complete or as it was.

    Raises:
        HoadError: nothing can be written there.
    """
    about = {
        "settings": row.settings,
        "made_with": row.made_with,
        "identities": row.identities,
        "seconds": row.seconds,
        "training": vars(row.training) if row.training else None,
        "beliefs": row.beliefs._asdict() if row.beliefs else None,
    }
    arrays = {"about": np.array(plain_json(about))}
    for player, cell in row.cells.items():
        arrays |= {f"{player}/{name}": array for name, array in vars(cell.session).items()}
        arrays[f"{player}/repetitions"] = cell.repetitions
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    path = row_path(recipe, partner)
    make_folder(path.parent)
    with write_atomically(path) as file:
        file.write(buffer.getvalue())


def _is_shot(player: str) -> bool:
    """Return whether the partner's own meta-model plays; ``low-shot:X`` is that of X."""
    return player.startswith(SHOTS) and ":" not in player


def _is_trained_elsewhere(row: Row, maker: PlayerMaker, partner: str) -> bool:
    """Return whether a milestone, or all, of the meta-model that has played is not here.

    A model of the same name that is here (one that comes with HOAD, say) is then another one.
    """
    return any(_is_shot(p) and not _digest_if_here(maker, p, partner) for p in row.cells)


def _digest_if_here(maker: PlayerMaker, player: str, partner: str) -> str | None:
    """Return what tells this player from others of its name; None if its network is elsewhere."""
    try:
        return _digest(maker.made_of(player, partner))
    except HoadError:
        return None


def _load(path: Path) -> Row:
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        about = json.loads(str(arrays.pop("about")))
        training, beliefs = about.pop("training"), about.pop("beliefs")
        players = dict.fromkeys(key.rpartition("/")[0] for key in arrays)
        cells = {player: _cell(arrays, player) for player in players}
        return Row(
            cells,
            training=MetaTraining(**training) if training else None,
            beliefs=Beliefs(tuple(beliefs["hypotheses"]), np.array(beliefs["means"]))
            if beliefs
            else None,
            **about,
        )
    except OSError as error:
        raise HoadError(f"{path}: cannot read these games: {error.strerror or error}") from error
    except (
        KeyError,
        TypeError,
        ValueError,
        EOFError,
        RuntimeError,  # of zipfile, as NotImplementedError is: a method or flag that is none
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise HoadError(
            f"{path}: not the games of an ad-hoc table; remove it and play them again"
        ) from error


def _cell(arrays: Mapping[str, np.ndarray], player: str) -> Cell:
    lenient, strict, seats, repetitions = (
        arrays[f"{player}/{name}"] for name in ("lenient", "strict", "seats", "repetitions")
    )
    if not lenient.shape == strict.shape == (len(repetitions), len(seats)):
        raise ValueError(f"shapes {lenient.shape}, {strict.shape}")
    return Cell(Session(lenient, strict, seats), repetitions)


def _digest(value: Any) -> str:
    return hashlib.sha256(plain_json(value).encode()).hexdigest()[:12]


def _refuse_others(path: Path, played: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for key, value in wanted.items():
        before = played.get(key)
        if before == value:
            continue
        if key == "partner":
            raise HoadError(f"{path}: was played with another {', '.join(value)}; {_REMEDY}")
        raise HoadError(f"{path}: was played with {key} = {before!r}; {_REMEDY}")
