import json
import shutil
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.learning.maml.inner_loop import LowShotModel
from hoad.learning.policies import load_meta_model
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.reports.page import to_text
from hoad.studies.inner_steps import choose_again, report, write_choice


@pytest.fixture
def models(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of checkpoints: a model without iggi, with two candidates, and a milestone."""
    shutil.copytree(trained / "maml", tmp_path / "maml")
    folder = tmp_path / "maml" / "iggi"
    for name in ("model", "step-1"):
        weights, about = load_checkpoint(folder / f"{name}.safetensors")
        about["recipe"] |= {"play_steps": [1, 2], "choice_episodes": 2}
        save_checkpoint(folder / f"{name}.safetensors", weights, about)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    return folder


def test_a_choice_is_made_from_games_of_the_training_agents_only(
    models: Path, trained: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for agent in ("piers", "outer"):
        shutil.copy(trained / f"{agent}.h5", data)

    [found] = choose_again(["maml:iggi"], data)

    assert (found.path, found.before) == (models / "model.safetensors", 2)
    assert found.chosen["play_steps"] in (1, 2)
    assert found.chosen["play_steps_candidates"].keys() == {"1", "2"}
    rows = report([found]).rows
    assert [(row["model"], row["inner steps"]) for row in rows] == [
        ("maml:iggi", k) for k in (1, 2)
    ]
    assert "before" in to_text(report([found]))
    (data / "piers.h5").unlink()
    with pytest.raises(HoadError, match="no recorded games of piers"):
        list(choose_again(["maml:iggi"], data))


def test_a_choice_is_written_into_the_model_and_its_metadata(models: Path, trained: Path) -> None:
    files = [models / name for name in ("metadata.json", "step-1.safetensors")]
    milestone, weights = files[1].read_bytes(), load_checkpoint(models / "model.safetensors")[0]

    [found] = choose_again(["iggi"], trained)
    write_choice(found)

    metadata, about = json.loads(files[0].read_text()), load_meta_model("iggi")[1]
    for written in (metadata, about):
        assert found.chosen.items() <= written.items()
    assert metadata["measures"] and about["recipe"]["play_steps"] == [1, 2]
    stored = load_checkpoint(models / "model.safetensors")[0]
    assert all(stored[name].equal(tensor) for name, tensor in weights.items())
    assert files[1].read_bytes() == milestone
    assert LowShotModel("iggi")


def test_a_milestone_has_a_choice_of_its_own(models: Path, trained: Path) -> None:
    before = [(models / name).read_bytes() for name in ("metadata.json", "model.safetensors")]

    [found] = choose_again(["maml:iggi@1"], trained)
    write_choice(found)

    assert found.chosen.items() <= load_meta_model("iggi@1")[1].items()
    after = [(models / name).read_bytes() for name in ("metadata.json", "model.safetensors")]
    assert after == before
