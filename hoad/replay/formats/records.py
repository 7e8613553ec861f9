"""Games as other programs logged them, on their way into a dataset."""

from collections.abc import Sequence

import numpy as np

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Outcomes, logs_of
from hoad.replay.check import judge
from hoad.replay.formats.jsonl import Record


def logs_of_records(records: Sequence[Record], source: object) -> GameLogs:
    """Return the games as one batch.

    Raises:
        HoadError: There are none, or not all have the same number of players.
    """
    sizes = sorted({len(record.players) for record in records})
    if len(sizes) != 1:
        found = f"games of {' and '.join(map(str, sizes))} players" if sizes else "no games"
        raise HoadError(f"{source}: {found}; a dataset has games of one number of players")
    decks = [record.deck for record in records]
    return logs_of(sizes[0], decks, [record.actions for record in records])


def replay_logs(logs: GameLogs, source: object) -> Outcomes:
    """Replay games that may have been stopped before they were over.

    Raises:
        HoadError: The rules do not allow a game: source, game and turn are named.
    """
    outcomes, faults = judge(logs, [{"aborted": True}] * len(logs))
    if faults:
        raise HoadError(f"{source}: {faults[0]}; remove this game or mend it")
    return outcomes


def mark_aborted(records: Sequence[Record], over: np.ndarray) -> list[Record]:
    """Return the games, those marked ``aborted`` that are not over."""
    return [
        record if finished else record.model_copy(update={"aborted": True})
        for record, finished in zip(records, over.tolist(), strict=True)
    ]
