"""A game as one HTML page that needs nothing else: no scripts, no network."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hoad.game.moves import COLOUR_LETTERS, COLOUR_NAMES
from hoad.game.view import SeenCard, View
from hoad.reports.words import page
from hoad.studies.watch import words
from hoad.studies.watch.story import Story, Told
from hoad.studies.watch.thoughts import Thought

_SYMBOLS: Final = dict(zip(COLOUR_LETTERS, "▲●◆○■", strict=True))
"""By the letter of a suit, so that no suit is told by its colour alone."""

_SHOWN: Final = 6


def page_of(story: Story, told: Iterable[Told]) -> str:
    """Return the page; it reads like :func:`hoad.studies.watch.text.text_of`."""
    return page(
        "game.html",
        title=words.title_text(story.players, story.source),
        story=story,
        told=told,
        words=words,
        symbols=_SYMBOLS,
        letters=COLOUR_LETTERS,
        names=list(zip(COLOUR_LETTERS, COLOUR_NAMES, strict=True)),
        fireworks=lambda view: list(zip(COLOUR_LETTERS, view.fireworks.values(), strict=True)),
        discards=_discards,
        possible_cards=_possible_cards,
        moves=_moves,
        shown=_SHOWN,
    )


def _discards(view: View) -> list[int]:
    return [card for card, copies in enumerate(view.discard_counts) for _ in range(copies)]


def _possible_cards(view: View, player: int, card: SeenCard) -> Sequence[int]:
    moves_now = player == view.player
    return view.possible_to_holder(player, card) if moves_now else view.possible(card)


def _moves(thought: Thought) -> Iterator[tuple[str, float]]:
    return ((words.move_text(move), share) for move, share in thought.moves[:_SHOWN])
