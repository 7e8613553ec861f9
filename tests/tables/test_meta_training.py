from pathlib import Path

import pytest

from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.learning.training.metadata_file import read_metadata_file, write_metadata_file
from hoad.tables.meta_training import CURVES, meta_training


@pytest.mark.usefixtures("checkpoints")
def test_trainings_come_with_their_curves() -> None:
    found = meta_training("iggi")

    assert found
    facts = found.facts()
    assert facts["layers"] == "2, 16 to 16 wide"
    assert facts["zero-shot weight"] == "2 after 3 steps"
    assert (facts["steps"], facts["inner rate"], facts["inner steps at play"]) == ("4", "0.01", "2")
    assert found.curves.keys() == set(CURVES)
    assert {tuple(steps) for steps, _ in found.curves.values()} == {(2, 4)}


def test_metadata_older_than_the_zero_shot_weight_had_none(checkpoints: Path) -> None:
    path = checkpoints / "maml" / "iggi" / "metadata.json"
    metadata = read_metadata_file(path)
    del metadata["recipe"]["zero_shot_weight"], metadata["recipe"]["fomaml_steps"]
    write_metadata_file(path, metadata)
    found = meta_training("iggi")
    assert found and found.facts()["zero-shot weight"] == "0"


@pytest.mark.usefixtures("checkpoints")
def test_where_there_is_no_meta_model_there_is_no_training() -> None:
    assert meta_training("flawed") is None


def test_a_training_that_goes_on_is_not_described_by_metadata_of_its_older_model(
    checkpoints: Path,
) -> None:
    model = checkpoints / "maml" / "iggi" / "model.safetensors"
    weights, about = load_checkpoint(model)
    save_checkpoint(model, weights, about | {"step": about["step"] + 2})

    assert meta_training("iggi") is None
