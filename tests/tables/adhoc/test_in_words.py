"""A table in words, and how near players come to search with the partner itself."""

import csv
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from hoad.adhoc_player import Episodes
from hoad.agents import agent_names
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.players.roster import TablePartner
from hoad.reports.page import Table
from hoad.studies.crossplay import cross_play
from hoad.tables.adhoc.in_words import in_words
from hoad.tables.adhoc.proximity import proximity, share_of_best
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.table import AdhocResult
from hoad.tables.scores import Cell, CellKey
from tests.scripts import ROOT

# A table in words says what its numbers say.


ADHOC = ROOT / "results" / "adhoc"


def strict(folder: Path, player: str) -> str:
    """Return the strict score of a player over all partners as the page shows it."""
    with (folder / "results.csv").open() as file:
        for row in csv.DictReader(file):
            if (row["partner"], row["player"], row["score"], row["seat"]) == (
                *("all partners", player, "strict", "both"),
            ):
                return f"{float(row['mean']):.2f} ± {float(row['half_width']):.2f}"
    raise AssertionError(player)


def test_a_gain_beyond_its_interval_is_a_gain() -> None:
    words = in_words(ADHOC / "agents")

    assert strict(ADHOC / "agents", "zero-shot") in words
    assert f"{strict(ADHOC / 'agents', 'low-shot')} after" in words
    assert "a gain of 2.07 ± 0.53 points" in words


def test_a_difference_within_its_interval_is_none() -> None:
    assert "no measurable difference (0.30 ± 0.47)" in in_words(ADHOC / "agents-family")


def test_the_best_player_is_one_that_does_not_know_the_partner() -> None:
    words = in_words(ADHOC / "search")

    assert f"search+elites with {strict(ADHOC / 'search', 'search+elites')}" in words
    [close] = re.findall(r"difference from ([^)]*)\)", words.partition("The best")[2])
    assert close == "search"
    assert words.endswith(f"{strict(ADHOC / 'search', 'self-play')}.")


def test_a_loss_is_called_a_loss(tmp_path: Path) -> None:
    facts = json.loads((ADHOC / "agents" / "results.json").read_text())
    for found in facts["comparisons"]["strict"]:
        found["difference"] *= -1
    (tmp_path / "results.json").write_text(json.dumps(facts))
    shutil.copy(ADHOC / "agents" / "results.csv", tmp_path)

    assert "a loss of 2.07 ± 0.53 points" in in_words(tmp_path)


def test_a_folder_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match=r"results\.json"):
        in_words(tmp_path)


# The share that a player reaches of the score of search with the partner itself as its model.


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
