"""The result of an ad-hoc evaluation, as numbers for programs."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any, Final

from hoad.adhoc.bayes.recorder import Beliefs
from hoad.evaluation.adhoc_recipe import AdhocRecipe
from hoad.evaluation.adhoc_rows import Row
from hoad.evaluation.adhoc_table import SEATS, AdhocTable
from hoad.evaluation.crossplay import CrossPlay
from hoad.evaluation.meta_training import SHOTS, MetaTraining
from hoad.evaluation.published import published
from hoad.evaluation.report.old import csv_text
from hoad.evaluation.statistics import SCORES

COLUMNS: Final = (
    "partner",
    "player",
    "score",
    "seat",
    "mean",
    "half_width",
    "repetitions",
    "half_width_over_games",
    "games",
)
"""Of the CSV file; half widths are those of 95 % intervals, the first one over repetitions.

Where a row is a mean over partners, each value is one too; ``games`` counts those of all partners.
"""


@dataclass(frozen=True)
class AdhocResult:
    """All that there is to tell.

    Attributes:
        recipe: what was asked for.
        rows: what was played, by partner.
        cross_play: of partners and agents with each other.
        made_with: :func:`hoad.core.provenance.provenance`.
        seconds_besides: wall time of what is no row's: match-ups and cross-play.
    """

    recipe: AdhocRecipe
    rows: Mapping[str, Row]
    cross_play: CrossPlay
    made_with: Mapping[str, str | int]
    seconds_besides: float

    @property
    def table(self) -> AdhocTable:
        """The games."""
        partners, players = self.recipe.partners, self.recipe.players
        cells = {(a, b): self.rows[a].cells[b] for a, b in product(partners, players)}
        return AdhocTable(partners, players, cells)

    @property
    def beliefs(self) -> dict[str, Beliefs]:
        """What the adaptive meta-agent believed, by partner, if it played."""
        if "adaptive" not in self.recipe.players:
            return {}
        return {partner: row.beliefs for partner, row in self.rows.items() if row.beliefs}

    @property
    def trainings(self) -> dict[str, MetaTraining]:
        """The trainings of the rows' meta-models, as far as they are known, if any play."""
        if not any(player.startswith(SHOTS) for player in self.recipe.players):
            return {}
        return {partner: row.training for partner, row in self.rows.items() if row.training}

    @property
    def seconds(self) -> float:
        """Wall time of all games, and of all learning for them, in however many parts."""
        return self.seconds_besides + sum(row.seconds for row in self.rows.values())


def as_mapping(result: AdhocResult) -> dict[str, Any]:
    """Return what is written as JSON."""
    table = result.table
    return {
        "made_with": dict(result.made_with),
        "seconds": result.seconds,
        "recipe": result.recipe.model_dump(mode="json"),
        "rows": {
            partner: {"made_with": row.made_with, "seconds": row.seconds}
            for partner, row in result.rows.items()
        },
        "cells": [_cell(table, row, player) for row, player in product(table.rows, table.players)],
        "comparisons": {score: list(_comparisons(table, score)) for score in SCORES},
        "beliefs": {partner: beliefs._asdict() for partner, beliefs in result.beliefs.items()},
        "cross_play": result.cross_play.as_mapping(),
        "meta_training": {partner: vars(found) for partner, found in result.trainings.items()},
    }


def as_csv(result: AdhocResult) -> str:
    """Return a line for each partner, player, score and seat; columns are `COLUMNS`."""
    rows = []
    table = result.table
    for row, player, score, seat in product(table.rows, table.players, SCORES, SEATS):
        repetitions = table.over_repetitions(row, player, score, seat)
        games = table.over_games(row, player, score, seat)
        rows.append(
            [
                row,
                player,
                score,
                seat,
                repetitions.mean,
                repetitions.half_width,
                repetitions.count,
                games.half_width,
                games.count * len(table.partners_of(row)),
            ]
        )
    return csv_text(COLUMNS, rows)


def _cell(table: AdhocTable, row: str, player: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"partner": row, "player": player}
    for score in SCORES:
        cell[score] = {
            seat: {
                "over_repetitions": asdict(table.over_repetitions(row, player, score, seat)),
                "over_games": asdict(table.over_games(row, player, score, seat)),
            }
            for seat in SEATS
        }
        cell[score]["by_game"] = [asdict(one) for one in table.by_game(row, player, score)]
    cell["published"] = [asdict(figure) for figure in published(table.partners_of(row), player)]
    return cell


def _comparisons(table: AdhocTable, score: str) -> Iterator[dict[str, Any]]:
    for (first, second), tests in table.comparisons(score).items():
        yield {
            "first": first,
            "second": second,
            "difference": tests.paired.difference,
            "paired_p": tests.paired.p,
            "welch_p": tests.welch.p,
            "by_partner_p": tests.by_partner.p,
        }
