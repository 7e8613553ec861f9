"""Tables that differ in the games watched, or in the steps of meta-training, are one curve."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.reports.output import write_report
from hoad.reports.page import Table, to_markdown
from hoad.tables.adhoc.games_watched import games_watched
from hoad.tables.adhoc.milestones import milestones
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.report import adhoc_report
from hoad.tables.adhoc.table import run_adhoc
from tests.scripts import assert_refused, runner_here

run = runner_here("evaluate.py")


def make_table(out: Path, **changes: object) -> Path:
    values = {
        "partners": ["iggi"],
        "players": ["self-play", "nearest"],
        "pool": ["outer", "piers"],
        "episodes": 2,
        "games_per_episode": 2,
        "trials": 2,
        "cross_play_games": 2,
        "out": str(out),
    }
    result = run_adhoc(check_recipe(values | changes, AdhocRecipe, "test"), threads=1)
    write_report(adhoc_report(result), out)
    return out


@pytest.fixture(scope="module")
def ten_and_two(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    out = tmp_path_factory.mktemp("tables")
    return [make_table(out / str(games), support_games=games) for games in (10, 2)]


def test_columns_are_in_the_order_of_the_games_watched(ten_and_two: list[Path]) -> None:
    page = games_watched(ten_and_two)

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert table.rows[0] == ["games watched", "2", "10"]
    assert [row[0] for row in table.rows[1:]] == ["self-play", "nearest"]
    assert table.rows[1][1] == table.rows[1][2]  # which watches nothing, on the same decks


def test_players_of_one_table_only_are_left_out(ten_and_two: list[Path], tmp_path: Path) -> None:
    five = make_table(tmp_path / "five", support_games=5, players=["nearest", "nearest-response"])

    page = games_watched([*ten_and_two, five])

    assert {row["player"] for row in page.rows} == {"self-play", "nearest"}


def test_the_command_writes_page_and_figure(ten_and_two: list[Path], tmp_path: Path) -> None:
    result = run("games-watched", *ten_and_two, "--out", tmp_path / "curve")

    assert result.returncode == 0, result.stderr
    assert (tmp_path / "curve" / "games_watched.png").exists()
    assert (tmp_path / "curve" / "results.csv").read_text().count("nearest") == 2


@pytest.mark.parametrize(("key", "value"), [("seed", 3), ("pool", ["outer", "valuebot"])])
def test_a_table_of_other_decks_or_another_pool_is_refused(
    ten_and_two: list[Path], tmp_path: Path, key: str, value: object
) -> None:
    other = make_table(tmp_path / "other", support_games=5, **{key: value})

    with pytest.raises(HoadError, match=f"in {key}; make it"):
        games_watched([*ten_and_two, other])


def test_a_report_without_provenance_is_refused(ten_and_two: list[Path], tmp_path: Path) -> None:
    facts = json.loads((ten_and_two[0] / "results.json").read_text())
    del facts["made_with"]
    (tmp_path / "results.json").write_text(json.dumps(facts))

    assert_refused(run("games-watched", tmp_path, "--out", tmp_path / "x"), "make the table again")


@pytest.mark.parametrize("content", ["", "partner,score,seat\niggi,strict,both\n", None])
def test_a_report_without_scores_is_refused(
    ten_and_two: list[Path], tmp_path: Path, content: str | None
) -> None:
    shutil.copy(ten_and_two[0] / "results.json", tmp_path)
    if content is None:
        assert_refused(run("games-watched", tmp_path, "--out", tmp_path / "x"), "results.csv")
        return
    (tmp_path / "results.csv").write_text(content)

    assert_refused(run("games-watched", tmp_path, "--out", tmp_path / "x"), "make the table again")


def test_two_tables_of_as_many_games_are_refused(ten_and_two: list[Path], tmp_path: Path) -> None:
    folders = [*ten_and_two, ten_and_two[0]]

    assert_refused(run("games-watched", *folders, "--out", tmp_path / "x"), "10 support_games")


def test_what_is_no_table_is_refused_before_there_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text("{}")

    assert_refused(run("games-watched", tmp_path, "--out", tmp_path / "curve"), "not the report")
    assert not (tmp_path / "curve").exists()


def test_the_page_says_so_where_tables_have_other_numbers_of_decks(
    ten_and_two: list[Path], tmp_path: Path
) -> None:
    longer = make_table(tmp_path / "five", support_games=5, episodes=4)

    assert "more decks" not in to_markdown(games_watched(ten_and_two))
    assert "more decks" in to_markdown(games_watched([*ten_and_two, longer]))


# Scores by steps of meta-training, from tables that differ in their meta-models only.


STEPS = {
    "players": ["zero-shot@1", "low-shot@1", "zero-shot@2", "low-shot@2"],
    "pool": [],
    "episodes": 4,
}


def test_each_training_has_its_scores_and_the_gain_by_milestone(
    checkpoints: Path, tmp_path: Path
) -> None:
    shorter: dict[str, object] = {**STEPS, "players": ["zero-shot@1", "low-shot@1"]}
    tables = [make_table(tmp_path / "fomaml", **STEPS), make_table(tmp_path / "again", **shorter)]

    page = milestones(tables)

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert table.rows[0] == ["meta-training", "steps", "1", "2"]
    assert [row[:2] for row in table.rows[1:]] == [
        [name, value] for name in ("fomaml", "again") for value in ("zero-shot", "low-shot", "gain")
    ]
    assert [row[3] == "" for row in table.rows[1:]] == [False] * 3 + [True] * 3
    value: dict[tuple[object, ...], Any] = {
        (row["training"], row["step"], row["value"]): row["mean"] for row in page.rows
    }
    for step in (1, 2):
        shots = value["fomaml", step, "low-shot"], value["fomaml", step, "zero-shot"]
        assert value["fomaml", step, "gain"] == pytest.approx(shots[0] - shots[1])
    assert value["again", 1, "gain"] == value["fomaml", 1, "gain"]  # the same games


def test_tables_that_differ_in_more_are_refused(checkpoints: Path, tmp_path: Path) -> None:
    tables = [make_table(tmp_path / "one", **STEPS), make_table(tmp_path / "two", **STEPS, seed=8)]

    with pytest.raises(HoadError, match=r"differs from .* in seed"):
        milestones(tables)


def test_a_table_without_milestones_is_refused(tmp_path: Path) -> None:
    table = make_table(tmp_path / "none", players=["self-play"], pool=["iggi"])

    with pytest.raises(HoadError, match="low-shot@STEP"):
        milestones([table])
