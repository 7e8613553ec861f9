"""A game as plain text of 80 columns, with colours and bars where the terminal has them."""

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

from hoad.game.moves import COLOUR_LETTERS
from hoad.game.view import Turn, View
from hoad.studies.watch.story import Story, Told
from hoad.studies.watch.thoughts import Thought
from hoad.studies.watch.words import (
    LEGEND,
    card_text,
    discards_text,
    end_text,
    fireworks_text,
    hinted_text,
    made_text,
    move_text,
    open_text,
    possible_text,
    seen_text,
    standing_text,
    title_text,
    who_text,
)

WIDTH: Final = 80
_LABEL: Final = 10
_CARD: Final = 14
_BAR: Final = 20
_NAME: Final = 32
_SHOWN: Final = 6  # most moves and names that a list of thoughts has

_SUITS: Final = dict(zip(COLOUR_LETTERS, ("31", "33", "32", "1", "34"), strict=True))
_CARD_NAME: Final = re.compile(r"\b([RYGWB])[0-5]\b")


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
    title = textwrap.fill(title_text(story.players, story.source), WIDTH)
    yield f"{title}\n\n{textwrap.fill(LEGEND, WIDTH)}"
    for turn, thought in told:
        lines = [_heading(story, turn, style), *_table(turn.view)]
        for player in range(2):
            lines += ["", *_hand(turn.view, player)]
        if thought is not None:
            lines += ["", *_thought(thought, turn, style)]
        if turn.move is not None:
            lines += ["", f"player {turn.move.seat}: {made_text(turn.move)}"]
        yield "\n" + _coloured("\n".join(lines), style)
    yield f"\n{end_text(story.turns[-1].view)}"


def _heading(story: Story, turn: Turn, style: Style) -> str:
    line = "─" if style.unicode else "-"
    text = f"turn {turn.view.turn}: {who_text(turn, story.players)}"
    if len(text) > WIDTH - 6:
        text = f"{text[: WIDTH - 9]}..."
    return f"{line * 2} {text} ".ljust(WIDTH, line)


def _table(view: View) -> Iterator[str]:
    yield standing_text(view)
    yield _row("fireworks", [fireworks_text(view)])
    yield from _wrapped("discards", discards_text(view))


def _hand(view: View, player: int) -> Iterator[str]:
    """Yield a hand, seen by the other player, above what its holder knows of each card."""
    hand = view.hands[player]
    possible = [view.possible(card) for card in hand]
    to_holder = [view.possible_to_holder(player, card) for card in hand]
    knowledge = [view.known(card) for card in hand]
    yield _row(f"player {player}", [seen_text(card) for card in hand])
    yield _row("  hints", [hinted_text(card) or "-" for card in hand])
    yield _row("  open", [" ".join(open_text(card)) for card in hand])
    yield _row("  may be", map(possible_text, possible))
    if player == view.player and to_holder != possible:
        yield _row("  as seen", map(possible_text, to_holder))
    if any(knowledge):
        yield _row("  is", knowledge)


def _row(label: str, cells: Iterable[str]) -> str:
    return (label.ljust(_LABEL) + "".join(cell.ljust(_CARD) for cell in cells)).rstrip()


def _thought(thought: Thought, turn: Turn, style: Style) -> Iterator[str]:
    made = None if turn.move is None else turn.move.action
    shown = thought.moves[:_SHOWN]
    moves = [(move_text(move) + " *" * (move == made), share) for move, share in shown]
    yield from _bars("moves", moves, style)
    if thought.candidates:
        scores = (f"{move_text(each.move)} {each.mean:.2f}" for each in thought.candidates)
        unbroken = ", ".join(score.replace(" ", "\xa0") for score in scores)
        yield from _wrapped("expects", unbroken)
    if thought.partner:
        yield from _bars("partner", thought.partner[:_SHOWN], style)
    if thought.candidates:
        yield _row("believes", map(_likeliest, thought.odds))


def _likeliest(odds: Sequence[float]) -> str:
    return f"{card_text(odds.index(max(odds)))} {max(odds):.0%}"


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
