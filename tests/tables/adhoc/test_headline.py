"""The figure of the README shows the published scores of a few players."""

import csv
import shutil
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.reports.page import Table, to_markdown
from hoad.tables.adhoc.headline import headline
from hoad.tables.adhoc.recipe import HEADLINE_PLAYERS
from tests.scripts import ROOT, assert_refused, runner_here

run = runner_here("evaluate.py")

ADHOC = ROOT / "results" / "adhoc"
MAIN, FAMILY, SEARCH = ADHOC / "agents", ADHOC / "agents-family", ADHOC / "search"


def published(folder: Path, player: str) -> float:
    """Return the strict mean of a player over all partners, in both seats."""
    with (folder / "results.csv").open() as file:
        [mean] = [
            float(row["mean"])
            for row in csv.DictReader(file)
            if row["player"] == player
            and (row["partner"], row["score"], row["seat"]) == ("all partners", "strict", "both")
        ]
    return mean


def lines_of_table(text: str, first_cell: str) -> list[list[str]]:
    """Return the cells of the table of a page whose heading begins with a cell."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {first_cell} |"):
            next(lines)
            rows = list(iter(lambda: next(lines, ""), ""))
            return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    raise AssertionError(first_cell)


def test_each_score_is_the_published_one() -> None:
    page = headline([MAIN, FAMILY, SEARCH], ["low-shot", "search"])

    means = {(row["player"], row["setting"]): row["mean"] for row in page.rows}
    assert means == {
        ("low-shot", "partner held out"): published(MAIN, "low-shot"),
        ("low-shot", "its family held out"): published(FAMILY, "low-shot"),
        ("search", "partner held out"): published(SEARCH, "search"),
    }


def test_a_player_of_two_tables_has_the_score_of_more_games() -> None:
    assert published(MAIN, "self-play") != published(SEARCH, "self-play")

    page = headline([SEARCH, MAIN], ["self-play"])

    [row] = page.rows
    assert (row["games"], row["mean"]) == (2_000, published(MAIN, "self-play"))


def test_players_are_in_the_order_asked_for_and_a_missing_score_is_an_empty_cell() -> None:
    page = headline([MAIN, FAMILY, SEARCH], ["self-play", "search"])

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert table.rows[0] == ["player", "partner held out", "its family held out"]
    assert [row[0] for row in table.rows[1:]] == ["self-play", "search"]
    assert table.rows[2][2] == ""


def test_the_command_writes_page_and_figure(tmp_path: Path) -> None:
    table = shutil.copytree(SEARCH, tmp_path / "search")
    players = ("--players", "search", "self-play")

    result = run("headline", table, *players, "--out", tmp_path / "headline")

    assert result.returncode == 0, result.stderr
    assert (tmp_path / "headline" / "headline.png").exists()
    assert "| search |" in (tmp_path / "headline" / "report.md").read_text()


def test_a_player_of_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match="serach"):
        headline([MAIN], ["serach"])
    assert_refused(run("headline", MAIN, "--players", "--out", tmp_path / "page"), "--players")


def test_the_table_of_the_readme_is_that_of_the_published_tables() -> None:
    names = ("agents", "agents-family", "imitators", "search", "search-family", "search-imitators")
    made = to_markdown(headline([ADHOC / name for name in names], HEADLINE_PLAYERS))
    shown = (ROOT / "README.md").read_text()

    expected = [row[1:] for row in lines_of_table(made.replace("\u00a0", " "), "player")]

    assert [row[-3:] for row in lines_of_table(shown, "player")] == expected
