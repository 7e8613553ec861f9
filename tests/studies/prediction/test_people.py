"""The study of people, on a small scale."""

import csv
from pathlib import Path

import pytest

from hoad.partners.kinds import KINDS, POPULATION
from hoad.replay.formats.convert import import_games
from tests.replay.formats.hanabidata_logs import write_people
from tests.scripts import assert_refused, runner_here

run = runner_here("evaluate.py")


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A recipe for three people with four games each, who make random moves."""
    write_people(tmp_path / "log", people=3, games=4)
    import_games(tmp_path / "log", tmp_path / "people.h5")
    path = tmp_path / "recipe.toml"
    path.write_text(
        f'people = "{tmp_path / "people.h5"}"\ngames = [0, 2, 9]\nleast = 3\ntest_games = 2\n'
        f'out = "{tmp_path / "results"}"\n'
    )
    return path


def test_a_study_of_people_is_written_and_resumed(recipe: Path) -> None:
    out = recipe.parent / "results"

    made = run("people", recipe)
    measured = (out / "results.csv").read_text()
    again, resumed = run("people", recipe), run("people", recipe, "--resume")

    assert (made.returncode, resumed.returncode) == (0, 0), made.stderr + resumed.stderr
    assert_refused(again, "--resume")
    assert (out / "results.csv").read_text() == measured
    rows = list(csv.DictReader(measured.splitlines()))
    assert {row["person"] for row in rows} == {"P001", "P002", "P003"}
    assert {row["games"] for row in rows} == {"0", "2"}  # nobody has more than nine
    assert {row["method"] for row in rows} == {*KINDS, POPULATION}
    assert {row["partner"] for row in rows} == {"", "eger-full"}
    assert {path.name for path in out.glob("*.png")} == {"by_games.png", "calibration.png"}


def test_nobody_with_enough_games_is_refused(recipe: Path) -> None:
    assert_refused(run("people", recipe, "--least", 5), "people.h5", "5 games")
