"""What a table of meta-agents tells: the numbers of its report, for people and for programs."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from hoad.evaluation.meta_agents_run import MetaAgentsResult
from hoad.evaluation.meta_agents_table import PoolBeliefs
from hoad.evaluation.published import ACT_DIFFERENTLY, PUBLISHED_META_AGENTS
from hoad.evaluation.report.old import csv_text
from hoad.evaluation.statistics import SCORES, estimate
from hoad.evolution.elites import chromosome_of

COLUMNS: Final = (
    "trained_on",
    "met",
    "player",
    "partner",
    "lenient",
    "strict",
    "episodes",
    "games",
)
"""Of the CSV file: a line for each partner of each cell."""

TOLERANCE: Final = 3 * np.sqrt(2)
"""Standard errors of our mean that a published mean, with such an error too, may be away."""


@dataclass(frozen=True)
class BesidePublished:
    """A cell beside the published one.

    Attributes:
        here: our mean lenient score.
        published: theirs.
        limit: how far apart they may be: `TOLERANCE` standard errors of our episodes' mean.
    """

    here: float
    published: float
    limit: float

    @property
    def difference(self) -> float:
        """Ours minus theirs."""
        return self.here - self.published

    @property
    def agrees(self) -> bool:
        """Whether they are not too far apart."""
        return abs(self.difference) <= self.limit


@dataclass(frozen=True)
class Finding:
    """How often, and how soon, a belief finds a partner that is among its hypotheses.

    Attributes:
        belief: mean belief in the partner before each game, shape ``(games,)``.
        found: share of the episodes in which nobody else was as likely, before each game.
        ever: share of the episodes in which that was so before the last game.
        soon: median of the first game before which it was so and stayed so, counted from 1;
            of those episodes.
    """

    belief: np.ndarray
    found: np.ndarray
    ever: float
    soon: float


def beside_published(result: MetaAgentsResult) -> dict[tuple[int, int, str], BesidePublished]:
    """Return our cells beside the published ones that the recipe names, if it names some."""
    published = PUBLISHED_META_AGENTS.get(result.recipe.beside)
    if published is None:
        return {}
    found = {}
    for (trained, met, player), cell in result.table.cells.items():
        if player in published.scores:
            means = cell.episode_means()
            error = means.std(ddof=1) / np.sqrt(len(means))
            there = published.scores[player][trained][met]
            found[trained, met, player] = BesidePublished(
                float(means.mean()), there, float(TOLERANCE * error)
            )
    return found


def finding(beliefs: PoolBeliefs) -> Finding:
    """Return how a belief found the partners, over all episodes with all of them."""
    found = beliefs.found.astype(np.bool_)
    games = found.shape[-1]
    until_the_end = np.flip(np.cumprod(np.flip(found, -1), axis=-1), -1).sum(-1)
    first = games - until_the_end[until_the_end > 0] + 1
    return Finding(
        beliefs.in_partner.mean(axis=(0, 1)),
        found.mean(axis=(0, 1)),
        float((until_the_end > 0).mean()),
        float(np.median(first)) if len(first) else np.nan,
    )


def estimation_errors(result: MetaAgentsResult, trained: int, met: int) -> np.ndarray:
    """Return how far off the features are that the niche belief estimated of partners.

    Held against the middle of the partner's niche, over partners and episodes.

    Returns:
        float64, shape ``(2, 2)``: mean absolute and mean signed error; of each feature.
    """
    beliefs, pool = result.table.cells[trained, met, "niche"].beliefs, result.pools[met]
    assert beliefs is not None and pool.grid is not None
    middles = (np.array(pool.niches, dtype=np.float64) + 0.5) / np.array(pool.grid)
    errors = beliefs.estimates - middles[:, None]
    return np.array([np.abs(errors).mean(axis=(0, 1)), errors.mean(axis=(0, 1))])


def acting_differently(result: MetaAgentsResult, pool: int) -> dict[int, list[int]]:
    """Return the agents of a pool with rules that the published program has otherwise.

    By index: these rules.
    """
    found = {}
    for index, name in enumerate(result.pools[pool].agents):
        rules = sorted(ACT_DIFFERENTLY & set(chromosome_of(name)))
        if rules:
            found[index] = rules
    return found


def as_mapping(result: MetaAgentsResult) -> dict[str, Any]:
    """Return what is written as JSON."""
    table = result.table
    return {
        "made_with": dict(result.made_with),
        "seconds": dict(result.seconds),
        "recipe": result.recipe.model_dump(mode="json"),
        "pools": {
            name: list(pool.agents) for name, pool in zip(table.pools, result.pools, strict=True)
        },
        "cells": list(_cells(result)),
        "comparisons": list(_comparisons(result)),
        "gap_covered": {player: table.gap_covered(player) for player in table.players},
        "match_ups_beside_published": [
            {
                "population": check.population,
                "games": check.games,
                "agreements": [
                    {"compared_with": what, "pairs_with": group, "quantity": quantity}
                    | asdict(found)
                    for (what, group, quantity), found in check.differences.items()
                ],
            }
            for check in result.checks
        ],
        "response_tables": {
            name: training.response_table(0).tolist()
            for name, training in zip(table.pools, result.trainings, strict=True)
        },
    }


def _cells(result: MetaAgentsResult) -> Iterator[dict[str, Any]]:
    table, published = result.table, beside_published(result)
    for (trained, met, player), cell in table.cells.items():
        about: dict[str, Any] = {
            "trained_on": table.pools[trained],
            "met": table.pools[met],
            "player": player,
        }
        for score in SCORES:
            about[score] = asdict(estimate(cell.episode_means(score)))
        about["by_game"] = cell.by_game().mean(axis=0)
        if (trained, met, player) in published:
            beside = published[trained, met, player]
            about["published"] = asdict(beside) | {"agrees": beside.agrees}
        if cell.beliefs is not None and not np.isnan(cell.beliefs.found).any():
            about["finding"] = asdict(finding(cell.beliefs))
        if player == "niche":
            about["estimation_errors"] = estimation_errors(result, trained, met)
        yield about


def _comparisons(result: MetaAgentsResult) -> Iterator[dict[str, Any]]:
    table = result.table
    for scenario, first, second in table.comparisons():
        difference, paired, welch = table.compare(scenario, first, second)
        yield {
            "trained_on": table.pools[scenario[0]],
            "met": table.pools[scenario[1]],
            "first": first,
            "second": second,
            "difference": asdict(difference),
            "paired_p": paired.p,
            "welch_p": welch.p,
        }


def as_csv(result: MetaAgentsResult) -> str:
    """Return a line for each partner of each cell; columns are `COLUMNS`."""
    rows = []
    table = result.table
    for (trained, met, player), cell in table.cells.items():
        _, episodes, games = cell.lenient.shape
        means = cell.lenient.mean(axis=(1, 2)), cell.strict.mean(axis=(1, 2))
        for name, lenient, strict in zip(result.pools[met].agents, *means, strict=True):
            scores = [f"{lenient:.6g}", f"{strict:.6g}"]
            where = [table.pools[trained], table.pools[met], player, name]
            rows.append([*where, *scores, episodes, games])
    return csv_text(COLUMNS, rows)
