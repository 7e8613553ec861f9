"""A game as plain text of 80 columns, with colours and bars where the terminal has them."""

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

from hoad.game.moves import COLOUR_LETTERS, COLOUR_NAMES, PLAY, card_name, move_name
from hoad.game.state import HIDDEN, full_game
from hoad.game.view import MadeMove, SeenCard, Turn, View
from hoad.watch.story import Story, Thought, Told

WIDTH: Final = 80
_LABEL: Final = 10
_CARD: Final = 14
_BAR: Final = 20
_NAME: Final = 32
_SHOWN: Final = 6  # most moves and names that a list of thoughts has
_LISTED: Final = 3  # most cards that a card may be, by name

_GAME: Final = full_game(2)
_SUITS: Final = dict(zip(COLOUR_LETTERS, ("31", "33", "32", "1", "34"), strict=True))
_CARD_NAME: Final = re.compile(r"\b([RYGWB])[0-5]\b")

_LEGEND: Final = (
    "A hand, oldest card first, is seen by the other player only. Below it is what its holder "
    "knows: the hints, the colours and ranks that they leave open, and the cards that it may be "
    "by common knowledge; for the player to move also with its partner's cards counted."
)


def title_text(story: Story) -> str:
    """Return which game this is, and who plays it."""
    return f"{story.source}: {story.players[0]} (player 0) and {story.players[1]} (player 1)"


@dataclass(frozen=True)
class Style:
    """What a terminal can show.

    Attributes:
        colours: whether cards are coloured by ANSI sequences; their letters say the same.
        unicode: whether lines and bars may leave ASCII.
    """

    colours: bool = False
    unicode: bool = False


