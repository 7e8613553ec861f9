"""Which agent is the stranger of recorded games, and in which seats it sits.

The games of a file tell: it is the agent that plays with itself. In games with others, it is the
agent that sits in all of them, and of which self-play games are given, in the same file or another;
without any, the person (:data:`PERSON`). A stranger that is named is followed in the games in which
it sits. :data:`EVERYBODY` names each person of a file in turn.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.partners.choices import Seen, join_seen
from hoad.replay.dataset import Dataset
from hoad.replay.formats.convert import read_games, read_games_of_two

PERSON: Final = "person"
"""The player name of a person in games of ``play.py``."""

EVERYBODY: Final = "all"
"""In place of a stranger's name: each person of the file in turn."""

_NAMED: Final = 12
"""Players that an error names at most."""

_PERSON: Final = re.compile(r"person|human|P\d{3,}")
"""Names of people: in games of ``play.py``, of AH2AC2, and of HanabiData (P001, P002, ...)."""


def is_person(name: str) -> bool:
    """Return whether a player of recorded games is a person, by its name."""
    return _PERSON.fullmatch(name) is not None


@dataclass(frozen=True)
class Strangers:
    """The games of one file."""

    path: Path  # the file
    stranger: str  # name of the agent
    alone: Seen  # its self-play games, with all seats
    with_others: Seen  # its games with others, with its seats

    @property
    def all_games(self) -> Seen:
        """Its self-play games, then those with others."""
        return join_seen([self.alone, self.with_others])


def read_strangers(
    files: Sequence[Path], stranger: str | None = None, several: bool = False
) -> list[Strangers]:
    """Read the files, and tell which agent is the stranger of each, unless it is named.

    With ``EVERYBODY``, each person of each file is a stranger. With ``several``, the games may be
    of three to five players, all of the same number.

    Raises:
        HoadError: a file cannot be read, has games of another number of players, or no game of the
            stranger that is named; or it is not clear which agent is the stranger.
    """
    read = {
        path: read_games(path) if several else read_games_of_two(path, "this") for path in files
    }
    _refuse_different_players({path: games.logs.players for path, games in read.items()})
    if stranger is not None:
        return [
            _games_of(path, games, name)
            for path, games in read.items()
            for name in (_people(path, games) if stranger == EVERYBODY else [stranger])
        ]
    own = {path: _self_play_agent(path, games) for path, games in read.items()}
    known = sorted({name for name in own.values() if name}) or [PERSON]
    return [_split(path, games, own[path], known) for path, games in read.items()]


def _refuse_different_players(players: Mapping[Path, int]) -> None:
    """Raise a HoadError unless all files have games of the same number of players."""
    first = next(iter(players.values()), 2)
    for path, number in players.items():
        if number != first:
            raise HoadError(
                f"{path}: games of {number} players, expected {first} as in the first file; give "
                "files of games of other numbers of players to another command"
            )


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
    in_all_games = [name for name, everywhere in sits.items() if everywhere]
    if len(in_all_games) != 1:
        names = ", ".join(sorted(set(games.names.flat)))
        absent = f"{own} is not in all of them; " if own else ""
        raise HoadError(
            f"{path}: games of {names}; {absent}expected self-play games of one agent, or games of "
            "one agent with others and its self-play games in this file or another; or name the "
            "stranger (--stranger NAME, or program:FILE:NAME)"
        )
    return _games_of(path, games, in_all_games[0])


def _games_of(path: Path, games: Dataset, stranger: str) -> Strangers:
    """Return the games in which the stranger sits, of those of a file."""
    seats = games.names == stranger
    alone, sits = seats.all(axis=1), seats.any(axis=1)
    if not sits.any():
        names = ", ".join(sorted(set(games.names.flat))[:_NAMED])
        raise HoadError(f"{path}: no games of {stranger}; there are games of {names}")
    seen = Seen(games.logs, seats)
    return Strangers(
        path,
        stranger,
        seen.select(np.flatnonzero(alone)),
        seen.select(np.flatnonzero(sits & ~alone)),
    )


def _people(path: Path, games: Dataset) -> list[str]:
    """Return the names of all people who sit in the games, in order; a HoadError for none."""
    people = sorted({name for name in games.names.flat if is_person(name)})
    if not people:
        raise HoadError(
            f"{path}: no games of people (person, human, or P001, P002, ...); name the stranger"
        )
    return [str(name) for name in people]
