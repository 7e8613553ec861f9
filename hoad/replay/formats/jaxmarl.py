"""The test games of JaxMARL's Hanabi: a folder with decks.json and actions.json.

``decks.json`` has 50 cards a game, ``actions.json`` the move ids (Rutherford et al. 2024,
"JaxMARL: Multi-Agent RL Environments and Algorithms in JAX"; ``tests/hanabi`` of the repository
FLAIROx/JaxMARL, where a deck is ``{"deck": ["R1", ...], ...}``). All games have two players.
"""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import one_line, read_json
from hoad.game.moves import COLOUR_LETTERS
from hoad.replay.formats.jsonl import Record, Source, validate

DECKS: Final = "decks.json"
ACTIONS: Final = "actions.json"
PLAYERS: Final = ("jaxmarl", "jaxmarl")

_CARD_IDS: Final = {
    json.dumps(form): 5 * colour + rank
    for colour, letter in enumerate(COLOUR_LETTERS)
    for rank in range(5)
    for form in ([colour, rank], [letter, rank + 1], [letter, f"{rank + 1}"], f"{letter}{rank + 1}")
}
"""Card id of each notation, as JSON: numbers from 0, or colour letter and printed rank."""


def is_corpus(folder: Path) -> bool:
    """Return whether a folder holds both files."""
    return (folder / DECKS).is_file() and (folder / ACTIONS).is_file()


def sources(folder: Path) -> Iterator[Source]:
    """Yield the games of a folder, not replayed; a HoadError names what is malformed."""
    decks, actions = _read_list(folder / DECKS), _read_list(folder / ACTIONS)
    if len(decks) != len(actions):
        raise HoadError(
            f"{folder}: {len(decks)} games in {DECKS}, {len(actions)} in {ACTIONS}; restore both"
        )
    for game, (deck, moves) in enumerate(zip(decks, actions, strict=True)):
        yield Source(f"{folder}: game {game}", partial(_read_game, folder, game, deck, moves))


def _read_game(folder: Path, game: int, deck: Any, moves: Any) -> Record:
    cards = _cards_of(deck, f"{folder / DECKS}: game {game}")
    try:
        return validate(Record, {"players": list(PLAYERS), "deck": cards, "actions": moves})
    except HoadError as error:
        raise HoadError(f"{folder / ACTIONS}: game {game}: {error}") from error


def _read_list(path: Path) -> list[Any]:
    content = read_json(path)
    if not isinstance(content, list):
        raise HoadError(f"{path}: expected a list of games")
    return content


def _cards_of(deck: Any, where: str) -> list[int]:
    """Return card ids; a deck is a list of cards, or an object with the key ``deck``."""
    cards = deck.get("deck") if isinstance(deck, dict) else deck
    if not isinstance(cards, list) or len(cards) != 50:
        raise HoadError(f"{where}: expected a list of 50 cards")
    ids = []
    for place, card in enumerate(cards):
        written = json.dumps(card)
        if written not in _CARD_IDS:
            raise HoadError(
                f"{where}, card {place}: {one_line(written, 60)} is not a card; expected "
                "[colour, rank], both from 0, or the colour's letter and the printed rank"
            )
        ids.append(_CARD_IDS[written])
    return ids
