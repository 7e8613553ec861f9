"""A game as text."""

import numpy as np

from hoad.game.moves import COLOUR_LETTERS, card_name, move_name
from hoad.game.state import HIDDEN, Variant


def describe(state: np.record) -> str:
    """Return the state of a game in one line."""
    table = state.table
    standing = (
        f"score {table.score}, {table.lives} lives, {table.tokens} hint tokens, "
        f"{table.deck_left} cards in the deck"
    )
    if table.over:
        return f"over after {table.turn} turns: {standing}"
    return f"turn {table.turn}, player {table.current} to move: {standing}"


def render(variant: Variant, state: np.record, observer: int | None = None) -> str:
    """Return the table and the hands as several lines of text.

    Each card stands above the colours and ranks that hints leave open; positions count from 0, the
    oldest card. The ``observer``'s own cards are hidden; None shows every hand.
    """
    table = state.table
    tops = [f"{COLOUR_LETTERS[c]}{table.fireworks[c]}" for c in range(variant.colours)]
    pile = [
        card_name(variant, card)
        for card in range(variant.identities)
        for _ in range(table.discards[card])
    ]
    lines = [describe(state), f"fireworks  {' '.join(tops)}", f"discards   {' '.join(pile) or '-'}"]
    for player in range(variant.players):
        lines += _hand_lines(variant, state, player, player == observer)
    if table.turn:
        actor = (int(table.current) - 1) % variant.players
        last = move_name(variant, int(table.actions[int(table.turn) - 1]))
        lines.append(f"last move  player {actor}: {last}")
    return "\n".join(lines)


def _hand_lines(variant: Variant, state: np.record, player: int, hidden: bool) -> list[str]:
    table = state.table
    cards, hints = [], []
    for position in range(table.hand_length[player]):
        slot = table.order[player, position]
        card = HIDDEN if hidden else int(state.hands[player, slot])
        colours = _members(COLOUR_LETTERS, int(table.colour_mask[player, slot]))
        ranks = _members("12345", int(table.rank_mask[player, slot]))
        cards.append(card_name(variant, card))
        hints.append(f"{colours}/{ranks}")
    width = variant.colours + variant.ranks + 3
    return [
        f"player {player}   {''.join(card.ljust(width) for card in cards)}".rstrip(),
        f"  hints    {''.join(hint.ljust(width) for hint in hints)}".rstrip(),
    ]


def _members(names: str, values: int) -> str:
    return "".join(name for value, name in enumerate(names) if values >> value & 1)
