"""Ad-hoc tables side by side: leaderboard, figure of the README, sentences."""

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
from hoad.core.run_log import log_run
from hoad.players.roster import TablePartner
from hoad.reports.output import write_report
from hoad.reports.page import Strong, Table, to_markdown
from hoad.studies.crossplay import cross_play
from hoad.tables.adhoc.figures import proximity, share_of_best
from hoad.tables.adhoc.leaderboard import headline, leaderboard
from hoad.tables.adhoc.recipe import HEADLINE_PLAYERS, AdhocRecipe
from hoad.tables.adhoc.report import adhoc_report
from hoad.tables.adhoc.results_files import in_words, joint_scores
from hoad.tables.adhoc.table import AdhocResult, run_adhoc
from hoad.tables.scores import ALL_PARTNERS, Cell, CellKey
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


def write_table(folder: Path, partners: list[str], games: int, player: str, mean: float) -> Path:
    folder.mkdir(parents=True)
    recipe = {"partners": partners, "players": [player], "source": "originals", "trials": 1}
    recipe |= {"hold_out": "agent", "support_games": 10, "seed": 0}
    recipe |= {"episodes": games, "games_per_episode": 1}
    facts = {"recipe": recipe, "made_with": {"commit": "", "command": ""}}
    (folder / "results.json").write_text(json.dumps(facts))
    partner = partners[0] if len(partners) == 1 else ALL_PARTNERS
    row = f"{partner},{player},strict,both,{mean},,1"
    (folder / "results.csv").write_text(
        f"partner,player,score,seat,mean,half_width,repetitions\n{row}\n"
    )
    return folder


def test_tables_share_a_column_if_they_have_the_same_partners(tmp_path: Path) -> None:
    folders = [
        write_table(tmp_path / "a/main", ["iggi", "piers"], 9, "low-shot", 12.0),
        write_table(tmp_path / "b/x", ["outer"], 8, "low-shot", 15.0),
        write_table(tmp_path / "c/x", ["simplebot"], 7, "low-shot", 20.0),
        write_table(tmp_path / "e/y", ["outer"], 6, "piers", 11.0),
    ]

    settings = {(row["player"], row["mean"]): row["setting"] for row in joint_scores(folders)}

    assert settings == {
        ("low-shot", 12.0): "partner held out",
        ("low-shot", 15.0): "partner held out (x)",
        ("low-shot", 20.0): f"partner held out ({tmp_path / 'c/x'})",
        ("piers", 11.0): "partner held out (x)",
    }


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


MAIN, FAMILY, SEARCH = ADHOC / "agents", ADHOC / "agents-family", ADHOC / "search"


def published(folder: Path, player: str) -> dict[str, str]:
    """Return the row of a player's strict score over all partners, in both seats."""
    where = {"partner": "all partners", "player": player, "score": "strict", "seat": "both"}
    with (folder / "results.csv").open() as file:
        [row] = [row for row in csv.DictReader(file) if where.items() <= row.items()]
    return row


def mean_of(folder: Path, player: str) -> float:
    return float(published(folder, player)["mean"])


def shown(folder: Path, player: str) -> str:
    """Return this score as a page shows it."""
    row = published(folder, player)
    return f"{float(row['mean']):.2f} ± {float(row['half_width']):.2f}"


