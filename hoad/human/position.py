"""The message that tells a page one turn of a game.

Cards are numbered as in :mod:`hoad.game.state`; colours and ranks count from 0; the cards of a hand
are listed by age, oldest first, as move ids refer to them.
"""

from typing import Any

import numpy as np

from hoad.game.moves import COLOUR_HINT, COLOUR_NAMES, MOVES, PLAY, RANK_HINT
from hoad.game.view import MadeMove, SeenCard, View, move_names

_MARKED_MOVES = 2


def position(view: View) -> dict[str, Any]:
    """Return the message.

    It has ``turn``, ``current`` (the seat to move), ``over``, ``score`` (lenient), ``strict``,
    ``lives``, ``tokens``, ``deck`` (cards in it), ``last_turns`` (None while there is a deck),
    ``fireworks`` (heights), ``discards`` (copies by card), ``hands`` by seat, all moves ``made``,
    and all ``choices`` of the observer, none without one.
    """
    return {
        "turn": view.turn,
        "current": view.player,
        "over": view.over,
        "score": view.score,
        "strict": view.strict_score,
        "lives": view.lives,
        "tokens": view.tokens,
        "deck": view.deck_left,
        "last_turns": None if view.deck_left else view.final_turns,
        "fireworks": list(view.fireworks.values()),
        "discards": list(view.discard_counts),
        "hands": [[_card(card, view) for card in hand] for hand in view.hands],
        "made": [_made(move) for move in view.moves],
        "choices": [] if view.observer is None else _choices(view, view.observer),
    }


def slots_by_age(table: np.record, player: int) -> list[int]:
    """Return the slots of a player's cards, the oldest card first."""
    return table.order[player, : table.hand_length[player]].tolist()


def _card(card: SeenCard, view: View) -> dict[str, Any]:
    """Return a card; it is marked if one of the last two moves hinted it or drew it."""
    marked = view.moves[-_MARKED_MOVES:]
    return {
        "card": card.number,
        "colours": [COLOUR_NAMES.index(colour) for colour in card.colours],
        "ranks": [rank - 1 for rank in card.ranks],
        "colour_hinted": card.colour_hinted,
        "rank_hinted": card.rank_hinted,
        "touched": any(card.deck_index in move.deck_indices for move in marked),
        "drawn": any(card.deck_index == move.drawn for move in marked),
    }


def _made(move: MadeMove) -> dict[str, Any]:
    """Return a move; ``touched`` counts cards."""
    return {
        "seat": move.seat,
        "move": move.action,
        "name": move.name,
        "card": move.card,
        "fitted": move.fitted,
        "touched": len(move.touched),
    }


def _choices(view: View, observer: int) -> list[dict[str, Any]]:
    """Return all moves, each with why it cannot be made now (None if it can)."""
    return [
        {
            "move": move,
            "name": move_names(view.variant)[move],
            "refused": None if move in view.legal else _reason(view, move, observer),
        }
        for move in range(MOVES)
    ]


def _reason(view: View, move: int, observer: int) -> str:
    """Return why a move cannot be made."""
    if view.over:
        return "The game is over."
    if view.player != observer:
        return "It is your partner's turn."
    if move < COLOUR_HINT:
        if move % PLAY >= len(view.my_hand):
            return "You hold no such card."
        return "All hint tokens are there, so no card may be discarded."
    if not view.tokens:
        return "No hint token is left."
    if move < RANK_HINT:
        return f"Your partner holds no {COLOUR_NAMES[move - COLOUR_HINT]} card."
    return f"Your partner holds no {move - RANK_HINT + 1}."
