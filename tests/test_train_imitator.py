"""The script, run as people run it."""

import json
import signal
from pathlib import Path

import pytest

from tests.scripts import assert_refused, runner_here, start_and_wait_for

SCRIPT = "train_imitator.py"
TINY = """
hidden = [32, 32]
batch_size = 64
steps = 120
validate_every = 20
validation_games = 10
report_every = 10
"""

run = runner_here(SCRIPT)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


def test_training_leaves_weights_metadata_and_curves(
    recipe: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    result = run(recipe, "--agent", "iggi", "--data", data, "--out", out, "--steps", 60)
    assert result.returncode == 0, result.stderr
    folder = out / "imitator" / "iggi"
    assert f"imitator:{folder / 'model.safetensors'}  accuracy on unseen games" in result.stdout
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["name"] == "iggi"
    assert metadata["recipe"]["hidden"] == [32, 32]
    assert 0 < metadata["measures"]["accuracy"] < 1
    assert (folder / "model.safetensors").exists()
    assert list(folder.glob("events.*"))


def test_each_seed_has_a_folder_of_its_own(recipe: Path, data: Path, tmp_path: Path) -> None:
    words = [recipe, "--agent", "iggi", "--data", data, "--out", tmp_path, "--steps", 20]
    for seed in (0, 1):
        assert run(*words, "--seed", seed).returncode == 0

    folders = [tmp_path / "imitator" / name for name in ("iggi", "iggi.1")]
    metadata = [json.loads((folder / "metadata.json").read_text()) for folder in folders]
    assert [(found["name"], found["recipe"]["seed"]) for found in metadata] == [
        ("iggi", 0),
        ("iggi", 1),
    ]


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training that nobody stopped."""
    folder = tmp_path_factory.mktemp("whole")
    recipe = folder / "tiny.toml"
    recipe.write_text(TINY)
    assert run(recipe, "--agent", "iggi", "--data", data, "--out", folder).returncode == 0
    return folder


@pytest.mark.parametrize(
    ("how", "status"),
    [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130), (signal.SIGTERM, 130)],
)
def test_a_stopped_training_goes_on_as_if_nothing_had_happened(
    recipe: Path, data: Path, whole: Path, tmp_path: Path, how: signal.Signals, status: int
) -> None:
    words = [recipe, "--agent", "iggi", "--data", data, "--out"]
    parts = tmp_path / "parts"
    last = Path("imitator") / "iggi" / "last.safetensors"

    process = start_and_wait_for(parts / last, SCRIPT, *words, parts)
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
    metadata = out / "imitator" / "iggi" / "metadata.json"
    written = metadata.stat().st_mtime_ns
    assert run(recipe, *words, "--steps", 20, "--resume").returncode == 0
    assert metadata.stat().st_mtime_ns == written, "a finished training is left as it is"
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
