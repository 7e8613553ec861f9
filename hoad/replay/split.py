"""Training, validation and test games, split by a hash of the deck.

Agents recorded by one recipe play the same decks. A deck is therefore in one split only, whatever
games were played with it: an agent's games are tested on decks that were in no agent's training
games.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

import numpy as np

from hoad.game.log import GameLogs

SHARES: Final = {"train": 0.90, "validation": 0.05, "test": 0.05}


def hash_games(logs: GameLogs, games: np.ndarray) -> np.ndarray:
    """Return a hash of the deck and actions of each of ``games`` (indices), uint64.

    The hash does not depend on the agents, the file or the machine.
    """
    contents = (logs.decks[game].tobytes() + logs.actions_of(game).tobytes() for game in games)
    return _hashes(contents, len(games))


def split_games(logs: GameLogs) -> dict[str, np.ndarray]:
    """Return the indices (int64, ascending) of the games of each split of `SHARES`.

    The split depends on the hash of the deck alone, so games with one deck are in the same split
    in every file, and a file that grows keeps its splits.
    """
    points = _hashes((deck.tobytes() for deck in logs.decks), len(logs)) / 2.0**64
    edges = np.cumsum(list(SHARES.values()))[:-1]
    chosen = np.searchsorted(edges, points, side="right")
    return {name: np.flatnonzero(chosen == split) for split, name in enumerate(SHARES)}


def _hashes(contents: Iterable[bytes], count: int) -> np.ndarray:
    digests = (hashlib.blake2b(content, digest_size=8).digest() for content in contents)
    return np.fromiter((int.from_bytes(digest, "big") for digest in digests), np.uint64, count)
