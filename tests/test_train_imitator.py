"""The script, run as people run it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoad.replay.recorder import PlayRecipe, record

ROOT = Path(__file__).parents[1]
ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1"}  # matrices this small gain nothing from more
SCRIPT = ROOT / "train_imitator.py"
TINY = """
hidden = [32, 32]
batch_size = 64
steps = 400
validate_every = 20
validation_games = 10
report_every = 10
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("datasets")
    record(PlayRecipe(games=300, agents=("iggi",)), folder, resume=False, threads=1)
    return folder


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


def command(*words: object) -> list[str]:
    return [sys.executable, str(SCRIPT), *map(str, words)]


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), capture_output=True, text=True, check=False, cwd=ROOT, env=ONE_THREAD
    )


def assert_refused(result: subprocess.CompletedProcess[str], *parts: str) -> None:
    lines = result.stderr.splitlines()
    assert result.returncode == 2, result.stderr
    assert len(lines) == 1, result.stderr
    for part in parts:
        assert part in lines[0]


def start_and_wait_for_a_checkpoint(words: list[object], last: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command(*words), cwd=ROOT, env=ONE_THREAD, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not last.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process


def test_training_leaves_weights_a_card_and_curves(
    recipe: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    result = run(recipe, "--agent", "iggi", "--data", data, "--out", out, "--steps", 60)
    assert result.returncode == 0, result.stderr
    assert "imitator:iggi  accuracy on unseen games" in result.stdout
    folder = out / "imitator" / "iggi"
    card = json.loads((folder / "card.json").read_text())
    assert card["name"] == "iggi"
    assert card["recipe"]["hidden"] == [32, 32]
    assert 0 < card["measures"]["accuracy"] < 1
    assert (folder / "model.safetensors").exists()
    assert list((folder / "tensorboard").iterdir())


@pytest.mark.parametrize(
    ("how", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)]
)
def test_a_stopped_training_goes_on_as_if_nothing_had_happened(
    recipe: Path, data: Path, tmp_path: Path, how: signal.Signals, status: int
) -> None:
    words = [recipe, "--agent", "iggi", "--data", data, "--out"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert run(*words, whole).returncode == 0
    last = Path("imitator") / "iggi" / "last.safetensors"

    process = start_and_wait_for_a_checkpoint([*words, parts], parts / last)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == status
    assert b"Traceback" not in errors
    assert run(*words, parts, "--resume").returncode == 0

    for file in (last, last.with_name("model.safetensors")):
        assert (parts / file).read_bytes() == (whole / file).read_bytes()


def test_bad_input_is_refused_in_one_line(recipe: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["--agent", "iggi", "--data", data, "--out", out]
    assert run(recipe, *words, "--steps", 20).returncode == 0
    assert_refused(run(recipe, *words, "--steps", 20), str(out), "--resume")
    card = out / "imitator" / "iggi" / "card.json"
    written = card.stat().st_mtime_ns
    assert run(recipe, *words, "--steps", 20, "--resume").returncode == 0
    assert card.stat().st_mtime_ns == written, "a finished training is left as it is"
    assert_refused(run(recipe, *words, "--steps", 40, "--resume"), "recipe steps was 20, now 40")

    last = out / "imitator" / "iggi" / "last.safetensors"
    last.write_bytes(last.read_bytes()[:-100])
    assert_refused(run(recipe, *words, "--steps", 20, "--resume"), str(last), "damaged")

    nobody = ["--agent", "nobody", "--data", data, "--out", out]
    assert_refused(run(recipe, *nobody), "nobody.h5", "no recorded games of nobody")

    recipe.write_text(TINY + "wdith = 3\n")
    assert_refused(run(recipe, *words), str(recipe), "wdith")


def test_a_folder_that_cannot_be_written_is_named(recipe: Path, data: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    assert_refused(run(recipe, "--agent", "iggi", "--data", data, "--out", blocked), str(blocked))


def test_help_is_there_without_waiting_for_torch() -> None:
    environment = ONE_THREAD | {"PYTHONPROFILEIMPORTTIME": "1"}
    result = subprocess.run(
        command("--help"), capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )
    assert result.returncode == 0
    assert "--learning-rate" in result.stdout
    assert "torch" not in result.stderr
