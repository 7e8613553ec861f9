"""A game as one HTML page that needs nothing else: no scripts, no network."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from hoad.game.moves import COLOUR_LETTERS, COLOUR_NAMES
from hoad.game.view import Turn, View
from hoad.studies.watch.story import Story, Told
from hoad.studies.watch.thoughts import Thought
from hoad.studies.watch.words import (
    LEGEND,
    end_text,
    hinted_text,
    made_text,
    move_text,
    open_text,
    standing_text,
    title_text,
    who_text,
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
        links=" ".join(f'<a href="#t{turn}">{turn}</a>' for turn in range(len(story.turns))),
        turns="\n".join(_section(story, turn, thought) for turn, thought in told),
        end=escape(end_text(story.turns[-1].view)),
    )


def _suit(letter: str) -> str:
    return f'<span class="{letter}">{_SYMBOLS[letter]}&#xFE0E; {letter}</span>'


def _face(card: int) -> str:
    """Return a card as symbol, letter and rank, in its colour."""
    letter = COLOUR_LETTERS[card // 5]
    return f'<span class="{letter}">{_SYMBOLS[letter]}&#xFE0E;{letter}{card % 5 + 1}</span>'


def _section(story: Story, turn: Turn, thought: Thought | None) -> str:
    view = turn.view
    discards = [_face(card) for card, n in enumerate(view.discard_counts) for _ in range(n)]
    parts = [
        f'<section id="t{view.turn}">',
        f"<h2>turn {view.turn}: {escape(who_text(turn, story.players))}</h2>",
        f"<p>{standing_text(view)}</p>",
        f"<p>fireworks {_fireworks(view)}</p>",
        f'<p class="faint">discards {" ".join(discards) or "none"}</p>',
    ]
    for player in range(2):
        parts += [f"<p>player {player}</p>", *_hand(turn, player)]
    if thought is not None:
        parts += _thought(thought)
    if turn.move is not None:
        parts.append(f'<p class="made">player {turn.move.seat}: {escape(made_text(turn.move))}</p>')
    return "\n".join([*parts, "</section>"])


def _fireworks(view: View) -> str:
    tops = zip(_SYMBOLS, view.fireworks.values(), strict=True)
    return " ".join(f"{_suit(letter)}{height}" for letter, height in tops)


def _hand(turn: Turn, player: int) -> Iterator[str]:
    view, touched = turn.view, turn.move.deck_indices if turn.move else ()
    yield '<ol class="hand">'
    for card in view.hands[player]:
        marks = ' class="touched"' if card.deck_index in touched else ""
        moves_now = player == view.player
        possible = view.possible_to_holder(player, card) if moves_now else view.possible(card)
        face = "" if card.number is None else _face(card.number)
        yield (
            f'<li{marks}><span class="face">{face}</span>'
            f'<span class="hints">{escape(hinted_text(card)) or "&ndash;"}</span>'
            f'<span class="open">{"<br>".join(open_text(card))}</span>'
            f'<span class="may">{_possible(possible)}</span>'
            f'<span class="is">{view.known(card)}</span></li>'
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
