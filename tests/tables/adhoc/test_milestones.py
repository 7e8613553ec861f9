"""Scores by steps of meta-training, from tables that differ in their meta-models only."""

from pathlib import Path
from typing import Any

import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.reports.output import write_report
from hoad.reports.page import Table
from hoad.tables.adhoc.milestones import milestones
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.report import adhoc_report
from hoad.tables.adhoc.table import run_adhoc

PLAYERS = ["zero-shot@1", "low-shot@1", "zero-shot@2", "low-shot@2"]


def make_table(out: Path, **changes: object) -> Path:
    values = {
        "partners": ["iggi"],
        "players": PLAYERS,
        "episodes": 4,
        "games_per_episode": 2,
        "trials": 2,
        "cross_play_games": 2,
        "out": str(out),
    }
    result = run_adhoc(check_recipe(values | changes, AdhocRecipe, "test"), threads=1)
    write_report(adhoc_report(result), out)
    return out


def test_each_training_has_its_scores_and_the_gain_by_milestone(
    checkpoints: Path, tmp_path: Path
) -> None:
    tables = [make_table(tmp_path / name) for name in ("fomaml", "again")]

    page = milestones(tables)

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert table.rows[0] == ["meta-training", "steps", "1", "2"]
    assert [row[:2] for row in table.rows[1:]] == [
        [name, value] for name in ("fomaml", "again") for value in ("zero-shot", "low-shot", "gain")
    ]
    value: dict[tuple[object, ...], Any] = {
        (row["training"], row["step"], row["value"]): row["mean"] for row in page.rows
    }
    for step in (1, 2):
        shots = value["fomaml", step, "low-shot"], value["fomaml", step, "zero-shot"]
        assert value["fomaml", step, "gain"] == pytest.approx(shots[0] - shots[1])
        assert value["again", step, "gain"] == value["fomaml", step, "gain"]  # the same games


def test_tables_that_differ_in_more_are_refused(checkpoints: Path, tmp_path: Path) -> None:
    tables = [make_table(tmp_path / "one"), make_table(tmp_path / "other", seed=8)]

    with pytest.raises(HoadError, match=r"differs from .* in seed"):
        milestones(tables)


def test_a_table_without_milestones_is_refused(tmp_path: Path) -> None:
    table = make_table(tmp_path / "none", players=["self-play"], pool=["iggi"])

    with pytest.raises(HoadError, match="low-shot@STEP"):
        milestones([table])
