"""How the scores of an ad-hoc table are distributed, and the share of lost games of each player."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from hoad.agents.registry import shown_name
from hoad.reports.dots import draw_distributions
from hoad.reports.page import Block, Figure, Heading, Paragraph, Table
from hoad.reports.plots import PERFECT
from hoad.reports.statistics import Estimate, estimate, group_means, means_and_widths
from hoad.tables.adhoc.figures import from_the_best, looks_of
from hoad.tables.adhoc.table import AdhocResult

if TYPE_CHECKING:
    import matplotlib.figure

_QUANTILES = (0.1, 0.5, 0.9)


def distribution(result: AdhocResult) -> Iterator[Block]:
    """Yield the part of the report."""
    yield Heading("Lost games, and the scores of the others")
    words = (
        f"All games with {result.overall}. A game with the strict score 0 counts as lost: its last "
        "life was lost, or no card was played. Shares have 95 % intervals over repetitions; the "
        "quantiles are those of the strict scores of games that were not lost."
    )
    yield Paragraph(words)
    rows = []
    for player in from_the_best(result):
        scores, share = strict_scores(result, player), lost_share(result, player)
        cells = ["-"] * len(_QUANTILES)
        if scores.any():
            cells = [f"{value:.0f}" for value in np.quantile(scores[scores > 0], _QUANTILES)]
        width = "" if share.count < 2 else f" ± {100 * share.half_width:.1f}"
        rows.append([shown_name(player), f"{100 * share.mean:.1f}{width} %", *cells])
    heading = ["player", "lost games", *(f"{share:.0%}" for share in _QUANTILES)]
    yield Table([heading, *rows])
    caption = (
        f"Strict scores with {result.overall}: how often each score is reached in games that are "
        "not lost (white: the median), and the share of lost games with 95 % intervals."
    )
    yield Figure("distributions.png", caption, lambda: _draw(result))


def strict_scores(result: AdhocResult, player: str) -> np.ndarray:
    """Return the strict score of each game of a player, float64, one-dimensional."""
    return np.concatenate([cell.scores("strict").ravel() for cell in result.cells_of(player)])


def lost_share(result: AdhocResult, player: str) -> Estimate:
    """Return the share of games with the strict score 0, with its interval over repetitions."""
    is_lost = np.mean([cell.scores("strict") == 0 for cell in result.cells_of(player)], axis=0)
    return estimate(group_means(is_lost, result.table.repetitions(player)))


def _draw(result: AdhocResult) -> "matplotlib.figure.Figure":
    players = from_the_best(result)
    scores = [strict_scores(result, player).astype(np.int64) for player in players]
    counts = np.array([np.bincount(games, minlength=PERFECT + 1) for games in scores])
    means, widths = means_and_widths(lost_share(result, player) for player in players)
    names = [shown_name(player) for player in players]
    return draw_distributions(names, counts, (100 * means, 100 * widths), *looks_of(result))
