"""Short words for cards, knowledge and moves, which the text and the page share."""

from collections.abc import Iterable
from typing import Final

from hoad.game.moves import COLOUR_LETTERS, COLOUR_NAMES, PLAY, card_name, move_name
from hoad.game.state import full_game
from hoad.replay.turns import MadeMove, ToldCard, Turn

GAME: Final = full_game(2)
RANKS: Final = "12345"
_LISTED: Final = 3

LEGEND: Final = (
    "A hand, oldest card first, is seen by the other player only. Below it is what its holder "
    "knows: the hints, the colours and ranks that they leave open, and the cards that it may be "
    "by common knowledge; for the player to move also with its partner's cards counted."
)


def title_text(players: tuple[str, str], source: str) -> str:
    """Return which game this is, and who plays it."""
    return f"{source}: {players[0]} (player 0) and {players[1]} (player 1)"


def card_text(card: int) -> str:
    """Return a card as ``R1``."""
    return card_name(GAME, card)


def move_text(action: int) -> str:
    """Return a move as ``play 0`` or ``hint red``; positions count from 0, oldest card first."""
    return move_name(GAME, action)


def made_text(move: MadeMove) -> str:
    """Return a move and what it showed: ``hint red: cards 0, 3``, ``play 1: Y2 fits``."""
    name = move_text(move.action)
    if move.card is None:
        return f"{name}: player {move.hand}'s {_cards(move.touched)}"
    if move.action < PLAY:
        return f"{name}: {card_text(move.card)}"
    return f"{name}: {card_text(move.card)} {'fits' if move.scored else 'does not fit'}"


def _cards(positions: tuple[int, ...]) -> str:
    listed = ", ".join(map(str, positions))
    return f"card {listed}" if len(positions) == 1 else f"cards {listed}"


def hinted_text(card: ToldCard) -> str:
    """Return what hints said about a card: ``red 1``, ``red``, ``1`` or nothing."""
    colour = COLOUR_NAMES[card.colours.bit_length() - 1] if card.colour_hinted else ""
    rank = str(card.ranks.bit_length()) if card.rank_hinted else ""
    return f"{colour} {rank}".strip()


def left_open(names: str, values: int, excluded: str) -> str:
    """Return the letters of the values that hints leave open, and ``excluded`` for the others."""
    return "".join(name if values >> v & 1 else excluded for v, name in enumerate(names))


def possible_text(cards: tuple[int, ...]) -> str:
    """Return the cards that a card may be: up to three by name, more by their number."""
    if len(cards) > _LISTED:
        return f"{len(cards)} cards"
    return " ".join(map(card_text, cards))


def fireworks_text(turn: Turn) -> str:
    """Return the fireworks as ``R2 Y0 G1 W0 B3``."""
    tops = zip(COLOUR_LETTERS, turn.fireworks, strict=True)
    return " ".join(f"{letter}{height}" for letter, height in tops)


def cards_text(cards: Iterable[int]) -> str:
    """Return cards in a row, a number of equal ones as ``R1x2``; ``-`` for none."""
    counts: dict[int, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return " ".join(card_text(c) + (f"x{n}" if n > 1 else "") for c, n in counts.items()) or "-"


def end_text(turn: Turn) -> str:
    """Return how the game ended, or that its log is unfinished."""
    if not turn.over:
        return f"unfinished after {turn.number} turns: score {turn.score}"
    strict = "" if turn.lives else f" (strict score {turn.strict_score}: all lives are lost)"
    return f"over after {turn.number} turns: score {turn.score}{strict}"
