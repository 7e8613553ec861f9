"""Figures of a table of meta-agents."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.axes import Axes

from hoad.adhoc.pool import Niche, Pool
from hoad.evaluation.agents import FEATURE_LABELS
from hoad.evaluation.meta_agents_players import GENERALIST, Training
from hoad.evaluation.meta_agents_table import MetaAgentTable
from hoad.evaluation.report.old import (
    COLOURS,
    MARKERS,
    add_legend,
    new_figure,
    save_figure,
)
from hoad.evaluation.statistics import estimate

GAMES_DRAWN: Final = 6
"""Games whose beliefs are drawn, as in Canaan et al. 2022, figure 3."""


def draw_by_game(table: MetaAgentTable, path: Path) -> None:
    """Draw how much more than the generalist each player scores, game by game.

    With the pool that it knows and with others; lenient scores, over the same decks. Where no
    generalist plays, scores themselves are drawn.
    """
    own = {True: "partners of the pool that it knows", False: "partners of other pools"}
    kinds = [True] if len(table.pools) == 1 else [True, False]
    compared = GENERALIST in table.players
    figure = new_figure(4.75 * len(kinds), 4.2)
    for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds, strict=True):
        for index, player in enumerate(table.players):
            if player == "random-response":
                continue  # so far below that no room is left for the others
            scores = table.over_scenarios(player, kind)
            if compared:
                scores = scores - table.over_scenarios(GENERALIST, kind)
            found = [estimate(column) for column in scores.T]
            means = np.array([one.mean for one in found])
            widths = np.nan_to_num([one.half_width for one in found])
            games = np.arange(1, len(found) + 1)
            colour = COLOURS[index % len(COLOURS)]
            axes.fill_between(games, means - widths, means + widths, color=colour, alpha=0.12, lw=0)
            marker = MARKERS[index % len(MARKERS)]
            axes.plot(games, means, color=colour, marker=marker, ms=4, lw=1.4, label=player)
        axes.set_title(own[kind], fontsize="medium")
        axes.set_xlabel("game of the episode")
        axes.grid(axis="y", color="#dddddd", lw=0.8)
        axes.spines[["top", "right"]].set_visible(False)
    label = "mean lenient score" + (" minus the generalist's" if compared else "")
    figure.supylabel(label, fontsize="medium")
    add_legend(figure, axes)
    save_figure(figure, path)


def draw_beliefs(beliefs: np.ndarray, pool: Pool, partner: Niche | None, path: Path) -> None:
    """Draw the beliefs before the first games of an episode over the niches of a population.

    Args:
        beliefs: shape ``(games, hypotheses)``.
        pool: the hypotheses, all of them elites.
        partner: its niche, which is framed.
        path: of the PNG file.
    """
    shown = beliefs[:GAMES_DRAWN]
    figure = new_figure(2.0 * len(shown) + 0.8, 2.6)
    panels = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    for game, (axes, belief) in enumerate(zip(panels, shown, strict=True)):
        image = axes.imshow(on_grid(pool, belief).T, vmin=0, vmax=1, cmap="magma_r", origin="lower")
        if partner is not None:
            axes.plot(*partner, marker="s", ms=15, mfc="none", mec="#0072B2", mew=2)
        axes.set_title(f"game {game + 1}", fontsize="medium")
        _tidy_grid(axes, pool)
    panels[0].set_ylabel(FEATURE_LABELS[1])
    figure.supxlabel(FEATURE_LABELS[0], fontsize="medium")
    figure.colorbar(image, ax=panels, label="belief", shrink=0.8)
    save_figure(figure, path)


def draw_response_tables(trainings: Sequence[Training], names: Sequence[str], path: Path) -> None:
    """Draw, for each hypothesis, the features of the niche of its best response.

    A row for each feature, a column for each pool, all of which are populations.
    """
    figure = new_figure(3.3 * len(trainings) + 0.8, 6.2)
    grid = figure.subplots(2, len(trainings), squeeze=False)
    for column, (training, name) in enumerate(zip(trainings, names, strict=True)):
        pool = training.pool
        niches = np.array(pool.niches, dtype=np.float64)
        responses = (niches[training.response_table(0)] + 0.5) / np.array(pool.grid)
        for feature in range(2):
            axes = grid[feature, column]
            values = on_grid(pool, responses[:, feature])
            image = axes.imshow(values.T, vmin=0, vmax=1, cmap="viridis", origin="lower")
            axes.set_title(f"{name}: {FEATURE_LABELS[feature]}", fontsize="medium")
            _tidy_grid(axes, pool)
    figure.supxlabel(f"{FEATURE_LABELS[0]} of the hypothesis", fontsize="medium")
    figure.supylabel(f"{FEATURE_LABELS[1]} of the hypothesis", fontsize="medium")
    figure.colorbar(image, ax=grid, label="of the best response", shrink=0.6)
    save_figure(figure, path)


def on_grid(pool: Pool, values: np.ndarray) -> np.ndarray:
    """Return the values of elites by niche; not a number where nobody lives."""
    assert pool.grid is not None
    grid = np.full(pool.grid, np.nan)
    for niche, value in zip(pool.niches, values, strict=True):
        assert niche is not None
        grid[niche] = value
    return grid


def _tidy_grid(axes: Axes, pool: Pool) -> None:
    assert pool.grid is not None
    steps = [1 if size <= 10 else 5 for size in pool.grid]
    axes.set_xticks(range(0, pool.grid[0], steps[0]))
    axes.set_yticks(range(0, pool.grid[1], steps[1]))
    axes.tick_params(length=0, labelsize="small")
    axes.spines[:].set_visible(False)
    axes.set_facecolor("#eeeeee")
