"""The study of prediction, on a small scale."""

import json
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.partners.kinds import KINDS
from hoad.studies.prediction import report
from hoad.studies.prediction.recipe import PredictionRecipe, random_lists
from hoad.studies.prediction.report import METHODS
from hoad.studies.prediction.study import ITSELF
from tests.scripts import assert_refused, runner_here

run = runner_here("evaluate.py")

_DISCARDS = """
from hoad.agents import PlainAgent, View

class Mine(PlainAgent):
    def choose(self, view: View) -> int:
        return view.legal_moves[{index}]
"""


def write_recipe(folder: Path, **changes: object) -> Path:
    values = {
        "partners": ["iggi"],
        "games": [0, 2],
        "others": ["piers"],
        "test_games": 2,
        "out": str(folder / "results"),
    }
    path = folder / "recipe.toml"
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in (values | changes).items())
    path.write_text("".join(lines))
    return path


def test_a_study_is_written_and_resumed(tmp_path: Path) -> None:
    recipe, out = write_recipe(tmp_path), tmp_path / "results"

    made = run("prediction", recipe)
    found = json.loads((out / "results.json").read_text())
    again, resumed = run("prediction", recipe), run("prediction", recipe, "--resume")

    assert (made.returncode, resumed.returncode) == (0, 0), made.stderr + resumed.stderr
    assert_refused(again, "--resume")
    remade = json.loads((out / "results.json").read_text())
    assert [remade[key] for key in ("rows", "strangers", "networks")] == [
        found[key] for key in ("rows", "strangers", "networks")
    ]
    keys = {(row["games"], row["other"]) for row in found["rows"]}
    assert keys == {(0, ""), (0, "piers"), (2, ""), (2, "piers")}
    assert {row["method"] for row in found["rows"]} == {*KINDS, ITSELF}
    own = [r["log_loss"] for r in found["rows"] if (r["method"], r["other"]) == (ITSELF, "")]
    assert max(own) < 0.2  # iggi is nearly certain of its moves
    assert {path.name for path in out.glob("*.png")} == {"by_games.png", "calibration.png"}


def test_a_stranger_that_has_changed_is_measured_again(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(_DISCARDS.format(index=0))
    stranger = f"python:{mine}:Mine"
    recipe = write_recipe(tmp_path, partners=[stranger], games=[1], others=[])
    first = run("prediction", recipe)
    assert first.returncode == 0, first.stderr
    found = json.loads((tmp_path / "results/results.json").read_text())["rows"]

    mine.write_text(_DISCARDS.format(index=-1))
    again = run("prediction", recipe, "--resume")

    assert again.returncode == 0, again.stderr
    remade = json.loads((tmp_path / "results/results.json").read_text())["rows"]
    methods = ("uniform", "nearest", "program")
    before, after = (
        {row["method"]: row["log_loss"] for row in rows if row["method"] in methods}
        for rows in (found, remade)
    )
    assert before != after


def test_strangers_are_measured_alike_by_two_threads(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, partners=["iggi", "piers"], games=[2], others=[])

    for threads in (1, 2):
        made = run("prediction", recipe, "--threads", threads, "--out", tmp_path / f"{threads}")
        assert made.returncode == 0, made.stderr

    first, second = (json.loads((tmp_path / f"{n}/results.json").read_text()) for n in (1, 2))
    assert len(first["rows"]) == 2 * len(METHODS)
    for one, other in zip(first["rows"], second["rows"], strict=True):
        assert one | {"seconds": 0} == other | {"seconds": 0}


def test_log_loss_is_compared_with_entropy_by_kind_of_stranger() -> None:
    losses = {"iggi": (0.5, 0.1), "rules:1,2": (0.9, 0.3), "rules:3,4": (0.7, 0.3)}
    found = [
        {"partner": name, "method": method, "log_loss": loss[method == ITSELF]}
        for name, loss in losses.items()
        for method in METHODS
    ]

    table = report._above_entropy(found).rows

    assert [row[0] for row in table[1:]] == ["mean of 1 agents", "mean of 2 random lists"]
    assert [float(row[1].split()[0]) for row in table[1:]] == [0.4, 0.5]
    assert [float(row[-1].split()[0]) for row in table[1:]] == [0, 0]


def test_random_lists_are_the_same_for_the_same_seed() -> None:
    first = random_lists(3, seed=1)

    assert first == random_lists(4, seed=1)[:3] != random_lists(3, seed=2)
    assert all(len(set(name.removeprefix("rules:").split(","))) == 15 for name in first)


def test_a_study_needs_strangers(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match="no strangers"):
        check_recipe({"out": str(tmp_path)}, PredictionRecipe, "recipe")
