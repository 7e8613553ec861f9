"""A game as one HTML page that needs nothing else: no scripts, no network."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from hoad.game.moves import COLOUR_LETTERS, COLOUR_NAMES
from hoad.replay.turns import ToldCard, Turn
from hoad.studies.watch.story import Story, Told
from hoad.studies.watch.thoughts import Thought
from hoad.studies.watch.words import (
    LEGEND,
    RANKS,
    end_text,
    hinted_text,
    left_open,
    made_text,
    move_text,
    title_text,
)

_TEMPLATE: Final = Path(__file__).with_name("page.html")
_SYMBOLS: Final = dict(zip(COLOUR_LETTERS, "▲●◆○■", strict=True))
"""By the letter of a suit, so that no suit is told by its colour alone."""

_LISTED: Final = 3
_SHOWN: Final = 6


def page_of(story: Story, told: Iterable[Told]) -> str:
    """Return the page; it reads like :func:`hoad.studies.watch.text.text_of`."""
    suits = (f"{_suit(letter)} {name}" for letter, name in zip(_SYMBOLS, COLOUR_NAMES, strict=True))
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(title_text(story.players, story.source)),
        legend=escape(LEGEND),
        suits=", ".join(suits),
        links=" ".join(f'<a href="#t{turn.number}">{turn.number}</a>' for turn in story.turns),
        turns="\n".join(_section(story, turn, thought) for turn, thought in told),
        end=escape(end_text(story.turns[-1])),
    )


def _suit(letter: str) -> str:
    return f'<span class="{letter}">{_SYMBOLS[letter]}&#xFE0E; {letter}</span>'


def _face(card: int) -> str:
    """Return a card as symbol, letter and rank, in its colour."""
    letter = COLOUR_LETTERS[card // 5]
    return f'<span class="{letter}">{_SYMBOLS[letter]}&#xFE0E;{letter}{card % 5 + 1}</span>'


def _section(story: Story, turn: Turn, thought: Thought | None) -> str:
    who = "the end" if turn.move is None else f"player {turn.player}, {story.players[turn.player]}"
    parts = [
        f'<section id="t{turn.number}">',
        f"<h2>turn {turn.number}: {escape(who)}</h2>",
        f"<p>score {turn.score}, {turn.lives} lives, hint tokens {turn.tokens}, "
        f"{turn.deck_left} cards in the deck</p>",
        f"<p>fireworks {_fireworks(turn)}</p>",
        f'<p class="faint">discards {" ".join(map(_face, turn.discards)) or "none"}</p>',
    ]
    for player, hand in enumerate(turn.hands):
        parts += [f"<p>player {player}</p>", *_hand(player, hand, turn)]
    if thought is not None:
        parts += _thought(thought)
    if turn.move is not None:
        parts.append(f'<p class="made">player {turn.player}: {escape(made_text(turn.move))}</p>')
    return "\n".join([*parts, "</section>"])


def _fireworks(turn: Turn) -> str:
    tops = zip(_SYMBOLS, turn.fireworks, strict=True)
    return " ".join(f"{_suit(letter)}{height}" for letter, height in tops)


def _hand(player: int, hand: Sequence[ToldCard], turn: Turn) -> Iterator[str]:
    yield '<ol class="hand">'
    for position, card in enumerate(hand):
        move = turn.move
        touched = move is not None and move.hand == player and position in move.touched
        marks = ' class="touched"' if touched else ""
        seen = card.to_holder if player == turn.player else card.possible
        yield (
            f'<li{marks}><span class="face">{_face(card.card)}</span>'
            f'<span class="hints">{escape(hinted_text(card)) or "&ndash;"}</span>'
            f'<span class="open">{left_open(COLOUR_LETTERS, card.colours, ".")}<br>'
            f"{left_open(RANKS, card.ranks, '.')}</span>"
            f'<span class="may">{_possible(seen)}</span>'
            f'<span class="is">{card.known}</span></li>'
        )
    yield "</ol>"


def _possible(cards: Sequence[int]) -> str:
    return f"{len(cards)} cards" if len(cards) > _LISTED else " ".join(map(_face, cards))


def _thought(thought: Thought) -> Iterator[str]:
    yield "<table>"
    yield from _rows("moves", ((move_text(m), share) for m, share in thought.moves[:_SHOWN]))
    yield from _rows("partner", thought.partner[:_SHOWN])
    yield "</table>"
    if thought.scores:
        scores = (f"{move_text(move)} {mean:.2f}" for move, mean in thought.scores)
        yield f'<p class="faint">expected scores: {", ".join(scores)}</p>'
    if thought.cards:
        cards = (f"{_face(found[0][0])} {found[0][1]:.0%}" for found in thought.cards)
        yield f'<p class="faint">believes its cards are: {", ".join(cards)}</p>'


def _rows(label: str, shares: Iterable[tuple[str, float]]) -> Iterator[str]:
    for name, share in shares:
        bar = f'<i style="width:{share:.0%}"></i>'
        yield (
            f"<tr><th>{label}</th><td>{escape(name)}</td><td>{share:.1%}</td>"
            f'<td class="bar">{bar}</td></tr>'
        )
        label = ""
