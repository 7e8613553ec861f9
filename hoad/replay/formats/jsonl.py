"""JSON Lines: one game a line, the format in which games are exchanged with other programs.

The readers of other formats return the same records, and share the functions at the end.
"""

import codecs
import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Annotated, Any, Final, Self, TypeVar

import numpy as np
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    create_model,
    model_validator,
)

from hoad.core.errors import HoadError
from hoad.core.files import (
    CONTROL,
    describe,
    one_line,
    refuse_pipe,
    what_it_is,
    write_atomically,
)
from hoad.core.recipe import explain
from hoad.game.log import GameLogs, Outcomes, logs_of
from hoad.game.state import full_game
from hoad.replay.check import check_games

ModelT = TypeVar("ModelT", bound=BaseModel)

Name = Annotated[str, Field(pattern=rf"^[^{CONTROL}]+$")]
Card = Annotated[int, Field(ge=0, le=24)]
Whole = Annotated[int, Field(ge=0)]
Slot = Annotated[int, Field(ge=-1, le=4)]
RuleIndex = Annotated[int, Field(ge=-1)]


class Record(BaseModel):
    """One game. Players, deck and actions are required; unknown keys are refused.

    Attributes:
        players: Name of the agent in each seat, 2 to 5.
        deck: 50 cards, ``colour * 5 + rank``, in drawing order: seat 0's hand oldest first,
            seat 1's, ..., every later draw, the undrawn rest.
        actions: HLE move ids; seat ``turn % players`` makes the action of a turn.
        seed: Seed of the program that played the game.
        slots: Slot of the card that each turn played or discarded, -1 for hints.
        rule: Index of the rule that chose each action, -1 if no rule fired.
        score: Cards on the fireworks (lenient score).
        hle_score: Strict score: 0 after the third lost life.
        lives: Lives left.
        turns: Number of actions.
        obs_sha1: SHA-1 of all packed observations, each of the player to move.
        chromosome: Rule numbers of the agents.
        aborted: The game was stopped before it was over.
        thoughts_shown: The person in it was shown what its partner thought, which sees its cards.
        card_notes: What the person wrote on cards, by their index in the deck.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    players: list[Name] = Field(min_length=2, max_length=5)
    seed: int | None = None
    deck: list[Card] = Field(min_length=50, max_length=50)
    actions: list[Whole]
    slots: list[Slot] | None = None
    rule: list[RuleIndex] | None = None
    score: Whole | None = None
    hle_score: Whole | None = None
    lives: Whole | None = None
    turns: Whole | None = None
    obs_sha1: str | None = Field(None, pattern="^[0-9a-f]{40}$")
    chromosome: list[Whole] | None = Field(None, min_length=1)
    aborted: bool | None = None
    thoughts_shown: bool | None = None
    card_notes: dict[str, str] | None = None

    @model_validator(mode="after")
    def _check_turns(self) -> Self:
        players, turns = len(self.players), len(self.actions)
        last = full_game(players).moves - 1
        for turn, action in enumerate(self.actions):
            if action > last:
                raise ValueError(
                    f"action {action} of turn {turn} is not a move id, expected 0 to {last} "
                    f"with {players} players"
                )
        for key, listed in (("slots", self.slots), ("rule", self.rule)):
            if listed is not None and len(listed) != turns:
                raise ValueError(f"{key} has {len(listed)} entries for {turns} actions")
        return self

    @property
    def notes(self) -> dict[str, Any]:
        """All keys but players, deck and actions that the log has."""
        return self.model_dump(exclude={"players", "deck", "actions"}, exclude_none=True)


_NOTES: Final = TypeAdapter(
    create_model(
        "Notes",
        __config__=Record.model_config,
        **{
            name: (field.annotation, field)
            for name, field in Record.model_fields.items()
            if not field.is_required()
        },  # type: ignore[call-overload]
    )
)


def read_notes(line: str | bytes) -> dict[str, Any]:
    """Return what one line of JSON says about a game besides players, deck and actions.

    Raises:
        ValueError: it has other keys than a `Record`, or a value of another type.
    """
    return _NOTES.validate_json(line).model_dump(exclude_none=True)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a ``.jsonl`` or ``.jsonl.gz`` file; a HoadError if it cannot be read.

    Blank lines at the end, and a byte order mark, are left out.
    """
    blank = 0
    try:
        refuse_pipe(path)
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file):
                text = line if number else line.removeprefix(codecs.BOM_UTF8)
                if not text.strip():
                    blank += 1
                    continue
                yield from repeat(b"\n", blank)
                blank = 0
                yield text
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        what = what_it_is(path) or error
        raise HoadError(
            f"{path}: not a complete gzip file ({what}); restore it from its source"
        ) from error
    except OSError as error:
        raise HoadError(f"{path}: cannot read this log: {describe(error)}") from error


