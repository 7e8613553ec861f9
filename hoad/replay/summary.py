"""What a recorded file says of itself, for people: its card and how its games' scores spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.core.files import write_atomically
from hoad.replay.dataset import read_card, read_scores

_SCORES: Final = 26
"""From 0 to the perfect score."""

_MOST_LINES: Final = 20
_MOST_LETTERS: Final = 200
"""What is shown of one attribute."""

_BAR: Final = 50
"""Letters of the longest bar."""


@dataclass(frozen=True)
class Card:
    """A file's attributes and its scores.

    Attributes:
        path: The file.
        attributes: What made it, and Minari's names.
        lenient: Number of games with each lenient score, int64, shape ``(26,)``.
        strict: The same for the strict score.
    """

    path: Path
    attributes: dict[str, Any]
    lenient: np.ndarray
    strict: np.ndarray


def load_card(path: Path) -> Card:
    """Read a file's card.

    Raises:
        HoadError: The file is missing, foreign, damaged or of another version.
    """
    lenient, strict = read_scores(path)
    counts = (np.bincount(scores, minlength=_SCORES) for scores in (lenient, strict))
    return Card(path, read_card(path), *counts)


def write_card(card: Card) -> str:
    """Return the card as lines of text: attributes and a histogram of the lenient score."""
    lines = [str(card.path)]
    width = max(map(len, card.attributes))
    for name, value in sorted(card.attributes.items()):
        first, *more = _cut(_words(name, value).splitlines()) or [""]
        lines.append(f"  {name:{width}}  {first}".rstrip())
        lines += [f"  {'':{width}}  {line}" for line in more]
    lines += ["", "  lenient score", *_bars(card.lenient)]
    return "\n".join(lines)


def _words(name: str, value: Any) -> str:
    if name == "agents":
        return "\n".join(" + ".join(agents) for agents in value)
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if name.startswith("total_") else str(value)


def _cut(lines: list[str]) -> list[str]:
    """Leave out what is too much, as the names of hundreds of people would be."""
    shown = [
        line if len(line) <= _MOST_LETTERS else f"{line[:_MOST_LETTERS]}..."
        for line in lines[:_MOST_LINES]
    ]
    more = len(lines) - len(shown)
    return [*shown, f"and {more:,} more"] if more else shown


def _bars(counts: np.ndarray) -> list[str]:
    games, most = max(int(counts.sum()), 1), max(int(counts.max()), 1)
    return [
        f"  {score:2} {'#' * round(_BAR * count / most):{_BAR}} {100 * count / games:5.1f} %"
        for score, count in enumerate(counts.tolist())
        if count
    ]


def draw_scores(cards: Sequence[Card], path: Path) -> None:
    """Draw how the scores spread, one panel a file, into a PNG file.

    Raises:
        HoadError: The file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # half a second: only for pictures
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.6 + 2.2 * len(cards)), layout="constrained", dpi=120)
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(cards), 1, sharex=True, squeeze=False)[:, 0]
    for axes, card in zip(panels, cards, strict=True):
        games = max(card.attributes["total_episodes"], 1)
        scores = np.arange(_SCORES)
        axes.bar(scores, 100 * card.lenient / games, 0.85, color="#56B4E9", label="lenient")
        axes.step(
            scores, 100 * card.strict / games, where="mid", color="#D55E00", lw=1.3, label="strict"
        )
        means = (card.attributes[f"mean_{score}_score"] for score in ("lenient", "strict"))
        axes.set_title(
            "{}: {:,} games, mean {:.2f} (strict {:.2f})".format(card.path.name, games, *means),
            fontsize="medium",
        )
        axes.set_ylabel("% of games")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].legend(frameon=False)
    panels[-1].set_xlabel("score")
    panels[-1].set_xticks(range(0, _SCORES, 5))
    with write_atomically(path) as file:
        figure.savefig(file, format="png")
