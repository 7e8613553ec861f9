"""What a page is told of one turn of a game, as values that JSON has.

Cards are numbered as in :mod:`hoad.game.state`; colours and ranks count from 0; the cards of a hand
are listed by age, oldest first, as move ids refer to them.
"""

from typing import Any

import numpy as np

from hoad.agents.situation import plausible_cards, unseen_copies
from hoad.game.moves import COLOUR_HINT, COLOUR_NAMES, MOVES, PLAY, RANK_HINT
from hoad.game.state import MAX_HAND, MAX_IDENTITIES, NO_CARD
from hoad.game.view import SeenCard, View

_MARKED_MOVES = 2


def position(view: View) -> dict[str, Any]:
    """Return a turn: ``current`` is the seat to move.

    ``last_turns`` is None while there is a deck; ``choices`` are all moves of the observer, none
    without one. The moves so far are those of :func:`moves_made`.
    """
    return {
        "turn": view.turn,
        "current": view.player,
        "over": view.over,
        "score": view.score,
        "lives": view.lives,
        "tokens": view.tokens,
        "deck": view.deck_left,
        "last_turns": None if view.deck_left else view.final_turns,
        "fireworks": list(view.fireworks.values()),
        "discards": list(view.discard_counts),
        "hands": [
            [_card(card, player, view) for card in hand] for player, hand in enumerate(view.hands)
        ],
        "choices": [] if view.observer is None else _choices(view, view.observer),
    }


def moves_made(view: View) -> list[dict[str, Any]]:
    """Return the moves so far; ``touched`` are positions of cards."""
    return [
        {
            "seat": move.seat,
            "move": move.action,
            "card": move.card,
            "fitted": move.fitted,
            "touched": move.touched,
        }
        for move in view.moves
    ]


def slots_by_age(table: np.record, player: int) -> list[int]:
    """Return the slots of a player's cards, the oldest card first."""
    return table.order[player, : table.hand_length[player]].tolist()


def card_odds(state: np.record, player: int, sees_partner: bool) -> list[list[float]]:
    """Return what a player's cards may be: the share of the copies that it does not see.

    Args:
        state: the game.
        player: the holder.
        sees_partner: whether the partner's hand is taken into account. The holder sees it; the
            partner would learn from the answer what it holds itself.

    Returns:
        For each card, oldest first, the probability of each of the 25 cards.
    """
    hidden = np.full(MAX_HAND, NO_CARD, np.uint8)
    seen = state.hands[1 - player] if sees_partner else hidden
    packed = sum(int(card) << 8 * slot for slot, card in enumerate(seen))
    unseen = unseen_copies(state.table, packed)
    cards = np.arange(MAX_IDENTITIES)
    copies = sum((np.int64(known) >> cards & 1 for known in unseen), np.zeros_like(cards))
    odds = []
    for slot in slots_by_age(state.table, player):
        weights = copies * (np.int64(plausible_cards(state.table, player, slot)) >> cards & 1)
        odds.append((weights / weights.sum()).tolist())
    return odds


def _card(card: SeenCard, player: int, view: View) -> dict[str, Any]:
    """Return a card; it is marked if one of the last two moves hinted it or drew it.

    ``id`` is its index in the deck, which tells it from other cards; ``known`` is what both players
    know of it.
    """
    marked = view.moves[-_MARKED_MOVES:]
    return {
        "id": card.deck_index,
        "card": card.number,
        "critical": view.is_critical(player, card),
        "known": view.known(card),
        "colours": [COLOUR_NAMES.index(colour) for colour in card.colours],
        "ranks": [rank - 1 for rank in card.ranks],
        "colour_hinted": card.colour_hinted,
        "rank_hinted": card.rank_hinted,
        "touched": any(card.deck_index in move.deck_indices for move in marked),
        "drawn": any(card.deck_index == move.drawn for move in marked),
    }


def _choices(view: View, observer: int) -> list[dict[str, Any]]:
    """Return all moves, each with why it cannot be made now (None if it can)."""
    return [
        {
            "move": move,
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
