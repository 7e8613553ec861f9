"""Training, validation and test games, by a hash of the deck.

Agents that are recorded by one recipe play the same decks. A deck, not only a game, is therefore
on one side of the split: what is learned from one agent's games is judged on deals that no other
agent's training games had.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

import numpy as np

from hoad.game.log import GameLogs

SHARES: Final = {"train": 0.90, "validation": 0.05, "test": 0.05}


def hash_games(logs: GameLogs, games: np.ndarray) -> np.ndarray:
    """Return a hash of the deck and actions of each of ``games`` (indices), uint64.

    Who played, and where the game is stored, do not matter: the same cards and moves have the
    same hash in every file and on every machine.
    """
    contents = (logs.decks[game].tobytes() + logs.actions_of(game).tobytes() for game in games)
    return _hashes(contents, len(games))


def split_games(logs: GameLogs) -> dict[str, np.ndarray]:
    """Return the indices (int64, ascending) of the games of each split of `SHARES`.

    The deck's hash alone decides, so games of one deck are in the same split, in this file and
    in all others, and a file that grows keeps its splits.
    """
    points = _hashes((deck.tobytes() for deck in logs.decks), len(logs)) / 2.0**64
    edges = np.cumsum(list(SHARES.values()))[:-1]
    chosen = np.searchsorted(edges, points, side="right")
    return {name: np.flatnonzero(chosen == split) for split, name in enumerate(SHARES)}


def _hashes(contents: Iterable[bytes], count: int) -> np.ndarray:
    digests = (hashlib.blake2b(content, digest_size=8).digest() for content in contents)
    return np.fromiter((int.from_bytes(digest, "big") for digest in digests), np.uint64, count)
