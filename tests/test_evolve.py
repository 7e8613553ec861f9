import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from hoad.evolution.heat_map import fitness_grid
from hoad.evolution.judge import judge
from hoad.evolution.population import load_population

ROOT = Path(__file__).parents[1]
RECIPE = """
name = "tiny"
seed = 7
grid = [4, 4]
games = 5
candidates = 3_000
random_candidates = 500
generation = 50
save_every = 10
final_games = 20
"""


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(RECIPE)
    return path


def command(recipe: Path, out: Path, *words: str) -> list[str]:
    return [sys.executable, str(ROOT / "evolve.py"), str(recipe), "--out", str(out), *words]


def run(recipe: Path, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(recipe, out, *words), capture_output=True, text=True)


def stop_midway(recipe: Path, out: Path, number: signal.Signals, *words: str) -> tuple[int, str]:
    """Start a run, send a signal once something is saved; return exit status and messages."""
    with subprocess.Popen(
        command(recipe, out, *words), stderr=subprocess.PIPE, text=True
    ) as script:
        while script.poll() is None and not (out / "populations/tiny/progress.json").exists():
            time.sleep(0.005)
        os.kill(script.pid, number)
        _, messages = script.communicate()
    return script.returncode, messages


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("finished")
    recipe = folder / "tiny.toml"
    recipe.write_text(RECIPE)
    result = run(recipe, folder, "--threads", "1")
    assert result.returncode == 0, result.stderr
    assert "populations/tiny: " in result.stdout
    return folder / "populations/tiny"


def test_run_leaves_a_population_its_picture_and_curves(finished):
    population = load_population(finished / "population.json")

    assert population.name == "tiny"
    assert len(population.elites) >= 6
    assert fitness_grid(population).shape == (4, 4)
    assert (finished / "fitness.png").read_bytes().startswith(b"\x89PNG")
    assert list((finished / "tensorboard").glob("events.*"))


def test_elites_are_judged_at_last_on_games_that_no_candidate_played(finished):
    population = load_population(finished / "population.json")

    chromosomes = np.array([elite.chromosome for elite in population.elites])
    verdicts = judge(chromosomes, games=20, seed=7, first_game=60 * 5)
    assert [elite.fitness for elite in population.elites] == verdicts.fitness.tolist()


def test_curves_show_the_archive_as_it_grows(finished):
    events = EventAccumulator(str(finished / "tensorboard"))
    events.Reload()

    curves = {
        name: [point.value for point in events.Scalars(f"archive/{name}")]
        for name in ("coverage", "best", "mean", "qd_score", "candidates_per_s")
    }

    assert [len(curve) for curve in curves.values()] == [6] * 5
    assert curves["coverage"] == sorted(curves["coverage"])
    products = np.multiply(curves["coverage"], curves["mean"])
    assert curves["qd_score"] == pytest.approx(products, rel=1e-5)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_stopped_and_resumed_run_ends_with_the_same_population(recipe, tmp_path, finished, number):
    status, messages = stop_midway(recipe, tmp_path, number, "--threads", "2")
    saved = json.loads((tmp_path / "populations/tiny/progress.json").read_text())
    assert saved["generations"] < 60, "it was stopped too late to show anything"
    if number == signal.SIGINT:
        assert status == 130
        assert messages.count("\n") == 1
    load_population(tmp_path / "populations/tiny/population.json")

    resumed = run(recipe, tmp_path, "--resume", "--threads", "2")

    assert resumed.returncode == 0, resumed.stderr
    for name in ("population.json", "progress.json"):
        ours = (tmp_path / "populations/tiny" / name).read_text()
        assert ours == (finished / name).read_text()


def test_finished_run_is_not_overwritten(recipe, finished):
    result = run(recipe, finished.parents[1])

    assert result.returncode == 2
    assert "holds a run already; go on with --resume" in result.stderr


def test_run_of_another_recipe_is_not_resumed(recipe, finished):
    result = run(recipe, finished.parents[1], "--resume", "--games", "6")

    assert result.returncode == 2
    assert "games was 5, now 6" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: text[: len(text) // 2], "progress.json: not a JSON file"),
        (lambda text: text.replace('"chromosome": [', '"chromosome": [1, '), "does not fit"),
        (lambda text: text.replace('"niche": [', '"niche": [9, '), "niche"),
        (lambda text: text.replace('"generations"', '"epochs"'), "unknown key epochs"),
    ],
)
def test_damaged_progress_is_named(recipe, tmp_path, finished, change, complaint):
    folder = tmp_path / "populations/tiny"
    folder.mkdir(parents=True)
    (folder / "progress.json").write_text(change((finished / "progress.json").read_text()))

    result = run(recipe, tmp_path, "--resume")

    assert result.returncode == 2
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--rules", "first-51"), "rules"),
        (("--mutation", "1.5"), "mutation"),
        (("--name", "a/b"), "name"),
        (("--grid", "0", "5"), "grid"),
    ],
)
def test_senseless_recipe_is_refused(recipe, tmp_path, words, complaint):
    result = run(recipe, tmp_path, *words)

    assert result.returncode == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr


def test_folder_that_cannot_be_written_is_named(recipe, tmp_path):
    (tmp_path / "populations").write_text("a file where a folder should be")

    result = run(recipe, tmp_path)

    assert result.returncode == 2
    assert "populations/tiny: cannot make this folder" in result.stderr
