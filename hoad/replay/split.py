"""Training, validation and test games, by a hash of what a game contains."""

import hashlib
from typing import Final

import numpy as np

from hoad.game.log import GameLogs

SHARES: Final = {"train": 0.90, "validation": 0.05, "test": 0.05}


def hash_games(logs: GameLogs, games: np.ndarray) -> np.ndarray:
    """Return a hash of the deck and actions of each of ``games`` (indices), uint64.

    Who played, and where the game is stored, do not matter: the same cards and moves have the
    same hash in every file and on every machine.
    """
    return np.fromiter((_hash_game(logs, game) for game in games), np.uint64, len(games))


def split_games(logs: GameLogs) -> dict[str, np.ndarray]:
    """Return the indices (int64, ascending) of the games of each split of `SHARES`.

    The hash alone decides, so a duplicate is in the same split as the original, in this file
    and in all others, and a file that grows keeps its splits.
    """
    points = hash_games(logs, np.arange(len(logs))) / 2.0**64
    edges = np.cumsum(list(SHARES.values()))[:-1]
    chosen = np.searchsorted(edges, points, side="right")
    return {name: np.flatnonzero(chosen == split) for split, name in enumerate(SHARES)}


def _hash_game(logs: GameLogs, game: int) -> int:
    content = logs.decks[game].tobytes() + logs.actions_of(game).tobytes()
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")
