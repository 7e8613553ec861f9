"""Summary of recorded files: metadata and distribution of the scores, as text or as a figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.figure_files import new_figure, write_figure
from hoad.core.files import printable
from hoad.game.log import strict_scores
from hoad.game.state import PERFECT_SCORE
from hoad.replay.dataset import read_unchecked

_SCORES: Final = PERFECT_SCORE + 1  # from 0 on

_MAX_LINES: Final = 20  # shown of one attribute
_MAX_LENGTH: Final = 200  # characters of a line
_BAR: Final = 50  # characters of the longest bar
_MOST_PANELS: Final = 100  # of a figure; matplotlib draws no image of 65,536 pixels


@dataclass(frozen=True)
class Summary:
    """A file's metadata, and its number of games with each score, int64, shape ``(26,)``."""

    path: Path
    metadata: dict[str, Any]
    lenient: np.ndarray
    strict: np.ndarray


def summarise(path: Path) -> Summary:
    """Read the summary of a file (raises what `read_unchecked` raises)."""
    games = read_unchecked(path)
    strict = strict_scores(games.scores, games.lives)
    return Summary(
        path,
        dict(games.metadata),
        lenient=np.bincount(games.scores, minlength=_SCORES),
        strict=np.bincount(strict, minlength=_SCORES),
    )


def format_summary(summary: Summary) -> str:
    """Return lines of text: the metadata, and a histogram of the lenient score."""
    lines = [str(summary.path)]
    width = max(map(len, summary.metadata))
    for name, value in sorted(summary.metadata.items()):
        first, *more = _shorten(_format_value(name, value).splitlines()) or [""]
        lines.append(f"  {name:{width}}  {first}".rstrip())
        lines += [f"  {'':{width}}  {line}" for line in more]
    lines += ["", "  lenient score", *_bars(summary.lenient)]
    return "\n".join(map(printable, lines))


def _format_value(name: str, value: Any) -> str:
    if name == "agents":
        return "\n".join(" + ".join(agents) for agents in value)
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if name.startswith("total_") else str(value)


def _shorten(lines: list[str]) -> list[str]:
    """Shorten a long value, such as the names of hundreds of people."""
    shown = [
        line if len(line) <= _MAX_LENGTH else f"{line[:_MAX_LENGTH]}..."
        for line in lines[:_MAX_LINES]
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


def draw_scores(summaries: Sequence[Summary], path: Path) -> None:
    """Draw distributions of scores, one panel a file, of at most 100 files.

    Raises:
        HoadError: there are more files, or the figure cannot be written.
    """
    if len(summaries) > _MOST_PANELS:
        problem = f"a figure of {len(summaries)} files is too high"
        raise HoadError(f"{path}: {problem}; give at most {_MOST_PANELS} files with --png")
    figure = new_figure(7, 0.6 + 2.2 * len(summaries))
    panels = figure.subplots(len(summaries), 1, sharex=True, squeeze=False)[:, 0]
    for axes, summary in zip(panels, summaries, strict=True):
        scores, games = np.arange(_SCORES), max(summary.metadata["total_episodes"], 1)
        lenient, strict = 100 * summary.lenient / games, 100 * summary.strict / games
        axes.bar(scores, lenient, 0.85, color="#56B4E9", label="lenient")
        axes.step(scores, strict, where="mid", color="#D55E00", lw=1.3, label="strict")
        means = "mean {mean_lenient_score:.2f} (strict {mean_strict_score:.2f})"
        title = f"{summary.path.name}: {games:,} games, {means.format(**summary.metadata)}"
        axes.set_title(title, fontsize="medium")
        axes.set_ylabel("% of games")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].legend(frameon=False)
    panels[-1].set_xlabel("score")
    panels[-1].set_xticks(range(0, _SCORES, 5))
    write_figure(path, figure, new=True)
