"""The metadata of a recorded file: what made it, and how many games of which scores it holds.

Metadata are HDF5 attributes. HDF5 does not checksum texts of variable length, so texts have a
fixed length here, and the attribute ``checksum`` covers all others.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import h5py
import numpy as np

from hoad.core.files import CONTROL
from hoad.core.provenance import provenance
from hoad.game.log import strict_scores

FORMAT: Final = "hoad-replay"
VERSION: Final = 1

_CHECKSUM: Final = "checksum"  # attribute with the SHA-1 of the others

_TYPES: Final = {
    "players": int,
    "mean_lenient_score": float,
    "mean_strict_score": float,
    "total_episodes": int,
    "total_steps": int,
}

Metadata = Mapping[str, Any]


def totals(turns: int, scores: np.ndarray, lives: np.ndarray) -> dict[str, Any]:
    """Return totals by attribute, of all turns and of each game's lenient score and lives left."""
    games, strict = len(scores), strict_scores(scores, lives)
    return {
        "mean_lenient_score": int(scores.sum()) / max(games, 1),
        "mean_strict_score": int(strict.sum()) / max(games, 1),
        "total_episodes": games,
        "total_steps": turns,
    }


def start_metadata(
    file: h5py.File, pairings: Sequence[tuple[str, ...]], metadata: Metadata
) -> None:
    """Write all metadata to an empty file, with totals of 0."""
    none = np.zeros(0, np.uint8)
    complete = _add_origin(pairings, metadata) | totals(0, none, none) | {_CHECKSUM: _hash({})}
    for name, value in complete.items():
        file.attrs[name] = _fixed_length(value)
    file.flush()


def finish_metadata(file: h5py.File) -> None:
    """Replace the totals and the checksum, once all games are written."""
    final = totals(len(file["actions"]), file["scores"][...], file["lives"][...])
    for name, value in final.items():
        file.attrs.modify(name, value)
    file.attrs.modify(_CHECKSUM, _fixed_length(_hash(load_metadata(file))))


def load_metadata(file: h5py.File) -> dict[str, Any]:
    """Return an open file's metadata as Python values; the checksum is not compared."""
    metadata = {name: to_python(value) for name, value in file.attrs.items()}
    metadata.pop(_CHECKSUM, None)
    if "agents" not in metadata:
        raise ValueError("no agents are named")
    _refuse_other_types(metadata)
    return metadata


def _refuse_other_types(metadata: Metadata) -> None:
    """Raise a ValueError that names an attribute which has not the type that HOAD writes."""
    for name, kind in _TYPES.items():
        if type(metadata.get(name)) is not kind:
            raise ValueError(f"{name} is no {kind.__name__}")
    pairings = metadata["agents"]
    is_named = isinstance(pairings, tuple) and all(isinstance(names, tuple) for names in pairings)
    if not is_named or not all(_is_name(name) for names in pairings for name in names):
        raise ValueError("agents are no names by seat")


def _is_name(name: Any) -> bool:
    """Return whether a value is a name as JSON Lines have them (``Name`` of `formats.jsonl`)."""
    return isinstance(name, str) and re.fullmatch(rf"[^{CONTROL}]+", name) is not None


def is_intact(file: h5py.File, metadata: Metadata) -> bool:
    """Return whether the metadata that were loaded from a file fit its checksum, if it has one."""
    checksum = _hash(metadata)
    return bool(to_python(file.attrs.get(_CHECKSUM, checksum)) == checksum)


def to_python(value: Any) -> Any:
    """Return the value of an attribute as a Python value; arrays as nested tuples."""
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    if isinstance(value, list):
        return tuple(to_python(item) for item in value)
    return value.decode() if isinstance(value, bytes) else value


def _add_origin(pairings: Sequence[tuple[str, ...]], metadata: Metadata) -> dict[str, Any]:
    """Add provenance, format and agents; the last three keys have Minari's names."""
    names = [" + ".join(dict.fromkeys(agents)) for agents in pairings]
    players = len(pairings[0])
    made_with = provenance()
    return {
        **made_with,
        **metadata,
        "format": FORMAT,
        "version": VERSION,
        "players": players,
        "agents": pairings,
        "dataset_id": f"hanabi-{players}p/{names[0]}-v{VERSION}" if len(names) == 1 else "",
        "algorithm_name": ", ".join(names),
        "requirements": f"hoad=={made_with['hoad']}",
    }


def _fixed_length(value: Any) -> Any:
    if not isinstance(value, (str, tuple)):
        return value
    coded = np.char.encode(np.array(value), "utf-8")
    return coded.astype(h5py.string_dtype("utf-8", max(coded.dtype.itemsize, 1)))


def _hash(metadata: Metadata) -> str:
    return hashlib.sha1(json.dumps(metadata, sort_keys=True).encode()).hexdigest()
