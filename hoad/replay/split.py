"""Training, validation and test games, split by a hash of the deck.

Agents recorded by one recipe play the same decks. A deck is therefore in one split only, whatever
games were played with it: test decks are in no agent's training games.
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


def split_drawn_games(
    logs: GameLogs, train_games: int, validation_games: int, seed: int
) -> dict[str, np.ndarray]:
    """Return the same splits with a given number of games, for small sets of games.

    ``train_games`` are drawn by the seed, ``validation_games`` of them for validation; all others
    are test games. Games with one deck stay together, so that there may be fewer than these.
    """
    salt = seed.to_bytes(8, "big")
    points = _hashes((deck.tobytes() for deck in logs.decks), len(logs), salt)
    places = np.searchsorted(np.sort(points), points, side="right")  # games up to the same deck's
    validation, drawn = places <= validation_games, places <= train_games
    chosen = {"train": drawn & ~validation, "validation": validation, "test": ~drawn}
    return {name: np.flatnonzero(games) for name, games in chosen.items()}


def _hashes(contents: Iterable[bytes], count: int, salt: bytes = b"") -> np.ndarray:
    digests = (hashlib.blake2b(content, digest_size=8, salt=salt).digest() for content in contents)
    return np.fromiter((int.from_bytes(digest, "big") for digest in digests), np.uint64, count)
