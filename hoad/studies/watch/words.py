"""Short words for cards, knowledge and moves, which the text and the page share."""

from typing import Final

from hoad.game.moves import COLOUR_NAMES, PLAY, card_name, move_name
from hoad.game.state import HIDDEN, full_game
from hoad.game.view import MadeMove, SeenCard, Turn, View

GAME: Final = full_game(2)
_LISTED: Final = 3

LEGEND: Final = (
    "A hand, oldest card first, is seen by the other player only. Below it is what its holder "
    "knows: the hints, the colours and ranks that they leave open, and the cards that it may be "
    "by common knowledge; for the player to move also with its partner's cards counted."
)


def title_text(players: tuple[str, str], source: str) -> str:
    """Return which game this is, and who plays it."""
    return f"{source}: {players[0]} (player 0) and {players[1]} (player 1)"


def who_text(turn: Turn, players: tuple[str, str]) -> str:
    """Return who moves in a turn, or that it is the end."""
    if turn.move is None:
        return "the end"
    return f"player {turn.move.seat}, {players[turn.move.seat]}"


def standing_text(view: View) -> str:
    """Return what is counted: score, lives, hint tokens, cards in the deck."""
    return (
        f"score {view.score}, {view.lives} lives, hint tokens {view.tokens}, "
        f"{view.deck_left} cards in the deck"
    )


def seen_text(card: SeenCard) -> str:
    """Return a card of a hand as ``R1``; ``??`` if it is not seen."""
    return card_text(HIDDEN if card.number is None else card.number)


def card_text(card: int) -> str:
    """Return a card as ``R1``."""
    return card_name(GAME, card)


def move_text(action: int) -> str:
    """Return a move as ``play 0`` or ``hint red``; positions count from 0, oldest card first."""
    return move_name(GAME, action)


def made_text(move: MadeMove) -> str:
    """Return a move and what it showed: ``hint red: cards 0, 3``, ``play 1: Y2 fits``."""
    if move.card is None:
        return f"{move.name}: player {move.hand}'s {_cards(move.touched)}"
    if move.action < PLAY:
        return f"{move.name}: {card_text(move.card)}"
    return f"{move.name}: {card_text(move.card)} {'fits' if move.fitted else 'does not fit'}"


def _cards(positions: tuple[int, ...]) -> str:
    listed = ", ".join(map(str, positions))
    return f"card {listed}" if len(positions) == 1 else f"cards {listed}"


def hinted_text(card: SeenCard) -> str:
    """Return what hints said about a card: ``red 1``, ``red``, ``1`` or nothing."""
    colour = card.colours[-1] if card.colour_hinted else ""
    rank = str(card.ranks[-1]) if card.rank_hinted else ""
    return f"{colour} {rank}".strip()


def open_text(card: SeenCard) -> tuple[str, str]:
    """Return the colours and ranks that the hints leave open, with dots for excluded ones."""
    colours = "".join(c[0].upper() if c in card.colours else "." for c in COLOUR_NAMES)
    ranks = "".join(str(rank) if rank in card.ranks else "." for rank in range(1, 6))
    return colours, ranks


def possible_text(cards: tuple[int, ...]) -> str:
    """Return the cards that a card may be: up to three by name, more by their number."""
    if len(cards) > _LISTED:
        return f"{len(cards)} cards"
    return " ".join(map(card_text, cards))


def fireworks_text(view: View) -> str:
    """Return the fireworks as ``R2 Y0 G1 W0 B3``."""
    return " ".join(f"{colour[0].upper()}{height}" for colour, height in view.fireworks.items())


def discards_text(view: View) -> str:
    """Return the discarded cards in a row, a number of equal ones as ``R1x2``; ``-`` for none."""
    piles = [(card, copies) for card, copies in enumerate(view.discard_counts) if copies]
    return " ".join(card_text(c) + (f"x{n}" if n > 1 else "") for c, n in piles) or "-"


def end_text(view: View) -> str:
    """Return how the game ended, or that its log is unfinished."""
    if not view.over:
        return f"unfinished after {view.turn} turns: score {view.score}"
    strict = "" if view.lives else f" (strict score {view.strict_score}: all lives are lost)"
    return f"over after {view.turn} turns: score {view.score}{strict}"