@dataclass(frozen=True)
class Source:
    """A game of another program that is not read yet."""

    where: str  # the place, for error messages, as in games.jsonl: line 3
    # reads the game; a HoadError, which names the place, if it is malformed
    read: Callable[[], Record]


def sources(path: Path) -> Iterator[Source]:
    """Yield the games of a file; a HoadError if the file cannot be read."""
    for number, line in enumerate(read_lines(path), start=1):
        yield Source(f"{path}: line {number}", partial(_read_line, path, number, line))


def _read_line(path: Path, number: int, line: bytes) -> Record:
    try:
        return validate(Record, line)
    except HoadError as error:
        what = (number == 1 and what_it_is(path)) or error
        raise HoadError(f"{path}: line {number}: {what}") from error


def read_records(path: Path) -> Iterator[Record]:
    """Yield the games of a file, not replayed; a HoadError names a line that is no game."""
    return (source.read() for source in sources(path))


def write_records(path: Path, records: Iterable[Record], new: bool = False) -> None:
    """Write games to a ``.jsonl`` or ``.jsonl.gz`` file as :func:`write_atomically` does."""
    lines = (record.model_dump_json(exclude_none=True).encode() + b"\n" for record in records)
    with write_atomically(path, new) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                packed.writelines(lines)
        else:
            file.writelines(lines)


def is_json_lines(path: Path) -> bool:
    """Return whether a file's name has a suffix of this format."""
    return path.name.endswith((".jsonl", ".jsonl.gz"))


def logs_of_records(records: Sequence[Record], source: object) -> GameLogs:
    """Return games as one batch; a HoadError for no games, or different numbers of players."""
    sizes = sorted({len(record.players) for record in records})
    if len(sizes) != 1:
        games = f"games of {' and '.join(map(str, sizes))} players" if sizes else "no games"
        raise HoadError(f"{source}: {games}; expected games of one number of players")
    decks = [record.deck for record in records]
    return logs_of(sizes[0], decks, [record.actions for record in records])


def replay_unfinished(records: Sequence[Record], source: object, first: int = 0) -> Outcomes:
    """Replay games, which need not be over; ``first`` is the number of the first one.

    Raises:
        HoadError: as :func:`logs_of_records`, or a game breaks the rules (game and turn are named).
    """
    notes = [{"aborted": True}] * len(records)
    outcomes, faults = check_games(logs_of_records(records, source), notes)
    for fault in faults:
        numbered = replace(fault, game=first + fault.game)
        raise HoadError(f"{source}: {numbered}; remove this game or correct it")
    return outcomes


def mark_aborted(records: Sequence[Record], over: np.ndarray) -> list[Record]:
    """Return the games, with the mark ``aborted`` on those that are not over."""
    return [
        record if finished else record.model_copy(update={"aborted": True})
        for record, finished in zip(records, over.tolist(), strict=True)
    ]


def validate(model: type[ModelT], value: Any) -> ModelT:
    """Make a model of a JSON value, or of its bytes; a HoadError, without line, if invalid."""
    make = model.model_validate_json if isinstance(value, bytes) else model.model_validate
    try:
        return make(value)
    except ValidationError as error:
        raise HoadError(one_line(explain(error))) from error
