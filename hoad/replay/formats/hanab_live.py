"""JSON games of the site hanab.live, and links that open a replay there.

A game is ``{"players": [name, ...], "deck": [{"suitIndex": 0, "rank": 1}, ...], "actions":
[{"type": 0, "target": 3}, ...]}``. The target of a play or discard is the card's index in the
deck, the target of a hint is a seat. Unlike the Hanabi Learning Environment, the site ends a game
as soon as no needed card can be played any more, and a speedrun when a perfect score is lost. It
stores no action that says so.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from hoad.core.errors import HoadError
from hoad.core.files import read_json
from hoad.game.rules import apply, deal_deck
from hoad.game.state import NO_CARD, full_game
from hoad.replay.formats.jsonl import (
    Name,
    Record,
    Source,
    mark_aborted,
    replay_unfinished,
    validate,
)

PLAY, DISCARD, COLOUR_HINT, RANK_HINT, GAME_ENDED, ENDED_BY_VOTE = range(6)
_TERMINATED: Final = 4  # the site's end condition of a game that a player stopped

ADDRESS: Final = "https://hanab.live/shared-replay-json/"
_BASE_62: Final = ascii_lowercase + digits + ascii_uppercase
_NO_VARIANT: Final = 0
_WRAP: Final = 20

_COLOURS: Final = 5
_RANKS: Final = 5


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Card(_Strict):
    suit: Annotated[int, Field(alias="suitIndex", ge=0, le=4)]
    rank: Annotated[int, Field(ge=1, le=5)]


class Action(_Strict):
    """A move as the site has it; the target is a card's index in the deck, or a seat for hints."""

    type: Annotated[int, Field(ge=PLAY, le=ENDED_BY_VOTE)]
    target: int
    value: int | None = None


class _Options(_Strict):
    """The game's options; all options that change the rules must be off."""

    variant: Literal["No Variant"] = "No Variant"
    timed: bool = False
    timeBase: float = 0  # noqa: N815 (the site's own names, here and below)
    timePerTurn: float = 0  # noqa: N815
    speedrun: bool = False
    startingPlayer: Literal[0] = 0  # noqa: N815
    cardCycle: Literal[False] = False  # noqa: N815
    deckPlays: Literal[False] = False  # noqa: N815
    emptyClues: Literal[False] = False  # noqa: N815
    oneExtraCard: Literal[False] = False  # noqa: N815
    oneLessCard: Literal[False] = False  # noqa: N815
    allOrNothing: Literal[False] = False  # noqa: N815
    detrimentalCharacters: Literal[False] = False  # noqa: N815


class _Game(_Strict):
    """One game; ``id``, ``seed``, ``notes`` and ``characters`` are allowed and not used."""

    players: Annotated[list[Name], Field(min_length=2, max_length=5)]
    deck: Annotated[list[_Card], Field(min_length=50, max_length=50)]
    actions: list[Action]
    options: _Options = _Options()
    id: int | None = None
    seed: str | None = None
    notes: list[Any] | None = None
    characters: list[Any] | None = None


class Hands:
    """The hands during a game: each card's index in the deck, oldest card first."""

    def __init__(self, players: int) -> None:
        size, cards = full_game(players).hand_size, full_game(players).cards
        self.held = [list(range(seat * size, (seat + 1) * size)) for seat in range(players)]
        self._deck = iter(range(players * size, cards))

    def take(self, seat: int, position: int) -> int:
        """Take a card from a hand and draw; return the card's index in the deck."""
        card = self.held[seat].pop(position)
        self.held[seat].extend(islice(self._deck, 1))
        return card


def sources(path: Path) -> Iterator[Source]:
    """Yield the games of a file with one or a list; each is replayed when it is read.

    A game that the site or its players ended early is marked ``aborted``.

    Raises:
        HoadError: The file cannot be read or is malformed; a game is of another variant, breaks
            the rules or is cut short. File, game and turn are named.
    """
    content = read_json(path)
    for number, value in enumerate(content if isinstance(content, list) else [content]):
        yield Source(f"{path}: game {number}", partial(_read_game, path, number, value))


def _read_game(path: Path, number: int, value: Any) -> Record:
    try:
        game = validate(_Game, value)
        record = _record_of(game)
    except HoadError as error:
        raise HoadError(f"{path}: game {number}: {error}") from error
    over = replay_unfinished([record], path, number).over
    is_stopped = game.actions[-1:] != [] and game.actions[-1].type >= GAME_ENDED
    if not (over[0] or is_stopped or find_end(record, game.options.speedrun) is not None):
        raise HoadError(
            f"{path}: game {number}, turn {len(record.actions)}: the log ends before the game is "
            "over; restore it from its source"
        )
    return mark_aborted([record], over)[0]


