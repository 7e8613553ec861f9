"""Reports as files, and figures as files."""

import csv
import json
import math
import tomllib
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.core.figure_files import new_figure, png, write_figure
from hoad.reports.output import (
    csv_text,
    how_it_was_made,
    how_to_make_it_again,
    plain_json,
    refuse_other_report,
    six_digits,
    write_report,
)
from hoad.reports.page import Figure, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines

ROWS = [{"agent": "iggi", "score": 17.25, "games": 4}, {"agent": "piers", "score": 16, "games": 4}]


def draw():
    return draw_lines([Panel("x", "y", [Series("iggi", [1, 2], [3, 4])])])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "new"
    figure, appendix = Figure("curve.png", "A curve.", draw), [Paragraph("appended")]
    report = Report("Scores", [figure], rows=ROWS, facts={"seed": 3}, appendix=appendix)
    assert write_report(report, folder) == folder / "report.md"
    return folder


def test_a_folder_holds_page_figures_csv_of_the_rows_and_json_of_the_facts(folder: Path):
    names = {"report.md", "report.html", "results.csv", "results.json", "curve.png"}
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG\r\n")
    page = (folder / "report.md").read_text()
    assert "(curve.png)" in page and "appended" in page
    assert (folder / "results.csv").read_text() == "agent,score,games\niggi,17.25,4\npiers,16,4\n"
    assert json.loads((folder / "results.json").read_text()) == {"seed": 3}
    assert csv_text([]).strip() == ""
    text = plain_json({"a": np.array([1.0, math.inf]), 2: (np.float64("nan"), {"b": np.int64(3)})})
    assert json.loads(text) == {"a": [1.0, None], "2": [None, {"b": 3}]}


def test_results_tell_how_much_memory_was_held_and_two_figures_of_one_name_are_refused(
    tmp_path: Path,
) -> None:
    figures = [Figure("same.png", caption, draw) for caption in ("one", "other")]
    with pytest.raises(HoadError, match=r"same\.png: two figures"):
        write_report(Report("Scores", figures, [], {}), tmp_path)
    assert not list(tmp_path.iterdir())

    made_with = {"command": "evaluate.py x", "date": "2026"}
    write_report(Report("Scores", [], rows=[], facts={"made_with": made_with}), tmp_path)
    found = json.loads((tmp_path / "results.json").read_text())["made_with"]
    assert found.pop("memory_mib") > 50  # MiB; numpy alone takes more
    assert found == made_with


def test_figures_for_papers_are_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOAD_FIGURES", "pdf svg")
    report = Report("Scores", [Figure("curve.png", "A curve.", draw)], [], {})

    files = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        write_report(report, folder)
        files.append({path.name: path.read_bytes() for path in folder.iterdir()})

    one, other = files
    assert one == other
    assert one["curve.pdf"].startswith(b"%PDF") and b"<svg" in one["curve.svg"]


def test_an_unknown_format_is_refused_before_the_games_and_when_files_are_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOAD_FIGURES", "pdff")

    for write in (
        lambda: refuse_other_report(tmp_path / "new"),
        lambda: write_report(Report("Scores", [], ROWS, {}), tmp_path),
        lambda: write_figure(tmp_path / "a.png", new_figure(1, 1)),
    ):
        with pytest.raises(HoadError, match=r"HOAD_FIGURES: no format 'pdff'.*pdf svg"):
            write()

    assert (tmp_path / "results.csv").read_text() == (folder / "results.csv").read_text()
    assert (tmp_path / "a.png").is_file()


def test_the_recipe_is_written_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", "my networks")
    values = {"partners": ["iggi"], "population": None, "out": str(tmp_path)}

    blocks, again = how_to_make_it_again("adhoc", values, "the row of iggi", "--partners iggi")
    write_report(Report("Scores", [], [], {}, blocks, again), tmp_path)

    page = (tmp_path / "report.md").read_text()
    words = f"{tmp_path / 'recipe.toml'} --partners iggi --out results/again"
    command = f"python evaluate.py adhoc {words}"
    assert f"```\nexport HOAD_CHECKPOINTS='my networks'\n{command}\n```" in page
    written = tomllib.loads((tmp_path / "recipe.toml").read_text())
    assert written == {"partners": ["iggi"], "out": "results/again"}


@pytest.mark.parametrize("value", [0.5, 12.0, 1 / 3, 1e-7, -2.0, 123456.7, float("nan")])
def test_six_digits_are_those_that_csv_had(value: float):
    [[_], [cell]] = csv.reader(csv_text([{"x": six_digits(value)}]).splitlines())

    assert cell == f"{value:.6g}"


def test_how_it_was_made_lists_command_seed_time_and_recipe():
    made_with = {"command": "evaluate.py", "commit": "abc"}
    recipe = {"agents": ["iggi", "piers"], "naive": {"epochs": 2}}

    _, table = how_it_was_made(made_with, 7, {"games": 1.4}, recipe)

    assert isinstance(table, Table)
    assert [list(row) for row in table.rows[1:]] == [
        ["command", "evaluate.py"],
        ["seed", "7"],
        ["wall time: games", "1 s"],
        ["commit", "abc"],
        ["recipe: agents", "iggi, piers"],
        ["recipe: naive", "epochs 2"],
    ]


@pytest.mark.parametrize(
    ("found", "now", "resume", "refused"),
    [
        ("evaluate.py adhoc a.toml", "hoad evaluate adhoc a.toml --threads 2", False, False),
        ("evaluate.py adhoc a.toml --resume", "evaluate.py adhoc a.toml", False, False),
        ("evaluate.py adhoc a.toml", "evaluate.py adhoc b.toml --resume", True, False),
        ("evaluate.py adhoc a.toml", "evaluate.py adhoc b.toml", False, True),
        ("evaluate.py behaviour", "evaluate.py adhoc a.toml --resume", True, True),
    ],
)
def test_the_report_of_another_command_is_not_written_over(
    found: str,
    now: str,
    resume: bool,
    refused: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "results.json").write_text(json.dumps({"made_with": {"command": found}}))
    monkeypatch.setattr("sys.argv", now.split())
    if now.startswith("hoad"):
        monkeypatch.setattr("sys.argv", ["__main__.py", *now.split()[1:]])

    with pytest.raises(HoadError, match="holds the report of") if refused else nullcontext():
        refuse_other_report(tmp_path, resume)


@pytest.mark.parametrize("facts", ['{"made_with": null}', '{"made_with": []}', "[]"])
def test_a_file_that_no_command_made_is_no_report(facts: str, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(facts)

    refuse_other_report(tmp_path)

    assert (tmp_path / "results.json").read_text() == facts


def test_a_figure_is_a_png_file_beside_the_formats_for_papers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = write_figure(tmp_path / "a.png", new_figure(1, 1))
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    assert (tmp_path / "a.png").read_bytes() == written == png(new_figure(1, 1))

    monkeypatch.setenv("HOAD_FIGURES", "pdf svg")
    write_figure(tmp_path / "a.png", new_figure(1, 1))

    assert {path.name for path in tmp_path.iterdir()} == {"a.png", "a.pdf", "a.svg"}
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
