"""The attributes of a file of games: what made it, and how many games of which score it holds.

HDF5 does not checksum texts of variable length, so these have a fixed length, and a checksum.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import h5py
import numpy as np

from hoad.core.provenance import provenance

FORMAT: Final = "hoad-replay"
VERSION: Final = 1

_CHECKSUM: Final = "checksum"
"""Attribute with the SHA-1 of the others."""


@dataclass
class Totals:
    """Sums over all games of a file."""

    games: int = 0
    turns: int = 0
    lenient: int = 0
    strict: int = 0

    def add(self, turns: int, lenient: np.ndarray, strict: np.ndarray) -> None:
        """Count games, of which these are the turns of all and the scores of each."""
        self.games += len(lenient)
        self.turns += turns
        self.lenient += int(lenient.sum())
        self.strict += int(strict.sum())

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes that tell them."""
        return {
            "mean_lenient_score": self.lenient / max(self.games, 1),
            "mean_strict_score": self.strict / max(self.games, 1),
            "total_episodes": self.games,
            "total_steps": self.turns,
        }


def start_attributes(
    file: h5py.File, pairings: Sequence[tuple[str, ...]], card: Mapping[str, Any]
) -> None:
    """Write all attributes to an empty file; the totals are 0 as yet."""
    described = _describe(pairings, card) | Totals().attributes
    for name, value in (described | {_CHECKSUM: _hash({})}).items():
        file.attrs[name] = _fixed(value)
    file.flush()


def finish_attributes(file: h5py.File, totals: Totals) -> None:
    """Write the totals, in their places, and the checksum."""
    for name, value in totals.attributes.items():
        file.attrs.modify(name, value)
    file.attrs.modify(_CHECKSUM, _fixed(_hash(read_attributes(file))))


def _describe(pairings: Sequence[tuple[str, ...]], card: Mapping[str, Any]) -> dict[str, Any]:
    """Return a file's attributes but for the totals; the last three have Minari's names."""
    names = [" + ".join(dict.fromkeys(agents)) for agents in pairings]
    players = len(pairings[0])
    made_by = provenance()
    return {
        **made_by,
        **card,
        "format": FORMAT,
        "version": VERSION,
        "players": players,
        "agents": pairings,
        "dataset_id": f"hanabi-{players}p/{names[0]}-v{VERSION}" if len(names) == 1 else "",
        "algorithm_name": ", ".join(names),
        "requirements": f"hoad=={made_by['hoad']}",
    }


def _fixed(value: Any) -> Any:
    """Return strings as arrays of fixed length; HDF5 does not checksum those of variable length."""
    if not isinstance(value, (str, tuple)):
        return value
    coded = np.char.encode(np.array(value), "utf-8")
    return coded.astype(h5py.string_dtype("utf-8", max(coded.dtype.itemsize, 1)))


def read_attributes(file: h5py.File) -> dict[str, Any]:
    """Return the attributes as Python's own values, without looking at their checksum."""
    card = {name: plain(value) for name, value in file.attrs.items()}
    card.pop(_CHECKSUM, None)
    if "agents" not in card:
        raise ValueError("no agents are named")
    return card


def plain(value: Any) -> Any:
    """Return an attribute as a Python value; arrays as nested tuples."""
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    if isinstance(value, list):
        return tuple(plain(item) for item in value)
    return value.decode() if isinstance(value, bytes) else value


def attributes_are_whole(file: h5py.File) -> bool:
    """Return whether the attributes, which HDF5 does not check, are those that were written."""
    found = _hash(read_attributes(file))
    return bool(plain(file.attrs.get(_CHECKSUM, found)) == found)


def _hash(card: Mapping[str, Any]) -> str:
    return hashlib.sha1(json.dumps(card, sort_keys=True).encode()).hexdigest()
