"""The figures of the report on an ad-hoc table, and its parts on lost games and best responses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hoad.adhoc_player import Beliefs
from hoad.agents.registry import shown_name
from hoad.core.figure_files import new_figure
from hoad.game.state import PERFECT_SCORE
from hoad.reports.dots import draw_distributions, draw_dots
from hoad.reports.page import Block, Figure, Heading, Paragraph, Table
from hoad.reports.plots import (
    MOST_CURVES,
    SCORE_RANGE,
    Panel,
    Series,
    draw_intervals,
    draw_lines,
    frameless,
)
from hoad.reports.statistics import SCORES, Estimate, estimate, group_means, means_and_widths, show
from hoad.reports.styles import Style, styles_of
from hoad.tables.adhoc.recipe import HEADLINE_PLAYERS
from hoad.tables.adhoc.table import MOST_SIDE_BY_SIDE, AdhocResult
from hoad.tables.meta_training import SHOTS, MetaTraining, at_common_steps

if TYPE_CHECKING:
    import matplotlib.figure


_NOTICED: Final = 0.06
"""Hypotheses whose mean belief never exceeds this after the first game are summed. It is more than
the first belief, where that is uniform, in pools of more than 16 agents."""

_SMALL_CELL: Final = 0.24  # width and height of a belief, in inches
_SCALE: Final = 5.0  # the most height of the scale of beliefs, in inches
_LETTER: Final = 0.075  # approximate width of a letter of a hypothesis's name, in inches


def score_figures(result: AdhocResult) -> Iterator[Figure]:
    """Yield the mean of each player over all partners, and the whole table."""
    what = f"Mean strict scores with {result.overall}, with 95 % intervals over repetitions"
    apart = "; players that know the partner stand apart" if result.knowing else ""
    row = {f"with {result.overall}": result.overall}
    draw = partial(_draw_dots, result, from_the_best(result), row)
    yield Figure("means.png", f"{what}{apart}.", draw)
    if len(result.recipe.players) <= MOST_SIDE_BY_SIDE:
        caption = "Mean scores with 95 % intervals over repetitions, cut at 0 and 25."
        yield Figure("players.png", caption, partial(_draw_side_by_side, result))
        return
    caption = "Mean strict scores by partner, with 95 % intervals over repetitions."
    rows = {row: row for row in (result.overall, *result.table.rows)}  # the mean comes first
    draw = partial(_draw_dots, result, [*result.competing, *result.knowing], rows)
    yield Figure("players_strict.png", caption, draw)


def by_game_figure(result: AdhocResult) -> Figure:
    """Return the mean score of each game of an episode."""
    caption = "Mean score of each game of an episode, with 95 % intervals over repetitions."
    players, drawn = result.recipe.players, drawn_by_game(result)
    if len(drawn) < len(players):
        caption += (
            f" {len(drawn)} of {len(players)} players: first the main ones, then those with "
            "the largest change of the strict score between the first two games and the last two."
        )
    return Figure("by_game.png", caption, partial(_draw_by_game, result, drawn))


def drawn_by_game(result: AdhocResult) -> list[str]:
    """Return the players of the curves by game: all, or `MOST_CURVES` of them."""
    players = result.recipe.players
    main = [player for player in players if player in HEADLINE_PLAYERS]

    def change(player: str) -> float:
        scores = result.table.scores(result.overall, player, "strict")
        return abs(float(scores[:, -2:].mean() - scores[:, :2].mean()))

    others = sorted({*players} - {*main}, key=lambda player: (-change(player), player))
    chosen = [*main, *others][:MOST_CURVES]
    return [player for player in players if player in chosen]


def belief_figure(result: AdhocResult) -> Iterator[Figure]:
    """Yield what players believe about each partner, if some do: a panel for each of them."""
    if result.beliefs:
        caption = (
            "Belief about each partner before each game, mean over the episodes. Hypotheses that "
            f"stay at or below {_NOTICED:.0%} after the first game are summed as others."
        )
        yield Figure("beliefs.png", caption, partial(draw_beliefs, result.beliefs))


def from_the_best(result: AdhocResult) -> list[str]:
    """Return the players, the best strict score first; those that know the partner come last."""

    def score(player: str) -> float:
        return result.table.over_repetitions(result.overall, player, "strict").mean

    return [
        player
        for players in (result.competing, result.knowing)
        for player in sorted(players, key=score, reverse=True)
    ]


def _draw_dots(
    result: AdhocResult, players: Sequence[str], rows: Mapping[str, str]
) -> "matplotlib.figure.Figure":
    """Draw a line for each player, and a panel for each row of the table, by title."""
    panels = {}
    for title, row in rows.items():
        scores = (result.table.over_repetitions(row, player, "strict") for player in players)
        panels[title] = means_and_widths(scores)
    return draw_dots([*map(shown_name, players)], panels, "mean strict score", *looks_of(result))


def looks_of(result: AdhocResult) -> tuple[dict[str, Style], int]:
    """Return the same styles for all figures, and how many players stand apart."""
    return styles_of(map(shown_name, result.recipe.players)), len(result.knowing)


def _draw_side_by_side(result: AdhocResult) -> "matplotlib.figure.Figure":
    table = result.table
    panels: dict[str, dict[str, tuple[np.ndarray, np.ndarray]]] = {}
    for score, player in product(SCORES, table.players):
        scores = [table.over_repetitions(row, player, score) for row in table.rows]
        panels.setdefault(f"{score} score", {})[shown_name(player)] = means_and_widths(scores)
    return draw_intervals(panels, list(map(shown_name, table.rows)), "held-out partner")


def _draw_by_game(result: AdhocResult, players: Sequence[str]) -> "matplotlib.figure.Figure":
    table, row = result.table, result.overall
    games = range(1, result.recipe.games_per_episode + 1)
    styles, _ = looks_of(result)
    panels = []
    for score in SCORES:
        lines = []
        for player in players:
            name, means = shown_name(player), table.by_game(row, player, score)
            lines.append(replace(Series.of_estimates(name, games, means), style=styles[name]))
        label = "game of the episode (odd: partner first)"
        panels.append(Panel(label, f"{score} score", lines, y_range=SCORE_RANGE))
    return draw_lines(panels, title=f"with {row}")


def draw_beliefs(beliefs: Mapping[tuple[str, str], Beliefs]) -> "matplotlib.figure.Figure":
    """Draw beliefs by partner and player: side by side those of the same hypotheses."""
    by_pool: dict[tuple[str, tuple[str, ...]], dict[str, np.ndarray]] = {}
    for (partner, player), believed in beliefs.items():
        by_pool.setdefault((partner, believed.hypotheses), {})[player] = believed.means
    rows = [(partner, *noticed(pool, players)) for (partner, pool), players in by_pool.items()]
    heights = [len(names) for _, names, _ in rows]
    across, games = max(map(len, by_pool.values())), len(next(iter(beliefs.values())).means)
    words = _LETTER * max(len(name) for _, names, _ in rows for name in names)
    width = across * (_SMALL_CELL * games + 0.25) + words + 1.3
    height = sum(_SMALL_CELL * height + 0.5 for height in heights) + 0.5
    figure = new_figure(width, height)
    grid = figure.subplots(len(rows), across, squeeze=False, height_ratios=heights)
    image: Any = None
    for line, (partner, names, panels) in zip(grid, rows, strict=True):
        line[0].set_ylabel(f"about {shown_name(partner)}")
        for axes, (player, matrix) in zip(line, panels.items(), strict=False):
            image = axes.imshow(matrix, vmin=0, vmax=1, cmap="magma_r", aspect="auto")
            frameless(axes, shown_name(player), labelsize="small")
            axes.set_yticks(range(len(names)), names if axes is line[0] else [])
            axes.set_xticks(range(games), [str(game + 1) for game in range(games)])
        for axes in line[len(panels) :]:
            axes.set_axis_off()
    figure.supxlabel("before this game of the episode", fontsize="medium")
    shrink = min(1.0, _SCALE / height)
    figure.colorbar(image, ax=grid, label="mean belief", aspect=30, shrink=shrink, anchor=(0, 1))
    return figure


def noticed(
    hypotheses: Sequence[str], players: Mapping[str, np.ndarray]
) -> tuple[list[str], dict[str, np.ndarray]]:
    """Return hypotheses that some player notices, and each player's beliefs in them by game.

    ``players`` have beliefs of shape ``(games, hypotheses)``; those returned are transposed. The
    last row is the sum of the other hypotheses, if there are any.
    """
    later = [means[1:] if len(means) > 1 else means for means in players.values()]
    kept = np.max([means.max(axis=0) for means in later], axis=0) > _NOTICED
    names = [_short(name) for name, keep in zip(hypotheses, kept, strict=True) if keep]
    shown = {player: means[:, kept].T for player, means in players.items()}
    if not kept.all():
        names.append(f"{np.count_nonzero(~kept)} others")
        rest = {player: means[:, ~kept].sum(axis=1) for player, means in players.items()}
        shown = {player: np.vstack([shown[player], rest[player]]) for player in players}
    return names, shown


def _short(hypothesis: str) -> str:
    """Return the name of an elite without its population, which is that of the table."""
    kind, _, rest = hypothesis.partition(":")
    return f"{kind} {rest.rpartition('/')[2]}" if kind == "elite" else hypothesis


def draw_training(trainings: Mapping[str, MetaTraining]) -> "matplotlib.figure.Figure":
    """Draw accuracy and score with the held-out partner during meta-training.

    Each meta-model is a thin line; points are their mean where all have a value.
    """
    panels, styles = [], styles_of(SHOTS)
    with_curves = [training.curves for training in trainings.values() if training.curves]
    for what, highest in (("accuracy", 1), ("strict score", PERFECT_SCORE)):
        lines = []
        for shot in SHOTS:
            curves, means = at_common_steps(with_curves, f"held-out/{shot} {what}")
            pale = replace(styles[shot], marker="", shade=0.35)
            lines += [
                Series(f"{shot}, each model", list(curve), list(curve.values()), style=pale)
                for curve in curves
            ]
            lines.append(
                Series(f"{shot}, mean", list(means), list(means.values()), style=styles[shot])
            )
        label = f"{what} with the held-out partner"
        panels.append(Panel("steps of meta-training", label, lines, y_range=(0, highest)))
    return draw_lines(panels)


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
        scores, share = scores_of_games(result, player), lost_share(result, player)
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


def scores_of_games(result: AdhocResult, player: str) -> np.ndarray:
    """Return the strict score of each game of a player, float64, one-dimensional."""
    return np.concatenate([cell.scores("strict").ravel() for cell in result.cells_of(player)])


def lost_share(result: AdhocResult, player: str) -> Estimate:
    """Return the share of games with the strict score 0, with its interval over repetitions."""
    is_lost = np.mean([cell.scores("strict") == 0 for cell in result.cells_of(player)], axis=0)
    return estimate(group_means(is_lost, result.table.repetitions(player)))


def _draw(result: AdhocResult) -> "matplotlib.figure.Figure":
    players = from_the_best(result)
    scores = [scores_of_games(result, player).astype(np.int64) for player in players]
    counts = np.array([np.bincount(games, minlength=PERFECT_SCORE + 1) for games in scores])
    means, widths = means_and_widths(lost_share(result, player) for player in players)
    names = [shown_name(player) for player in players]
    return draw_distributions(names, counts, (100 * means, 100 * widths), *looks_of(result))


BEST_RESPONSE: Final = "search-oracle"


def proximity(result: AdhocResult) -> list[Block]:
    """Return the part of the report, which is empty without a column of the best response."""
    table = result.table
    if BEST_RESPONSE not in table.players:
        return []
    players = [player for player in table.players if player != BEST_RESPONSE]
    rows = [["BR-Prox", *map(shown_name, table.rows)]]
    for player in players:
        shares = [show(share_of_best(result, row, player)) for row in table.rows]
        rows.append([shown_name(player), *shares])
    words = (
        f"Mean strict score divided by that of {BEST_RESPONSE}, with 95 % intervals (delta "
        "method, as if the two scores were independent). Over several partners it is the share "
        "of the means."
    )
    return [Heading("Share of the best response's score"), Paragraph(words), Table(rows)]


def share_of_best(result: AdhocResult, row: str, player: str) -> Estimate:
    """Return the share of the best response's strict score; NaN where that is 0."""
    own, best = (result.table.over_repetitions(row, p, "strict") for p in (player, BEST_RESPONSE))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.float64(own.mean) / best.mean
        width = np.hypot(own.half_width, share * best.half_width) / best.mean
    return Estimate(float(share), float(width), min(own.count, best.count))
