"""Games as records, and where hanab.live ends them."""

import numpy as np

from hoad.game.log import GameLogs
from hoad.replay.formats.hanab_live import find_end
from hoad.replay.formats.jsonl import Record

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")


def records_of(logs: GameLogs) -> list[Record]:
    """Return games as records without notes."""
    return [
        Record(
            players=list(NAMES[: logs.players]),
            deck=logs.decks[game].tolist(),
            actions=logs.actions_of(game).tolist(),
        )
        for game in range(len(logs))
    ]


def find_ends(logs: GameLogs) -> tuple[np.ndarray, np.ndarray]:
    """Return the turns that the site plays of each game, and whether it ends the game itself."""
    ends = [find_end(record) for record in records_of(logs)]
    exhausted = np.array([end is not None for end in ends])
    return np.where(
        exhausted, np.array([end or 0 for end in ends]), np.diff(logs.offsets)
    ), exhausted
