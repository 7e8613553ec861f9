"""Games as the site hanab.live exports them and takes them for a replay, in JSON.

A game is ``{"players": [name, ...], "deck": [{"suitIndex": 0, "rank": 1}, ...], "actions":
[{"type": 0, "target": 3}, ...]}``. Cards are named by their place in the deck, hinted players by
their seat. The site also ends a game when the score equals the highest that can still be
attained; the Hanabi Learning Environment plays on.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from numba import njit
from pydantic import BaseModel, ConfigDict, Field

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.game.rules import apply, copies, deal_deck
from hoad.game.state import full_game
from hoad.replay.formats.json_text import demand, read_json
from hoad.replay.formats.jsonl import Name, Record
from hoad.replay.formats.records import logs_of_records, mark_aborted, replay_logs

PLAY: Final = 0
DISCARD: Final = 1
COLOUR_HINT: Final = 2
RANK_HINT: Final = 3
GAME_ENDED: Final = 4
ENDED_BY_VOTE: Final = 5
_TERMINATED: Final = 4
"""The site's end condition for a game that a player stopped."""

_COLOURS: Final = 5
_RANKS: Final = 5


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Card(_Strict):
    suit: Annotated[int, Field(alias="suitIndex", ge=0, le=4)]
    rank: Annotated[int, Field(ge=1, le=5)]


class _Action(_Strict):
    type: Annotated[int, Field(ge=PLAY, le=ENDED_BY_VOTE)]
    target: int
    value: int | None = None


class _Options(_Strict):
    """What was chosen for the table; whatever changes the rules must be off."""

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
    actions: list[_Action]
    options: _Options = _Options()
    id: int | None = None
    seed: str | None = None
    notes: list[Any] | None = None
    characters: list[Any] | None = None


class _Hands:
    """Who holds which cards: their places in the deck, oldest first."""

    def __init__(self, players: int) -> None:
        size = full_game(players).hand_size
        self.held = [list(range(seat * size, (seat + 1) * size)) for seat in range(players)]
        self._drawn, self._cards = players * size, full_game(players).cards

    def take(self, seat: int, position: int) -> int:
        """Take a card from a hand and draw; return the card's place in the deck."""
        card = self.held[seat].pop(position)
        if self._drawn < self._cards:
            self.held[seat].append(self._drawn)
            self._drawn += 1
        return card


def read_games(path: Path) -> list[Record]:
    """Read a file with one game or a list of games, and replay them under the rules.

    A game that the site or its players ended early is marked ``aborted``.

    Raises:
        HoadError: The file cannot be read or is malformed; a game is of another variant, not
            allowed by the rules or cut short. File, game and turn are named.
    """
    content = read_json(path)
    games = content if isinstance(content, list) else [content]
    records, ended = [], []
    for number, value in enumerate(games):
        try:
            game = demand(_Game, value)
            records.append(_record_of(game))
        except HoadError as error:
            raise HoadError(f"{path}: game {number}: {error}") from error
        ended.append(game.actions[-1:] != [] and game.actions[-1].type >= GAME_ENDED)
    logs = logs_of_records(records, path)
    over = replay_logs(logs, path).over
    _, exhausted = find_ends(logs)
    cut = np.flatnonzero(~(over | exhausted | np.array(ended)))
    if len(cut):
        raise HoadError(
            f"{path}: game {cut[0]}, turn {len(records[cut[0]].actions)}: the log ends before "
            "the game is over; restore it from its source"
        )
    return mark_aborted(records, over)


def game_of(players: Sequence[str], deck: Sequence[int], actions: Sequence[int]) -> dict[str, Any]:
    """Return a game in the site's form; ``actions`` must end where the site ends the game.

    The seed is left empty, since the site would deal by the seed and not by the deck.
    """
    hands = _Hands(len(players))
    return {
        "players": list(players),
        "deck": [{"suitIndex": card // _RANKS, "rank": card % _RANKS + 1} for card in deck],
        "actions": [
            _action_of(hands, turn % len(players), action) for turn, action in enumerate(actions)
        ],
        "options": {"variant": "No Variant"},
        "seed": "",
    }


def stopped(game: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game of the site's form with the mark that a player stopped it early."""
    seat = len(game["actions"]) % len(game["players"])
    mark = {"type": GAME_ENDED, "target": seat, "value": _TERMINATED}
    return {**game, "actions": [*game["actions"], mark]}


def find_ends(logs: GameLogs) -> tuple[np.ndarray, np.ndarray]:
    """Return where the site ends games, which must be allowed by the rules.

    Returns:
        The number of turns until then (all turns, where the site does not end the game), int64,
        and whether the score equalled the highest attainable one then, bool.
    """
    turns, exhausted = np.diff(logs.offsets), np.zeros(len(logs), np.bool_)
    states = full_game(logs.players).new_states(1)
    _find_ends(states, logs.decks, logs.actions, logs.offsets, turns, exhausted)
    return turns, exhausted


def _record_of(game: _Game) -> Record:
    players = len(game.players)
    hands, moves = _Hands(players), list(game.actions)
    if moves and moves[-1].type >= GAME_ENDED:
        moves.pop()
    actions = []
    for turn, action in enumerate(moves):
        try:
            actions.append(_move_of(hands, turn % players, action))
        except ValueError as error:
            raise HoadError(f"turn {turn}: {error}; remove this game or mend it") from error
    deck = [card.suit * _RANKS + card.rank - 1 for card in game.deck]
    return Record(players=game.players, deck=deck, actions=actions)


def _move_of(hands: _Hands, seat: int, action: _Action) -> int:
    """Return the move id of one of the site's actions; a ValueError says why it has none."""
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
        raise ValueError(f"no hint has the value {action.value}")
    hint = others * _COLOURS + action.value - first
    return 2 * variant.hand_size + hint + first * (variant.players - 1) * _COLOURS


def _action_of(hands: _Hands, seat: int, move: int) -> dict[str, int]:
    variant = full_game(len(hands.held))
    if move < 2 * variant.hand_size:
        card = hands.take(seat, move % variant.hand_size)
        return {"type": DISCARD if move < variant.hand_size else PLAY, "target": card}
    others, value = divmod(move - 2 * variant.hand_size, _COLOURS)
    kind = COLOUR_HINT
    if others >= variant.players - 1:
        others, value, kind = others - (variant.players - 1), value + 1, RANK_HINT
    return {"type": kind, "target": (seat + 1 + others) % variant.players, "value": value}


@njit(cache=True, nogil=True)
def _find_ends(
    states: np.ndarray,
    decks: np.ndarray,
    actions: np.ndarray,
    offsets: np.ndarray,
    turns: np.ndarray,
    exhausted: np.ndarray,
) -> None:
    state = states[0]
    for game in range(len(decks)):
        deal_deck(state, decks[game])
        for turn in range(offsets[game + 1] - offsets[game]):
            apply(state, int(actions[offsets[game] + turn]))
            if not _can_score(state.table):
                turns[game], exhausted[game] = turn + 1, True
                break


@njit(cache=True, nogil=True)
def _can_score(table: np.record) -> bool:
    """Return whether the next card of some colour is not lost."""
    for colour in range(int(table.colours)):
        rank = int(table.fireworks[colour])
        if rank < _RANKS and int(table.discards[colour * _RANKS + rank]) < copies(rank, _RANKS):
            return True
    return False
