"""A game as one HTML page that needs no other file and no network.

It shows the game as ``play.py`` does, with the same script and style. Its policy allows that script
alone, by its hash, so nothing in a name or a log can run.
"""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from hoad.game.view import Turn
from hoad.reports.page import page
from hoad.watch.position import card_odds, moves_made, position
from hoad.watch.story import Story, Told
from hoad.watch.text import title_text

FILES: Final = Path(__file__).with_name("page_files")
"""The script and the style of a game on a page, which ``play.py`` uses too."""


def page_of(story: Story, told: Iterable[Told], others: dict[str, str] | None = None) -> str:
    """Return the page; ``others`` are addresses of other games by the words of their links."""
    shown = game_data(story.turns) | {
        "title": story.source,
        "players": story.players,
        "notes": story.card_notes,
        "thoughts": [
            None if thought is None else asdict(thought) | {"odds": _rounded(thought.odds)}
            for _, thought in told
        ],
        "others": others or {},
    }
    return page(
        "game.html",
        title=title_text(story),
        policy=policy(),
        style=_style(),
        script=_script(),
        help=help_dialog(),
        game=json.dumps(shown, separators=(",", ":")).replace("<", "\\u003c"),
    )


def game_data(turns: Sequence[Turn]) -> dict[str, Any]:
    """Return a whole game as the script of the page expects it, without its players.

    It has all ``positions``, from the deal to the end, the moves ``made``, and by turn and player
    the ``odds`` of the cards: what the holder can work out from what it sees. ``shared_odds`` are
    what its partner knows that the holder can work out.
    """
    return {
        "positions": [position(turn.view) for turn in turns],
        "made": moves_made(turns[-1].view),
        "odds": _odds(turns, sees_partner=True),
        "shared_odds": _odds(turns, sees_partner=False),
    }


def _odds(turns: Sequence[Turn], sees_partner: bool) -> list[list[list[list[float]]]]:
    return [
        [_rounded(card_odds(turn.state[0], player, sees_partner)) for player in range(2)]
        for turn in turns
    ]


def policy() -> str:
    """Return the Content-Security-Policy of the page: its own script and style, and nothing else.

    A policy in the page cannot forbid frames; a server adds that.
    """
    style, script = (_hash(text) for text in (_style(), _script()))
    return f"default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data:"


def help_dialog() -> str:
    """Return the explanation of rules and symbols, which ``play.py`` shows too."""
    return (FILES / "help.html").read_text(encoding="utf-8")


def _rounded(odds: Iterable[Iterable[float]]) -> list[list[float]]:
    return [[round(share, 4) for share in card] for card in odds]


def _style() -> str:
    return (FILES / "style.css").read_text(encoding="utf-8")


def _script() -> str:
    return "\n".join((FILES / name).read_text(encoding="utf-8") for name in ("table.js", "game.js"))


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
