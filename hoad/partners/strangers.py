"""Which agent is the stranger of recorded games, and in which seats it sits.

The games of a file tell: it is the agent that plays with itself. In games with others, it is the
agent that sits in all of them, and of which self-play games are given, in the same file or another;
without any, the person (:data:`PERSON`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.partners.choices import Seen
from hoad.replay.dataset import Dataset
from hoad.replay.formats.convert import read_games

PERSON: Final = "person"
"""The player name of a person in games of ``play.py``."""


@dataclass(frozen=True)
class Strangers:
    """The games of one file.

    Attributes:
        path: the file.
        stranger: name of the agent.
        alone: its self-play games, with both seats.
        with_others: its games with others, with its seat.
    """

    path: Path
    stranger: str
    alone: Seen
    with_others: Seen


def read_strangers(files: Sequence[Path], stranger: str | None = None) -> list[Strangers]:
    """Read the files, and tell which agent is the stranger of each, unless it is named.

    Raises:
        HoadError: a file cannot be read, has games of more than two players, or it is not clear
            which agent is the stranger.
    """
    read = {path: read_games(path) for path in files}
    for path, games in read.items():
        if games.logs.players != 2:
            raise HoadError(
                f"{path}: games of {games.logs.players} players, but partner models are of "
                "two-player games; leave this file out"
            )
    if stranger is not None:
        return [_split(path, games, stranger, []) for path, games in read.items()]
    own = {path: _self_play_agent(path, games) for path, games in read.items()}
    known = sorted({name for name in own.values() if name}) or [PERSON]
    return [_split(path, games, own[path], known) for path, games in read.items()]


def _self_play_agent(path: Path, games: Dataset) -> str | None:
    """Return the agent that plays with itself in these games; None if there is none."""
    alone = sorted({pair[0] for pair in games.pairings if len(set(pair)) == 1})
    if len(alone) > 1:
        raise HoadError(
            f"{path}: self-play games of {' and '.join(alone)}, expected those of one agent; "
            "give a file for each"
        )
    return alone[0] if alone else None


def _split(path: Path, games: Dataset, own: str | None, known: Sequence[str]) -> Strangers:
    sits = {name: (games.names == name).any(axis=1).all() for name in ([own] if own else known)}
    found = [name for name, everywhere in sits.items() if everywhere]
    if len(found) != 1:
        names = ", ".join(sorted(set(games.names.flat)))
        absent = f"{own} is not in all of them; " if own else ""
        raise HoadError(
            f"{path}: games of {names}; {absent}expected self-play games of one agent, or games of "
            "one agent with others and its self-play games in this file or another; or name the "
            "one that sits in all games (--stranger NAME, or program:FILE:NAME)"
        )
    seats = games.names == found[0]
    alone = Seen(games.logs, seats).select(np.flatnonzero(seats.all(axis=1)))
    others = Seen(games.logs, seats).select(np.flatnonzero(~seats.all(axis=1)))
    return Strangers(path, found[0], alone, others)
