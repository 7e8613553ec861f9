"""JSON Lines: one game a line, the format in which games are exchanged with other programs.

The readers of other formats return the same records, and share the functions at the end.
"""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from hoad.core.errors import HoadError
from hoad.core.files import describe, one_line, write_atomically
from hoad.core.recipe import explain
from hoad.game.log import GameLogs, Outcomes, logs_of
from hoad.game.state import full_game
from hoad.replay.check import check_games

ModelT = TypeVar("ModelT", bound=BaseModel)

Name = Annotated[str, Field(pattern=r"^[^\x00-\x1f]+$")]
Card = Annotated[int, Field(ge=0, le=24)]
Count = Annotated[int, Field(ge=0)]
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


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a ``.jsonl`` or ``.jsonl.gz`` file; a HoadError if it cannot be read."""
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            yield from file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise HoadError(
            f"{path}: not a complete gzip file ({error}); restore it from its source"
        ) from error
    except OSError as error:
        raise HoadError(f"{path}: cannot read this log: {describe(error)}") from error


def read_records(path: Path) -> Iterator[Record]:
    """Yield the games of a file, not replayed; a HoadError names a line that is no game."""
    for number, line in enumerate(read_lines(path), start=1):
        try:
            yield validate(Record, line)
        except HoadError as error:
            raise HoadError(f"{path}: line {number}: {error}") from error


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write games to a ``.jsonl`` or ``.jsonl.gz`` file as :func:`write_atomically` does."""
    lines = (record.model_dump_json(exclude_none=True).encode() + b"\n" for record in records)
    with write_atomically(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                packed.writelines(lines)
        else:
            file.writelines(lines)


def is_json_lines(path: Path) -> bool:
    """Return whether a file's name has a suffix of this format."""
    return path.name.endswith((".jsonl", ".jsonl.gz"))


def split_games_file(name: str) -> tuple[str, str] | None:
    """Return the parts of ``FILE`` or ``FILE:PLAYER``, a file of games that agents learn from.

    The player is empty where none is named. None for a name that is no such file's.
    """
    parts = re.fullmatch(r"(.+?\.(?:h5|jsonl|jsonl\.gz))(?::(.+))?", name)
    return (parts[1], parts[2] or "") if parts else None


def logs_of_records(records: Sequence[Record], source: object) -> GameLogs:
    """Return games as one batch; a HoadError for no games, or different numbers of players."""
    sizes = sorted({len(record.players) for record in records})
    if len(sizes) != 1:
        games = f"games of {' and '.join(map(str, sizes))} players" if sizes else "no games"
        raise HoadError(f"{source}: {games}; expected games of one number of players")
    decks = [record.deck for record in records]
    return logs_of(sizes[0], decks, [record.actions for record in records])


def replay_unfinished(records: Sequence[Record], source: object) -> Outcomes:
    """Replay games, which need not be over.

    Raises:
        HoadError: as :func:`logs_of_records`, or a game breaks the rules (game and turn are named).
    """
    outcomes, faults = check_games(
        logs_of_records(records, source), [{"aborted": True}] * len(records)
    )
    if faults:
        raise HoadError(f"{source}: {faults[0]}; remove this game or correct it")
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