def game_of(record: Record) -> dict[str, Any]:
    """Return a legal game in the site's format, without turns after the site ends the game.

    The seed is empty, because the site would otherwise deal by the seed and ignore the deck.
    """
    players, end = len(record.players), find_end(record)
    hands, actions = Hands(players), record.actions[:end]
    game = {
        "players": record.players,
        "deck": [{"suitIndex": card // _RANKS, "rank": card % _RANKS + 1} for card in record.deck],
        "actions": [action_of(hands, turn % players, move) for turn, move in enumerate(actions)],
        "options": {"variant": "No Variant"},
        "seed": "",
    }
    return stopped(game) if record.aborted and end is None else game


def stopped(game: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game in the site's format with a last action that says that a player stopped it."""
    seat = len(game["actions"]) % len(game["players"])
    mark = {"type": GAME_ENDED, "target": seat, "value": _TERMINATED}
    return {**game, "actions": [*game["actions"], mark]}


def find_end(record: Record, speedrun: bool = False) -> int | None:
    """Return after how many turns the site ends a legal game, None if the log stops before.

    That is when no needed card can be played any more or, in a speedrun, when one of the 25 points
    is lost. In the last round, the hands of players who have had their last turn do not count.
    """
    state = full_game(len(record.players)).new_states(1)[0]
    deal_deck(state, np.array(record.deck, np.uint8))
    for turn, action in enumerate(record.actions, start=1):
        apply(state, action)
        heights, playable = state.table.fireworks, _playable_some_time(state)
        if no_points_left(heights, playable) or (speedrun and _is_imperfect(heights, playable)):
            return turn
    return None


def no_points_left(heights: np.ndarray, cards: int) -> bool:
    """Return whether no firework's next card is in a set of cards (bits)."""
    fireworks = enumerate(heights.tolist())
    return not any(height < _RANKS and cards >> _RANKS * c + height & 1 for c, height in fireworks)


def _is_imperfect(heights: np.ndarray, cards: int) -> bool:
    return any(
        not cards >> _RANKS * colour + rank & 1
        for colour, height in enumerate(heights.tolist())
        for rank in range(height, _RANKS)
    )


def _playable_some_time(state: np.record) -> int:
    """Return the cards, as bits, of which a copy is in the deck or in a hand that will be played.

    In the last round those are the hands of the players with a turn left.
    """
    table = state.table
    if table.deck_left:
        return int(table.left[0])
    players, cards = int(table.players), 0
    for turn in range(int(table.final_turns)):
        hand = state.hands[(int(table.current) + turn) % players]
        cards |= sum({1 << card for card in hand.tolist() if card != NO_CARD})
    return cards


def link_of(game: Mapping[str, Any]) -> str:
    """Return the link that opens the replay of a game in the site's format.

    The address holds the whole game, packed as in ``hypoCompress.ts`` of Hanabi-Live/hanabi-live:
    ``<players><lowest rank><highest rank>``, one character a card; a comma; ``<lowest
    type><highest type>``, two characters an action; a comma; the number of the variant. A hyphen
    every 20 characters lets it wrap.
    """
    deck = (_BASE_62[card["suitIndex"] * _RANKS + card["rank"] - 1] for card in game["deck"])
    code = f"{len(game['players'])}1{_RANKS}{''.join(deck)},{_pack_actions(game)},{_NO_VARIANT}"
    return ADDRESS + "-".join(code[start : start + _WRAP] for start in range(0, len(code), _WRAP))


def _record_of(game: _Game) -> Record:
    players = len(game.players)
    hands, moves = Hands(players), list(game.actions)
    if moves and moves[-1].type >= GAME_ENDED:
        moves.pop()
    actions = []
    for turn, action in enumerate(moves):
        try:
            actions.append(move_of(hands, turn % players, action))
        except ValueError as error:
            raise HoadError(f"turn {turn}: {error}; remove this game or correct it") from error
    deck = [card.suit * _RANKS + card.rank - 1 for card in game.deck]
    return Record(players=game.players, deck=deck, actions=actions)


def move_of(hands: Hands, seat: int, action: Action) -> int:
    """Carry out one of the site's actions in the hands; return its move id (or a ValueError)."""
    variant = full_game(len(hands.held))
    if action.type in (PLAY, DISCARD):
        if action.value:
            raise ValueError(f"value is {action.value}, plays and discards have none")
        if action.target not in hands.held[seat]:
            raise ValueError(f"player {seat} does not hold card {action.target} of the deck")
        position = hands.held[seat].index(action.target)
        hands.take(seat, position)
        return position + (variant.hand_size if action.type == PLAY else 0)
    if action.type >= GAME_ENDED:
        raise ValueError("more actions come after the game's end")
    others = (action.target - seat) % variant.players - 1
    if not 0 <= action.target < variant.players or others < 0:
        raise ValueError(f"player {seat} cannot hint to player {action.target}")
    first = 0 if action.type == COLOUR_HINT else 1
    if action.value is None or not first <= action.value < first + _COLOURS:
        raise ValueError(f"hints do not have the value {action.value}")
    hint = others * _COLOURS + action.value - first
    return 2 * variant.hand_size + hint + first * (variant.players - 1) * _COLOURS


def action_of(hands: Hands, seat: int, move: int) -> dict[str, int]:
    """Return a legal move id as the site has it, and carry it out in the hands."""
    variant = full_game(len(hands.held))
    if move < 2 * variant.hand_size:
        card = hands.take(seat, move % variant.hand_size)
        return {"type": DISCARD if move < variant.hand_size else PLAY, "target": card}
    others, value = divmod(move - 2 * variant.hand_size, _COLOURS)
    kind = COLOUR_HINT
    if others >= variant.players - 1:
        others, value, kind = others - (variant.players - 1), value + 1, RANK_HINT
    return {"type": kind, "target": (seat + 1 + others) % variant.players, "value": value}


def _pack_actions(game: Mapping[str, Any]) -> str:
    types = [action["type"] for action in game["actions"]]
    low, high = min(types, default=0), max(types, default=0)
    packed = [f"{low}{high}"]
    for action in game["actions"]:
        value = action["value"] + 1 if "value" in action else 0
        packed.append(_BASE_62[value * (high - low + 1) + action["type"] - low])
        packed.append(_BASE_62[action["target"]])
    return "".join(packed)
