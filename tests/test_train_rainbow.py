"""The script, run as people run it."""

import json
import signal
from pathlib import Path

import pytest

from tests.scripts import assert_refused, runner_here, start_and_wait_for

SCRIPT = "train_rainbow.py"
TINY = """
steps = 40
validate_every = 10
report_every = 10
games = 16
hidden = [16]
history = 16
learning_starts = 8
batch_size = 32
updates = 2
validation_games = 4
test_games = 4
seed = 3
"""

run = runner_here(SCRIPT)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


def test_a_killed_training_goes_on_as_if_nothing_had_happened(recipe: Path, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    result = run(recipe, "--out", whole)
    assert result.returncode == 0, result.stderr
    folder = Path("rainbow") / "3"
    assert f"rainbow:{whole / folder / 'model.safetensors'}  strict" in result.stdout

    process = start_and_wait_for(
        parts / folder / "last.safetensors", SCRIPT, recipe, "--out", parts
    )
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert run(recipe, "--out", parts, "--resume").returncode == 0

    for file in ("last.safetensors", "model.safetensors"):
        assert (parts / folder / file).read_bytes() == (whole / folder / file).read_bytes()
    lines = (parts / folder / "curve.csv").read_text().splitlines()
    assert len(lines) == 1 + 40 // 10
    metadata = json.loads((parts / folder / "metadata.json").read_text())
    assert metadata["name"] == "3"
    assert 0 <= metadata["measures"]["strict_score"] <= metadata["measures"]["lenient_score"] <= 25


def test_bad_input_is_refused_in_one_line(recipe: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(recipe, "--out", out, "--steps", 20).returncode == 0
    assert_refused(run(recipe, "--out", out, "--steps", 20), str(out), "--resume")
    resumed = run(recipe, "--out", out, "--steps", 20, "--games", 8, "--resume")
    assert_refused(resumed, "recipe games was 16, now 8")

    last = out / "rainbow" / "3" / "last.safetensors"
    last.write_bytes(last.read_bytes()[:-100])
    assert_refused(run(recipe, "--out", out, "--steps", 20, "--resume"), str(last), "damaged")

    recipe.write_text(TINY + "n_step = 4\n")
    assert_refused(run(recipe, "--out", out), str(recipe), "unknown key n_step")