def lines_of_table(text: str, first_cell: str) -> list[list[str]]:
    """Return the cells of the table of a page whose heading begins with a cell."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {first_cell} |"):
            next(lines)
            rows = list(iter(lambda: next(lines, ""), ""))
            return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    raise AssertionError(first_cell)


def test_each_score_is_the_published_one_and_of_two_the_one_of_more_games() -> None:
    page = headline([MAIN, FAMILY, SEARCH], ["low-shot", "search"])

    means = {(row["player"], row["setting"]): row["mean"] for row in page.rows}
    assert means == {
        ("low-shot", "partner held out"): mean_of(MAIN, "low-shot"),
        ("low-shot", "its family held out"): mean_of(FAMILY, "low-shot"),
        ("search", "partner held out"): mean_of(SEARCH, "search"),
    }
    assert mean_of(MAIN, "self-play") != mean_of(SEARCH, "self-play")
    [row] = headline([SEARCH, MAIN], ["self-play"]).rows
    assert (row["games"], row["mean"]) == (2_000, mean_of(MAIN, "self-play"))


def test_players_are_in_the_order_asked_for_and_a_missing_score_is_an_empty_cell() -> None:
    page = headline([MAIN, FAMILY, SEARCH], ["self-play", "search"])

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert table.rows[0] == ["player", "partner held out", "its family held out"]
    assert [row[0] for row in table.rows[1:]] == ["self-play", "search"]
    assert table.rows[2][2] == ""
    with pytest.raises(HoadError, match="serach"):
        headline([MAIN], ["serach"])
    assert_refused(run("headline", MAIN, "--players", "--out", "page"), "--players")


def test_the_command_writes_page_and_figure(tmp_path: Path) -> None:
    table = shutil.copytree(SEARCH, tmp_path / "search")
    players = ("--players", "search", "self-play")

    result = run("headline", table, *players, "--out", tmp_path / "headline")

    assert result.returncode == 0, result.stderr
    assert (tmp_path / "headline" / "headline.png").exists()
    assert "| search |" in (tmp_path / "headline" / "report.md").read_text()


def test_the_table_of_the_readme_is_that_of_the_published_tables() -> None:
    names = ("agents", "agents-family", "imitators", "search", "search-family", "search-imitators")
    made = to_markdown(headline([ADHOC / name for name in names], HEADLINE_PLAYERS))
    readme = (ROOT / "README.md").read_text()

    expected = [row[1:] for row in lines_of_table(made.replace("\u00a0", " "), "player")]

    assert [row[-3:] for row in lines_of_table(readme, "player")] == expected


def test_a_difference_beyond_its_interval_is_a_gain_and_one_within_it_is_none() -> None:
    words = in_words(MAIN)

    assert shown(MAIN, "zero-shot") in words
    assert f"{shown(MAIN, 'low-shot')} after" in words
    assert "a gain of 2.07 ± 0.53 points" in words
    assert "no measurable difference (0.30 ± 0.47)" in in_words(FAMILY)


def test_the_best_player_does_not_know_the_partner_and_those_within_its_interval_are_named() -> (
    None
):
    words = in_words(ADHOC / "search-imitators")
    best = words.partition("The best")[2]
    assert f"search with {shown(ADHOC / 'search-imitators', 'search')}. " in best
    assert words.endswith(f"{shown(ADHOC / 'search-imitators', 'self-play')}.")

    best = in_words(MAIN).partition("The best")[2]
    name = "nearest-response+elites"
    assert f"{name} with {shown(MAIN, name)}" in best
    assert re.findall(r"difference from ([^)]*)\)", best) == ["bayes-moves-support+elites"]


def test_a_loss_is_called_a_loss(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match=r"results\.json"):
        in_words(tmp_path)
    facts = json.loads((MAIN / "results.json").read_text())
    for comparison in facts["comparisons"]["strict"]:
        comparison["difference"] *= -1
    (tmp_path / "results.json").write_text(json.dumps(facts))
    shutil.copy(MAIN / "results.csv", tmp_path)

    assert "a loss of 2.07 ± 0.53 points" in in_words(tmp_path)
    facts["comparisons"]["strict"] = []
    (tmp_path / "results.json").write_text(json.dumps(facts))
    with pytest.raises(HoadError, match=r"results\.json: low-shot and zero-shot are not compared"):
        in_words(tmp_path)


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

    expected = [12.25 / 20.25, 6.25 / 16.25, 9.25 / 18.25]
    assert [one.mean for one in shares] == pytest.approx(expected)
    assert all(0 < one.half_width < 0.1 for one in shares)
    [table] = [block for block in proximity(result) if isinstance(block, Table)]
    assert [row[0] for row in table.rows] == ["BR-Prox", "piers"]
    assert proximity(result_of("piers")) == []


@pytest.mark.parametrize("command", ["leaderboard", "headline", "games-watched", "milestones"])
def test_a_folder_without_a_table_is_refused_before_there_is_a_folder(
    command: str, tmp_path: Path
) -> None:
    with log_run("a program, which keeps a log in the folder of its page"):
        refused = run(command, tmp_path / "absent", "--out", tmp_path / "page" / "page.md")

    assert_refused(refused, "results.json: cannot read this file")
    assert list(tmp_path.iterdir()) == []
