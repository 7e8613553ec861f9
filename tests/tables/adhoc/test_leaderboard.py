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
from tests.scripts import ROOT, assert_refused, runner_here

run = runner_here("evaluate.py")

ADHOC = ROOT / "results" / "adhoc"


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

    _, table = (block for block in page.blocks if isinstance(block, Table))
    assert [row[:2] for row in table.rows[1:3]] == [["1", "piers"], ["2", "simplebot"]]
    assert table.rows[3][1].startswith("self-play")
    assert [isinstance(row[1], Strong) for row in table.rows] == [False, True, False, False]
    means = [float(str(row["mean"])) for row in page.rows]
    assert means == sorted(means, reverse=True)


def test_all_tables_are_joined_in_one_with_a_column_for_each_setting() -> None:
    names = ["agents", "search", "agents-family", "search-oracle"]
    page = leaderboard([ADHOC / name for name in names])

    joint, *tables = (block.rows for block in page.blocks if isinstance(block, Table))
    assert len(tables) == 4
    settings = ["partner held out", "its family held out", "partner held out (search-oracle)"]
    assert joint[0] == ["player", *settings]
    rows = {row[0]: row[1:] for row in joint[1:]}
    assert rows.keys() == {str(row[1]) for table in tables for row in table[1:]}
    assert rows["search"][0] in [row[2] for row in tables[1]] and rows["search"][1] == ""
    knowing = [name.endswith("(knows the partner)") for name in rows]
    assert knowing == sorted(knowing), "those that know the partner come last"
    for column, setting in enumerate(settings):
        assert sum(isinstance(row[column], Strong) for row in rows.values()) == 1, setting
    own = [row for row in tables[0] if row[1] == "self-play (knows the partner)"]
    assert rows["self-play (knows the partner)"][0] == own[0][2], "the table with most games counts"


def test_players_with_the_same_score_share_a_place(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "results.json", tmp_path)
    rows = [line.split(",") for line in (folder / "results.csv").read_text().splitlines()]
    mean = rows[0].index("mean")
    same = [rows[0], *([*row[:mean], "12.0", *row[mean + 1 :]] for row in rows[1:])]
    (tmp_path / "results.csv").write_text("".join(",".join(row) + "\n" for row in same))

    _, table = (block for block in leaderboard([tmp_path]).blocks if isinstance(block, Table))

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


@pytest.mark.parametrize("values", [{"source": "x"}, {"partners": []}, {"support_games": "ten"}])
def test_a_table_with_other_settings_is_refused(values: dict, folder: Path, tmp_path: Path) -> None:
    facts = json.loads((folder / "results.json").read_text())
    facts["recipe"] |= values
    (tmp_path / "results.json").write_text(json.dumps(facts))

    with pytest.raises(HoadError, match=r"results\.json: not the report"):
        leaderboard([tmp_path])


@pytest.mark.parametrize("content", [None, "{}", "[", "[" * 100_000, '{"recipe": {}}'])
def test_a_folder_without_a_table_is_refused(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "results.json").write_text(content)

    with pytest.raises(HoadError, match=r"results\.json"):
        leaderboard([tmp_path])
    assert_refused(run("leaderboard", tmp_path, "--out", tmp_path / "page.md"), "results.json")
