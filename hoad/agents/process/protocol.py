"""The lines of the protocol between HOAD and a bot, version 1 (docs/process.md).

Colours and ranks count from 0, positions in a hand from 0 for the oldest card. A line is one JSON
object. Moves are those of the full game of two players (:mod:`hoad.game.moves`).
"""

import json
from typing import Any, Final

import numpy as np

from hoad.game.moves import COLOUR_HINT, PLAY, RANK_HINT

PROTOCOL: Final = 1

_MOVES: Final = {
    "discard": (0, "position"),
    "play": (PLAY, "position"),
    "hint_colour": (COLOUR_HINT, "colour"),
    "hint_rank": (RANK_HINT, "rank"),
}
"""The first id and the field of each type of move."""

_TYPES: Final = {start: (kind, field) for kind, (start, field) in _MOVES.items()}
_VALUES: Final = 5  # positions in a hand, colours, and ranks


def hello() -> bytes:
    """Return the first line that a bot gets, which it answers with its name and version."""
    return _line({"hello": {"protocol": PROTOCOL, "game": "hanabi-full", "players": 2}})


def read_hello(answer: bytes) -> tuple[str, str]:
    """Return name and version; a ValueError if the answer to :func:`hello` is another one."""
    match _read(answer):
        case {"name": str(name), "version": str(version)}:
            return name, version
    raise ValueError('expected {"name": "...", "version": "..."}')


def deal(state: np.record, seat: int) -> bytes:
    """Return the line that begins the game of this state, before its first move."""
    hands = [_cards(state.deck[5 * player : 5 * player + 5]) for player in range(2)]
    seen = [None if player == seat else hand for player, hand in enumerate(hands)]
    return _line({"deal": {"seat": seat, "hands": seen, "first": 0}})


ACT: Final = b'{"act": true}\n'
"""Asks for a move."""


def move(state: np.record, action: int, seat: int) -> bytes:
    """Return the line that reports to ``seat`` an action, a legal one that is about to be made."""
    table, deck = state.table, state.deck
    player, start = int(table.current), action - action % _VALUES
    (kind, field), value = _TYPES[start], action % _VALUES
    told: dict[str, Any] = {"player": player, "type": kind, field: value}
    if start < COLOUR_HINT:
        told["card"] = _card(state.hands[player, table.order[player, value]])
        left, hidden = int(table.deck_left), player == seat
        told["drawn"] = None if hidden or not left else _card(deck[len(deck) - left])
    else:
        other = 1 - player
        slots = table.order[other, : table.hand_length[other]]
        cards = _cards(state.hands[other, slots])
        place = 0 if kind == "hint_colour" else 1
        told["touched"] = [at for at, card in enumerate(cards) if card[place] == value]
    return _line({"move": told})


def end(state: np.record) -> bytes:
    """Return the line that ends a game: cards on the fireworks, and lives left."""
    return _line({"end": {"score": int(state.table.score), "lives": int(state.table.lives)}})


def read_move(answer: bytes) -> int:
    """Return the id of the move that a bot answers; a ValueError if it is none.

    Fields that the move does not need are ignored.
    """
    message = _read(answer)
    kind = message.get("type") if isinstance(message, dict) else None
    if type(kind) is not str or kind not in _MOVES:
        raise ValueError(f'expected an object with a "type" of {", ".join(_MOVES)}')
    first, field = _MOVES[kind]
    value = message.get(field)
    if type(value) is not int or not 0 <= value < _VALUES:
        raise ValueError(f'expected "{field}" from 0 to {_VALUES - 1}')
    return first + value


def _cards(cards: np.ndarray) -> list[list[int]]:
    return [[card // 5, card % 5] for card in cards.tolist()]


def _card(card: int) -> list[int]:
    return [int(card) // 5, int(card) % 5]


def _read(answer: bytes) -> Any:
    try:
        return json.loads(answer.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError("this is not JSON in UTF-8") from error


def _line(value: dict[str, Any]) -> bytes:
    return f"{json.dumps(value)}\n".encode()
