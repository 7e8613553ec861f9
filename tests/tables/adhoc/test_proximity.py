"""The share that a player reaches of the score of search with the partner itself as its model."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import agent_names
from hoad.core.recipe import check_recipe
from hoad.players.episodes import Episodes
from hoad.players.roster import TablePartner
from hoad.reports.page import Table
from hoad.studies.crossplay import cross_play
from hoad.tables.adhoc.proximity import proximity, share_of_best
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.table import AdhocResult
from hoad.tables.scores import Cell, CellKey

MEANS = {"iggi": {"piers": 12, "search-oracle": 20}, "outer": {"piers": 6, "search-oracle": 16}}


def result_of(*players: str) -> AdhocResult:
    values = {
        "partners": ["iggi", "outer"],
        "players": players,
        "pool": ["piers"],
        "episodes": 4,
        "games_per_episode": 2,
        "trials": 1,
        "out": str(Path("unused")),
    }
    recipe = check_recipe(values, AdhocRecipe, "test")
    cells = {
        CellKey("", TablePartner(partner), player): cell_of(MEANS[partner][player])
        for partner in recipe.partners
        for player in players
    }
    return AdhocResult(recipe, cells, cross_play(agent_names()[:1], 2, 0), {}, 0.0)


def cell_of(mean: int) -> Cell:
    scores = np.full((4, 2), mean, np.uint8) + np.array([[0], [0], [1], [0]], np.uint8)
    return Cell(Episodes(scores, scores, np.array([1, 0])), np.arange(4), {"date": ""})


def test_it_is_the_ratio_of_the_means_in_each_row():
    result = result_of("piers", "search-oracle")

    shares = [share_of_best(result, row, "piers") for row in result.table.rows]

    assert [one.mean for one in shares] == pytest.approx(
        [12.25 / 20.25, 6.25 / 16.25, 9.25 / 18.25]
    )
    assert all(0 < one.half_width < 0.1 for one in shares)


def test_the_report_has_a_row_for_each_other_player():
    blocks = proximity(result_of("piers", "search-oracle"))

    [table] = [block for block in blocks if isinstance(block, Table)]
    assert [row[0] for row in table.rows] == ["BR-Prox", "piers"]


def test_without_the_best_response_there_is_no_such_part():
    assert proximity(result_of("piers")) == []
