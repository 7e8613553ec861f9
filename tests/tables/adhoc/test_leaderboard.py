"""The leaderboard lists the players of ad-hoc tables by score."""

import json
import shutil
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.reports.output import write_report
from hoad.reports.page import Strong, Table
from hoad.tables.adhoc.leaderboard import leaderboard
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.report import adhoc_report
from hoad.tables.adhoc.table import run_adhoc
from tests.scripts import assert_refused, runner_here

run = runner_here("evaluate.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("table")
    values = {
        "partners": ["iggi", "outer"],
        "players": ["self-play", "simplebot", "piers"],
        "episodes": 3,
        "games_per_episode": 2,
        "trials": 1,
        "cross_play_games": 2,
        "out": str(out),
    }
    result = run_adhoc(check_recipe(values, AdhocRecipe, "test"), threads=1)
    write_report(adhoc_report(result), out)
    return out


def test_players_are_in_the_order_of_their_scores_and_those_that_know_the_partner_apart(
    folder: Path,
) -> None:
    page = leaderboard([folder])

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert [row[:2] for row in table.rows[1:3]] == [["1", "piers"], ["2", "simplebot"]]
    assert table.rows[3][1].startswith("self-play")
    assert [isinstance(row[1], Strong) for row in table.rows] == [False, True, False, False]
    means = [float(str(row["mean"])) for row in page.rows]
    assert means == sorted(means, reverse=True)


def test_players_with_the_same_score_share_a_place(folder: Path, tmp_path: Path) -> None:
    facts = json.loads((folder / "results.json").read_text())
    for row in facts["rows"]:
        row["mean"] = 12.0
    (tmp_path / "results.json").write_text(json.dumps(facts))

    [table] = [block for block in leaderboard([tmp_path]).blocks if isinstance(block, Table)]

    assert [row[0] for row in table.rows[1:]] == ["1", "1", ""]


def test_the_command_writes_the_page(folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(folder, tmp_path / "other")

    result = run("leaderboard", folder, other, folder, "--out", tmp_path / "page.md")

    assert result.returncode == 0, result.stderr
    assert (tmp_path / "page.md").read_text().count("| **1** | **piers** |") == 2


@pytest.mark.parametrize("name", ["page.md", "page.toml"])
def test_another_text_is_not_written_over(folder: Path, tmp_path: Path, name: str) -> None:
    page = tmp_path / name
    page.write_text("# Mine\n")

    assert_refused(run("leaderboard", folder, "--out", page), name)
    assert page.read_text() == "# Mine\n"


@pytest.mark.parametrize("content", [None, "{}", "[", '{"recipe": {}}'])
def test_a_folder_without_a_table_is_refused(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "results.json").write_text(content)

    with pytest.raises(HoadError, match=r"results\.json"):
        leaderboard([tmp_path])
    assert_refused(run("leaderboard", tmp_path, "--out", tmp_path / "page.md"), "results.json")
