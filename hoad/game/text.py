"""A view as text."""

from hoad.game.moves import card_name
from hoad.game.state import HIDDEN
from hoad.game.view import View


def render(view: View) -> str:
    """Return the table and the hands as several lines of text.

    Each card stands above the colours and ranks that hints leave open; positions count from 0, the
    oldest card. Cards that the observer does not see are ``??``.
    """
    tops = [f"{colour[0].upper()}{height}" for colour, height in view.fireworks.items()]
    pile = [f"{colour[0].upper()}{rank}" for colour, rank in view.discards]
    lines = [view.summary, f"fireworks  {' '.join(tops)}", f"discards   {' '.join(pile) or '-'}"]
    for player in range(view.variant.players):
        lines += _hand_lines(view, player)
    if view.moves:
        last = view.moves[-1]
        lines.append(f"last move  player {last.seat}: {last.name}")
    return "\n".join(lines)


def _hand_lines(view: View, player: int) -> list[str]:
    cards, hints = [], []
    for card in view.hands[player]:
        colours = "".join(colour[0].upper() for colour in card.colours)
        cards.append(card_name(view.variant, HIDDEN if card.number is None else card.number))
        hints.append(f"{colours}/{''.join(map(str, card.ranks))}")
    width = view.variant.colours + view.variant.ranks + 3
    return [
        f"player {player}   {''.join(card.ljust(width) for card in cards)}".rstrip(),
        f"  hints    {''.join(hint.ljust(width) for hint in hints)}".rstrip(),
    ]