def style_of(stream: TextIO) -> Style:
    """Return what a stream can show: colours on a terminal only, and not if NO_COLOR is set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    try:
        "─█·".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return Style(stream.isatty() and not plain, unicode=False)
    return Style(stream.isatty() and not plain, unicode=True)


def text_of(story: Story, told: Iterable[Told], style: Style) -> Iterator[str]:
    """Yield the game in parts: a heading, each turn, the end. No line is longer than 80 columns.

    ``told`` is what :meth:`Story.told` yields.
    """
    title = textwrap.fill(title_text(story), WIDTH)
    yield f"{title}\n\n{textwrap.fill(_LEGEND, WIDTH)}"
    for turn, thought in told:
        lines = [_heading(story, turn, style), *_table(turn.view)]
        for player in range(2):
            lines += ["", *_hand(turn.view, player)]
        if thought is not None:
            lines += ["", *_thought(thought, turn, style)]
        if turn.move is not None:
            lines += ["", f"player {turn.move.seat}: {_made(turn.move)}"]
        yield "\n" + _coloured("\n".join(lines), style)
    yield f"\n{_end(story.turns[-1].view)}"


def _heading(story: Story, turn: Turn, style: Style) -> str:
    line = "─" if style.unicode else "-"
    move = turn.move
    who = "the end" if move is None else f"player {move.seat}, {story.players[move.seat]}"
    text = f"turn {turn.view.turn}: {who}"
    if len(text) > WIDTH - 6:
        text = f"{text[: WIDTH - 9]}..."
    return f"{line * 2} {text} ".ljust(WIDTH, line)


def _table(view: View) -> Iterator[str]:
    yield (
        f"score {view.score}, {view.lives} lives, hint tokens {view.tokens}, "
        f"{view.deck_left} cards in the deck"
    )
    heights = (f"{colour[0].upper()}{height}" for colour, height in view.fireworks.items())
    yield _row("fireworks", [" ".join(heights)])
    yield from _wrapped("discards", _discards(view))


def _hand(view: View, player: int) -> Iterator[str]:
    """Yield a hand, seen by the other player, above what its holder knows of each card."""
    hand = view.hands[player]
    possible = [view.possible(card) for card in hand]
    to_holder = [view.possible_to_holder(player, card) for card in hand]
    knowledge = [view.known(card) for card in hand]
    seen = [HIDDEN if card.number is None else card.number for card in hand]
    yield _row(f"player {player}", map(_card, seen))
    yield _row("  hints", [_hinted(card) or "-" for card in hand])
    yield _row("  open", [" ".join(_open(card)) for card in hand])
    yield _row("  may be", map(_possible, possible))
    if player == view.player and to_holder != possible:
        yield _row("  as seen", map(_possible, to_holder))
    if any(knowledge):
        yield _row("  is", knowledge)


def _row(label: str, cells: Iterable[str]) -> str:
    return (label.ljust(_LABEL) + "".join(cell.ljust(_CARD) for cell in cells)).rstrip()


def _thought(thought: Thought, turn: Turn, style: Style) -> Iterator[str]:
    made = None if turn.move is None else turn.move.action
    shown = thought.moves[:_SHOWN]
    moves = [(_move(move) + " *" * (move == made), share) for move, share in shown]
    yield from _bars("moves", moves, style)
    if thought.candidates:
        scores = (f"{_move(each.move)} {each.mean:.2f}" for each in thought.candidates)
        unbroken = ", ".join(score.replace(" ", "\xa0") for score in scores)
        yield from _wrapped("expects", unbroken)
    if thought.partner:
        yield from _bars("partner", thought.partner[:_SHOWN], style)
    if thought.candidates:
        yield _row("believes", map(_likeliest, thought.odds))


def _likeliest(odds: Sequence[float]) -> str:
    return f"{_card(odds.index(max(odds)))} {max(odds):.0%}"


def _bars(label: str, shares: Sequence[tuple[str, float]], style: Style) -> Iterator[str]:
    block = "█" if style.unicode else "#"
    for name, share in shares:
        text = name if len(name) <= _NAME else f"{name[: _NAME - 3]}..."
        bar = block * round(share * _BAR)
        yield f"{label:{_LABEL}}{text:{_NAME + 2}}{share:6.1%}  {bar}".rstrip()
        label = ""


def _wrapped(label: str, text: str) -> list[str]:
    first, other = label.ljust(_LABEL), " " * _LABEL
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=other)


def _coloured(text: str, style: Style) -> str:
    text = text.replace("\xa0", " ")
    if not style.colours:
        return text
    return _CARD_NAME.sub(lambda found: f"\x1b[{_SUITS[found[1]]}m{found[0]}\x1b[0m", text)


def _card(card: int) -> str:
    """Return a card as ``R1``."""
    return card_name(_GAME, card)


def _move(action: int) -> str:
    """Return a move as ``play 0`` or ``hint red``; positions count from 0, oldest card first."""
    return move_name(_GAME, action)


def _made(move: MadeMove) -> str:
    """Return a move and what it showed: ``hint red: cards 0, 3``, ``play 1: Y2 fits``."""
    if move.card is None:
        return f"{move.name}: player {move.hand}'s {_cards(move.touched)}"
    if move.action < PLAY:
        return f"{move.name}: {_card(move.card)}"
    return f"{move.name}: {_card(move.card)} {'fits' if move.fitted else 'does not fit'}"


def _cards(positions: tuple[int, ...]) -> str:
    listed = ", ".join(map(str, positions))
    return f"card {listed}" if len(positions) == 1 else f"cards {listed}"


def _hinted(card: SeenCard) -> str:
    """Return what hints said about a card: ``red 1``, ``red``, ``1`` or nothing."""
    colour = card.colours[-1] if card.colour_hinted else ""
    rank = str(card.ranks[-1]) if card.rank_hinted else ""
    return f"{colour} {rank}".strip()


def _open(card: SeenCard) -> tuple[str, str]:
    """Return the colours and ranks that the hints leave open, with dots for excluded ones."""
    colours = "".join(c[0].upper() if c in card.colours else "." for c in COLOUR_NAMES)
    ranks = "".join(str(rank) if rank in card.ranks else "." for rank in range(1, 6))
    return colours, ranks


def _possible(cards: tuple[int, ...]) -> str:
    """Return the cards that a card may be: up to three by name, more by their number."""
    if len(cards) > _LISTED:
        return f"{len(cards)} cards"
    return " ".join(map(_card, cards))


def _discards(view: View) -> str:
    """Return the discarded cards in a row, a number of equal ones as ``R1x2``; ``-`` for none."""
    piles = [(card, copies) for card, copies in enumerate(view.discard_counts) if copies]
    return " ".join(_card(c) + (f"x{n}" if n > 1 else "") for c, n in piles) or "-"


def _end(view: View) -> str:
    """Return how the game ended, or that its log is unfinished."""
    if not view.over:
        return f"unfinished after {view.turn} turns: score {view.score}"
    strict = "" if view.lives else f" (strict score {view.strict_score}: all lives are lost)"
    return f"over after {view.turn} turns: score {view.score}{strict}"
