"""JSON Lines: one game a line, the format in which games are exchanged with other programs."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from hoad.core.errors import HoadError
from hoad.core.files import describe, write_atomically
from hoad.core.recipe import explain
from hoad.game.state import full_game
from hoad.replay.formats.json_text import one_line

Name = Annotated[str, Field(pattern=r"^[^\x00-\x1f]+$")]
Card = Annotated[int, Field(ge=0, le=24)]
Count = Annotated[int, Field(ge=0)]
Slot = Annotated[int, Field(ge=-1, le=4)]
RuleIndex = Annotated[int, Field(ge=-1)]


class Record(BaseModel):
    """One line. Players, deck and actions are compulsory; unknown keys are refused.

    Attributes:
        players: Name of the agent in each seat, 2 to 5.
        deck: 50 cards, ``colour * 5 + rank``, in drawing order: seat 0's hand oldest first,
            seat 1's, ..., every later draw, the undrawn rest.
        actions: HLE move ids; seat ``turn % players`` makes them.
        seed: Seed of the program that played the game.
        slots: Slot played or discarded from at each turn, -1 for hints.
        rule: Index of the rule that chose each action, -1 if none fired.
        score: Cards on the fireworks.
        hle_score: The same, but 0 after the third lost life.
        lives: Lives left.
        turns: Number of actions.
        obs_sha1: SHA-1 of all packed observations, each of the player to move.
        chromosome: Rule numbers of the agents.
        aborted: The program that played stopped before the game was over.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    players: list[Name] = Field(min_length=2, max_length=5)
    seed: int | None = None
    deck: list[Card] = Field(min_length=50, max_length=50)
    actions: list[Count]
    slots: list[Slot] | None = None
    rule: list[RuleIndex] | None = None
    score: Count | None = None
    hle_score: Count | None = None
    lives: Count | None = None
    turns: Count | None = None
    obs_sha1: str | None = Field(None, pattern="^[0-9a-f]{40}$")
    chromosome: list[Count] | None = Field(None, min_length=1)
    aborted: bool | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        moves, turns = full_game(len(self.players)).moves, len(self.actions)
        for turn, action in enumerate(self.actions):
            if action >= moves:
                raise ValueError(
                    f"action {action} of turn {turn} is no move id: with {len(self.players)} "
                    f"players there are 0 to {moves - 1}"
                )
        for key in ("slots", "rule"):
            listed = getattr(self, key)
            if listed is not None and len(listed) != turns:
                raise ValueError(f"{key} has {len(listed)} entries for {turns} actions")
        return self

    @property
    def notes(self) -> dict[str, Any]:
        """Return all but players, deck and actions."""
        return self.model_dump(exclude={"players", "deck", "actions"}, exclude_none=True)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a ``.jsonl`` or ``.jsonl.gz`` file.

    Raises:
        HoadError: The file cannot be read; a compressed one is cut short or damaged.
    """
    try:
        with _open(path) as file:
            yield from file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise HoadError(
            f"{path}: not a complete gzip file ({error}); restore it from its source"
        ) from error
    except OSError as error:
        raise HoadError(f"{path}: cannot read this log: {describe(error)}") from error


def parse_line(line: bytes) -> Record:
    """Read one line.

    Raises:
        HoadError: It is not a game; the message does not know file and line.
    """
    try:
        return Record.model_validate_json(line)
    except ValidationError as error:
        raise HoadError(one_line(explain(error))) from error


def read_records(path: Path) -> Iterator[Record]:
    """Yield the games of a file; they need not be legal.

    Raises:
        HoadError: The file cannot be read, or a line is not a game; file and line are named.
    """
    for number, line in enumerate(read_lines(path), start=1):
        try:
            yield parse_line(line)
        except HoadError as error:
            raise HoadError(f"{path}: line {number}: {error}") from error


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write games to a ``.jsonl`` or ``.jsonl.gz`` file, which appears when it is complete.

    Raises:
        HoadError: The file cannot be written.
    """
    lines = (record.model_dump_json(exclude_none=True).encode() + b"\n" for record in records)
    with write_atomically(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                packed.writelines(lines)
        else:
            file.writelines(lines)


def is_json_lines(path: Path) -> bool:
    """Return whether a file's name says that it is in this format."""
    return path.name.endswith((".jsonl", ".jsonl.gz"))


def _open(path: Path) -> IO[bytes] | gzip.GzipFile:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")
