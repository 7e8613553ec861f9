import csv
import json
import resource
import shutil
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from hoad.core.files import only_writer
from hoad.evolution.fitness import evaluate
from hoad.evolution.heat_map import fitness_grid
from hoad.evolution.population import load_population
from tests.scripts import assert_refused, command, run_here, run_in_fork

RECIPE = 'name = "tiny"\nseed = 7\ngrid = [4, 4]\ngames = 5\ncandidates = 3_000\n'
RECIPE += "random_candidates = 500\ngeneration = 50\nsave_every = 10\nfinal_games = 20\n"


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(RECIPE)
    return path


def run(recipe: Path, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_here("evolve.py", recipe, "--out", out, *words)


def interrupt_midway(recipe: Path, out: Path, *words: str) -> None:
    """Start a run and press Ctrl-C when it has saved something."""
    line = command("evolve.py", recipe, "--out", out, *words)
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (out / "populations/tiny/progress.json").exists():
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate()
    assert process.returncode == 130
    assert messages.count("\n") == 1


def assert_same_population(ours: Path, expected: Path) -> None:
    for name in ("population.json", "population.csv", "progress.json"):
        assert (ours / name).read_text() == (expected / name).read_text()


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
    assert population.candidates == 3_000
    assert population.missing_candidates == 0
    assert len(population.elites) >= 6
    assert fitness_grid(population).shape == (4, 4)
    assert (finished / "fitness.png").read_bytes().startswith(b"\x89PNG")
    with (finished / "population.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert [float(row["fitness"]) for row in rows] == [e.fitness for e in population.elites]
    assert list(finished.glob("events.*"))
    chromosomes = np.array([elite.chromosome for elite in population.elites])
    verdicts = evaluate(chromosomes, games=20, seed=7, first_game=60 * 5)  # played by no candidate
    assert [elite.fitness for elite in population.elites] == verdicts.fitness.tolist()


def test_curves_show_the_archive_as_it_grows(finished):
    events = EventAccumulator(str(finished), size_guidance={"images": 0})
    events.Reload()

    curves = {
        name: [point.value for point in events.Scalars(f"archive/{name}")]
        for name in ("coverage", "best", "mean", "qd_score", "candidates_per_s")
    }

    assert [len(curve) for curve in curves.values()] == [6] * 5
    assert curves["coverage"] == sorted(curves["coverage"])
    assert len(events.Images("fitness")) >= 6
    products = np.multiply(curves["coverage"], curves["mean"])
    assert curves["qd_score"] == pytest.approx(products, rel=1e-5)


def test_stopped_and_resumed_run_ends_with_the_same_population(recipe, tmp_path, finished):
    """``tests/test_attacks.py`` has a run that is killed several times."""
    interrupt_midway(recipe, tmp_path, "--threads", "2")
    saved = json.loads((tmp_path / "populations/tiny/progress.json").read_text())
    assert saved["generations"] < 60, "it was stopped too late to show anything"
    unfinished = load_population(tmp_path / "populations/tiny/population.json")
    assert unfinished.candidates == 3_000 - unfinished.missing_candidates < 3_000

    resumed = run(recipe, tmp_path, "--resume", "--threads", "2")

    assert resumed.returncode == 0, resumed.stderr
    assert_same_population(tmp_path / "populations/tiny", finished)


@pytest.mark.parametrize("kilobytes", [20, 90])
def test_full_disk_is_told_of_and_the_run_goes_on_later(recipe, tmp_path, finished, kilobytes):
    """No file may become larger: the picture or the curves do not fit."""
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (kilobytes * 1024,) * 2)

    full = run_in_fork(limit, "evolve.py", recipe, "--out", tmp_path, "--threads", "1")

    assert_refused(full, "populations/tiny", "cannot write")
    resumed = run(recipe, tmp_path, "--resume", "--threads", "1")
    assert resumed.returncode == 0, resumed.stderr
    assert_same_population(tmp_path / "populations/tiny", finished)


def test_several_runs_are_those_made_one_by_one(recipe, tmp_path, finished):
    result = run(recipe, tmp_path, "--runs", "2", "--threads", "2")

    assert result.returncode == 0, result.stderr
    assert [line.split(":")[0][-6:] for line in result.stdout.splitlines()] == ["tiny-1", "tiny-2"]
    first, second = (
        load_population(tmp_path / f"populations/tiny-{n}/population.json") for n in (1, 2)
    )
    assert first.elites == load_population(finished / "population.json").elites
    assert second.elites != first.elites


def test_finished_run_is_not_overwritten_or_resumed_with_another_recipe(recipe, finished, tmp_path):
    (tmp_path / "populations/tiny-2").mkdir(parents=True)
    shutil.copy(finished / "progress.json", tmp_path / "populations/tiny-2")
    several = run(recipe, tmp_path, "--runs", "2")
    assert_refused(several, "tiny-2: holds a run already")
    assert not (tmp_path / "populations/tiny-1").exists()  # nothing is begun
    assert_refused(
        run(recipe, finished.parents[1]), "holds a run already; continue it with --resume"
    )
    other = run(recipe, finished.parents[1], "--resume", "--games", "6")
    assert_refused(other, "games was 5, now 6")


def test_a_folder_of_another_program_or_that_cannot_be_made_is_named(recipe, tmp_path):
    folder = tmp_path / "populations/tiny"
    folder.mkdir(parents=True)
    with only_writer(folder):
        assert_refused(run(recipe, tmp_path), "another program is writing there")

    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "populations").write_text("a file where a folder should be")
    assert_refused(run(recipe, tmp_path / "other"), "populations/tiny: cannot make this folder")


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

    assert_refused(result, complaint)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--rules", "first-51"), "rules"),
        (("--mutation", "1.5"), "mutation"),
        (("--name", "a/b"), "name"),
        (("--grid", "0", "5"), "grid"),
        (("--features", "risk_aversion", "risk_aversion"), "both features are risk_aversion"),
        (("--features", "risk_aversion", "charm"), "features"),
    ],
)
def test_senseless_recipe_is_refused(recipe, tmp_path, words, complaint):
    result = run(recipe, tmp_path, *words)

    assert_refused(result, complaint)
