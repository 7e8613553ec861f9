import json
from pathlib import Path

import pytest
<<<<<<< HEAD
from hoad.evaluation.adhoc_report import _meta_training
from hoad.evaluation.report.old import draw_training

from hoad.evaluation.meta_training import CURVES, meta_training
from hoad.evaluation.report.page import Figure
from hoad.learning.maml.learner import train_maml
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.replay.recorder import PlayRecipe, record

AGENTS = ("iggi", "piers", "outer")
TINY = MamlRecipe(
    agents=AGENTS,
    tasks=2,
    games=4,
    steps=4,
    validate_every=2,
    validation_games=4,
    hidden=(16, 16),
    inner_lrs=(1e-2,),
    play_steps=(2,),
    zero_shot_weight=2,
    fomaml_steps=3,
)
=======

from hoad.evaluation.meta_training import CURVES, meta_training
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
>>>>>>> tables


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


<<<<<<< HEAD
def test_a_report_says_whom_the_curves_were_played_with(checkpoints: Path) -> None:
    found = meta_training("iggi")
    assert found

    *_, figure = _meta_training({"iggi": found}, checkpoints)

    assert isinstance(figure, Figure)
    assert "with the agent itself, whoever the partners of the table are" in figure.caption


def test_metadata_older_than_the_zero_shot_weight_had_none(checkpoints: Path) -> None:
    path = checkpoints / "maml" / "iggi" / "metadata.json"
    metadata = json.loads(path.read_text())
    del metadata["recipe"]["zero_shot_weight"], metadata["recipe"]["fomaml_steps"]
    path.write_text(json.dumps(metadata))
=======
def test_metadata_older_than_the_zero_shot_weight_had_none(checkpoints: Path) -> None:
    path = checkpoints / "maml" / "iggi" / "card.json"
    card = json.loads(path.read_text())
    del card["recipe"]["zero_shot_weight"], card["recipe"]["fomaml_steps"]
    path.write_text(json.dumps(card))
>>>>>>> tables
    found = meta_training("iggi")
    assert found and found.facts()["zero-shot weight"] == "0"


@pytest.mark.usefixtures("checkpoints")
def test_where_there_is_no_meta_model_there_is_no_training() -> None:
    assert meta_training("flawed") is None


<<<<<<< HEAD
def test_the_metadata_of_an_older_model_are_not_those_of_a_continued_training(
=======
def test_a_training_that_goes_on_is_not_described_by_metadata_of_its_older_model(
>>>>>>> tables
    checkpoints: Path,
) -> None:
    model = checkpoints / "maml" / "iggi" / "model.safetensors"
    weights, about = load_checkpoint(model)
    save_checkpoint(model, weights, about | {"step": about["step"] + 2})

    assert meta_training("iggi") is None
