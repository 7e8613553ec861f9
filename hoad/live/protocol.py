"""The messages of a hanabi-live server, as far as a player of two-player games needs them.

A message is a command and a JSON value, ``tableJoin {"tableID": 5}``, in both directions. Fields
that are not named here are ignored. The server logs a player in before (:mod:`hoad.live.site`).
"""

import json
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator
from pydantic_core import from_json

ModelT = TypeVar("ModelT", bound=BaseModel)

NO_VARIANT: Final = "No Variant"
CHANGED_RULES: Final = (
    "cardCycle",
    "deckPlays",
    "emptyClues",
    "oneExtraCard",
    "oneLessCard",
    "allOrNothing",
    "detrimentalCharacters",
)
"""Options of a table that change the rules; agents know the plain game only."""

RANK_CLUE = 1
"""The type of clues of a rank in told actions, and 0 of a colour; in a player's action 3 and 2."""


_MOST: Final = 1_000
"""Elements of a list in a message; a game has 128 turns at most, each told in some five."""

TableNumber = Annotated[int, Field(ge=0, lt=2**62)]
Seat = Annotated[int, Field(ge=0, le=5)]
Order = Annotated[int, Field(ge=0, lt=50)]
Text = Annotated[str, Field(max_length=10_000)]
Texts = Annotated[list[Text], Field(max_length=_MOST)]


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Welcome(_Message):
    """``welcome``: the first message; ``playing_at`` are tables where a game goes on."""

    username: Text
    playing_at: Annotated[list[TableNumber], Field(alias="playingAtTables", max_length=_MOST)] = []


class TableInfo(_Message):
    """``table``, and an element of ``tableList``: a table as the lobby shows it."""

    id: TableNumber
    variant: Text
    running: bool
    joined: bool
    replay: Annotated[bool, Field(alias="sharedReplay")] = False
    players: Texts


class TableList(_Message):
    """``tableList``, which is a JSON array, as a field."""

    tables: Annotated[list[TableInfo], Field(max_length=_MOST)]


class Warned(_Message):
    """``warning``: something that the player sent is refused; it does not say what."""

    warning: Text


class Failed(_Message):
    """``error``."""

    error: Text


class Chat(_Message):
    """``chat``; ``recipient`` is empty unless the message is a private one."""

    msg: Text
    who: Text
    recipient: Text = ""


class OfTable(_Message):
    """Any message about one table, such as ``tableStart`` or ``tableGone``."""

    number: Annotated[TableNumber, Field(alias="tableID")]
    replay: bool = False


class Pregame(OfTable):
    """``game``: a table before the game starts."""

    options: dict[str, Any]


class Init(Pregame):
    """``init``: what a game is, before its actions."""

    names: Annotated[Texts, Field(alias="playerNames")]
    seat: Annotated[Seat, Field(alias="ourPlayerIndex")]
    spectating: bool = False
    paused: bool = False
    started: Annotated[Text, Field(alias="datetimeStarted")] = ""


class ActionList(OfTable):
    """``gameActionList``: all actions of a game so far, for :func:`read_told`."""

    told: Annotated[list[Any], Field(alias="list", max_length=_MOST)]


class OneAction(OfTable):
    """``gameAction``: the next action of a game, likewise."""

    told: Annotated[Any, Field(alias="action")]


class Pause(OfTable):
    """``pause``: a game is paused, or goes on."""

    active: bool


class Draw(_Message):
    """A card is drawn; suit and rank are -1 for the player's own cards."""

    type: Literal["draw"]
    order: Order
    suit: Annotated[int, Field(alias="suitIndex", ge=-1, lt=5)]
    rank: Annotated[int, Field(ge=-1, le=5)]

    @model_validator(mode="after")
    def _is_known_or_not(self) -> Self:
        if (self.suit < 0) != (self.rank < 1):
            raise ValueError(f"suit {self.suit} and rank {self.rank} are no card")
        return self


class Removed(_Message):
    """A card is played or discarded; ``failed`` is a misplay, which is told as a discard."""

    type: Literal["play", "discard"]
    seat: Annotated[Seat, Field(alias="playerIndex")]
    order: Order
    suit: Annotated[int, Field(alias="suitIndex", ge=0, lt=5)]
    rank: Annotated[int, Field(ge=1, le=5)]
    failed: bool = False


class _ClueValue(_Message):
    type: Literal[0, 1]
    value: Annotated[int, Field(ge=0, le=100)]


class Clue(_Message):
    """A clue is given; ``touched`` are the orders of the cards that it names."""

    type: Literal["clue"]
    clue: _ClueValue
    giver: Seat
    target: Seat
    touched: Annotated[list[Order], Field(alias="list", max_length=5)]


class GameOver(_Message):
    """The game has ended."""

    type: Literal["gameOver"]


Told = Draw | Removed | Clue | GameOver
"""What happens in a game, as far as it is not told twice (turns, strikes, tokens)."""

_TOLD: Final = ("draw", "play", "discard", "clue", "gameOver")
_READ_TOLD: Final = TypeAdapter[Told](Annotated[Told, Field(discriminator="type")])


def encode(command: str, **data: Any) -> str:
    """Return a message to the server."""
    return f"{command} {json.dumps(data)}"


def decode(text: str) -> tuple[str, Any]:
    """Return the command and the value of a message; a ValueError if it is none."""
    command, _, value = text.partition(" ")
    return command, from_json(value)


def read(model: type[ModelT], value: Any) -> ModelT:
    """Return a JSON value as a message; a ValueError if it does not have the fields."""
    return model.model_validate(value)


def read_told(value: Any) -> Told | None:
    """Return an action of a game; None for kinds that say nothing new; may raise a ValueError."""
    if not isinstance(value, dict) or value.get("type") not in _TOLD:
        return None
    return _READ_TOLD.validate_python(value)


def refusal(options: dict[str, Any], players: int, seat: int = 0) -> str | None:
    """Return why agents cannot play a game with these options in a seat, None if they can."""
    if options.get("variantName") != NO_VARIANT:
        return f'I only know the variant "{NO_VARIANT}".'
    changed = [key for key in CHANGED_RULES if options.get(key)]
    if changed:
        return f"I only know the plain rules; please switch off: {', '.join(changed)}."
    if options.get("startingPlayer"):
        return "I only know games in which the first player begins."
    if players > 2 or seat > 1:
        return "I only know the game of two players."
    return None
