"""Games of a person on disk: the finished ones, and the one that is being played.

A folder holds ``games.jsonl`` with the finished games, one a line, as ``record.py import`` reads
them, and ``unfinished.jsonl``: a line for the start of the game, then a line a move, one for each
note on a card, and one if the person asks to be shown what the agent thinks. Each line is on disk
before the game goes on. A line that was cut short is dropped when the folder is opened.
``experience.json`` says whether the person had played Hanabi before.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import from_json

from hoad.core.errors import HoadError
from hoad.core.files import make_folder, open_regular, reporting
from hoad.core.recipe import Seed
from hoad.game.state import MAX_CARDS
from hoad.partners.strangers import PERSON
from hoad.replay.formats.jsonl import (
    Name,
    Record,
    read_lines,
    read_records,
    replay_unfinished,
    validate,
)

GAMES: Final = "games.jsonl"
UNFINISHED: Final = "unfinished.jsonl"
EXPERIENCE: Final = "experience.json"

LEARNED_FROM: Final = 10
"""Games with a person from which an agent may learn."""

LONGEST_NOTE: Final = 60
"""Characters of a note on a card."""

Stream = Annotated[int, Field(ge=0, lt=2**64)]
"""A random stream of an agent."""

ModelT = TypeVar("ModelT", bound=BaseModel)


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Start(_Line):
    """The start of a game."""

    agent: Name  # of the person's partner
    seat: Annotated[int, Field(ge=0, le=1)]  # where the person sits
    seed: Seed  # of the deck and of the agent's chance
    game: Annotated[int, Field(ge=0, lt=2**62)]  # number of the game in the run with this seed
    stream: Stream  # the agent's random stream at the deal


class Move(_Line):
    """A move, and the agent's random stream after it."""

    move: Annotated[int, Field(ge=0, le=19)]
    stream: Stream


class Shown(_Line):
    """From here on, the person may know more of its cards: it saw what the agent thought."""

    shown: Literal[True]


class Note(_Line):
    """What the person wrote on a card, by its index in the deck; an empty note removes one."""

    card: Annotated[int, Field(ge=0, lt=MAX_CARDS)]
    note: Annotated[str, Field(max_length=LONGEST_NOTE)]


class Experience(_Line):
    """Whether the person had played Hanabi before, as the page asks once."""

    played_before: bool


class Journal:
    """The files of one folder, which is made if it is not there.

    Attributes:
        games: the finished games.
        start: the start of the game that is being played; None if there is none.
        moves: its moves.
        shown: whether the person was shown what the agent thought.
        notes: its notes on cards, by index in the deck.
        experience: what the person said of itself; None before it was asked.

    Raises:
        HoadError: a file cannot be read or written, or a line of it is none of those above.
    """

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        self._finished, self._unfinished = folder / GAMES, folder / UNFINISHED
        self._experience = folder / EXPERIENCE
        for path in (self._finished, self._unfinished, self._experience):
            _drop_cut_line(path)
        self.experience: Experience | None = None
        if self._experience.exists():
            line = next(read_lines(self._experience), None)
            if line is not None:  # where a disk was full the file is empty
                self.experience = self._read(Experience, line, 1, self._experience)
        self.games: list[Record] = []
        if self._finished.exists():
            self.games += self._read_games()
        self.start: Start | None = None
        self.moves: list[Move] = []
        self.shown = False
        self.notes: dict[int, str] = {}
        if self._unfinished.exists():
            lines = list(read_lines(self._unfinished))
            if lines:
                self.start = self._read(Start, lines[0], 1)
                for number, line in enumerate(lines[1:], start=2):
                    if b'"shown":' in line:
                        self.shown = self._read(Shown, line, number).shown
                    elif b'"note":' in line:
                        self._keep(self._read(Note, line, number))
                    else:
                        self.moves.append(self._read(Move, line, number))

    def begin(self, start: Start) -> None:
        """Start a game."""
        self._remove_unfinished()
        _append(self._unfinished, start)
        self.start, self.moves, self.shown, self.notes = start, [], False, {}

    def record_shown(self) -> None:
        """Write, once in a game, that the person was shown what the agent thought."""
        if not self.shown:
            _append(self._unfinished, Shown(shown=True))
            self.shown = True

    def write_note(self, note: Note) -> None:
        """Write a note on a card, in place of an earlier one."""
        _append(self._unfinished, note)
        self._keep(note)

    def add(self, move: Move) -> None:
        """Write a move of the game."""
        _append(self._unfinished, move)
        self.moves.append(move)

    def finish(self, game: Record | None) -> None:
        """Move the game to the finished ones; None drops it."""
        if game is not None and not self._holds(game):
            _append(self._finished, game)
            self.games.append(game)
        self._remove_unfinished()
        self.start, self.moves, self.shown, self.notes = None, [], False, {}

    def _remove_unfinished(self) -> None:
        with reporting(self._unfinished, "cannot remove this file"):
            self._unfinished.unlink(missing_ok=True)

    def _keep(self, note: Note) -> None:
        self.notes[note.card] = note.note
        if not note.note:
            del self.notes[note.card]

    def record_experience(self, played_before: bool) -> None:
        """Write, once, whether the person had played before."""
        if self.experience is None:
            self.experience = Experience(played_before=played_before)
            _append(self._experience, self.experience)

    def _read_games(self) -> list[Record]:
        games = list(read_records(self._finished))
        for number, game in enumerate(games, start=1):
            if len(game.players) != 2 or game.players.count(PERSON) != 1:
                raise HoadError(
                    f"{self._finished}: line {number}: a game of {' and '.join(game.players)}, "
                    f"expected one of {PERSON} and an agent; choose another folder"
                )
        if games:
            replay_unfinished(games, self._finished)
        return games

    def _holds(self, game: Record) -> bool:
        """Return whether a program that was killed has written this game already."""
        last = self.games[-1:]
        return [(record.deck, record.actions) for record in last] == [(game.deck, game.actions)]

    def _read(
        self, model: type[ModelT], line: bytes, number: int, path: Path | None = None
    ) -> ModelT:
        try:
            return validate(model, line)
        except HoadError as error:
            path = path or self._unfinished
            raise HoadError(f"{path}: line {number}: {error}; remove this file") from error


def games_with(games: Sequence[Record], agent: str) -> list[Record]:
    """Return the last games with an agent, at most `LEARNED_FROM`."""
    return [game for game in games if agent in game.players][-LEARNED_FROM:]


def _append(path: Path, line: BaseModel) -> None:
    """Write a line to the end of a file, and wait until it is on disk."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    with reporting(path, "cannot write this file"):
        descriptor = open_regular(path, flags)
        try:
            _write_whole(descriptor, line.model_dump_json(exclude_none=True).encode() + b"\n")
        finally:
            os.close(descriptor)


def _write_whole(descriptor: int, content: bytes) -> None:
    """Append to a file on disk, all or nothing."""
    before = os.fstat(descriptor).st_size
    try:
        while content:
            content = content[os.write(descriptor, content) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, before)
        raise


def _drop_cut_line(path: Path) -> None:
    """Remove a last line that was not written to its end; end one that lacks its break only."""
    with reporting(path), suppress(FileNotFoundError):
        descriptor = open_regular(path, os.O_RDWR)
        with os.fdopen(descriptor, "r+b") as file:
            content = file.read()
            whole = content.rfind(b"\n") + 1
            if whole == len(content):
                return
            try:
                from_json(content[whole:])
            except ValueError:
                file.truncate(whole)
            else:
                file.write(b"\n")
