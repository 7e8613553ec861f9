import math
import signal
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.recipes import ImitatorRecipe, TrainingRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.learning.training.loop import LOSS, VALIDATION_LOSS, Learner, Scalars, train
from hoad.learning.training.metadata import TrainingRun

RECIPE = ImitatorRecipe(
    steps=12, validate_every=3, report_every=1, hidden=(16, 16), batch_size=64, learning_rate=1e-2
)


def run_in(folder: Path, recipe: TrainingRecipe = RECIPE, name: str = "iggi") -> TrainingRun:
    return TrainingRun("imitator", name, folder, recipe, games={name: "their digest"})


def made_at(commit: str, folder: Path) -> TrainingRun:
    run = run_in(folder)
    return replace(run, made_with={**run.made_with, "commit": commit})


def curve(folder: Path, tag: str) -> dict[int, float]:
    events = EventAccumulator(str(folder))
    events.Reload()
    return {event.step: event.value for event in events.Scalars(tag)}


class StoppedLearner(ImitatorLearner):
    """Stops in the middle of a step, as a killed program does."""

    def step(self, step: int) -> Scalars:
        if step == 7:
            raise KeyboardInterrupt
        return super().step(step)


class GatheringLearner(Learner):
    """Gathers the numbers of its steps, and shows the last of them."""

    recipe, device = RECIPE, torch.device("cpu")

    def __init__(self) -> None:
        self.network = torch.nn.Linear(1, 1)
        self.optimiser = torch.optim.Adam(self.network.parameters())
        self.gathered = torch.zeros(0, dtype=torch.int64)

    def step(self, step: int) -> Scalars:
        self.gathered = torch.cat([self.gathered, torch.tensor([step])])
        return {LOSS: 1.0}

    def validate(self) -> Scalars:
        return {VALIDATION_LOSS: 1.0}

    def state_dict(self) -> dict[str, torch.Tensor]:
        return {"gathered": self.gathered}

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:
        self.gathered = state["gathered"]

    def pictures(self) -> dict[str, np.ndarray]:
        return {"last step": np.full((2, 3, 3), self.gathered[-1], np.uint8)}


class InterruptedLearner(ImitatorLearner):
    """Is asked to stop by Ctrl-C in the middle of a step, and finishes it."""

    def step(self, step: int) -> Scalars:
        if step == 7:
            signal.raise_signal(signal.SIGINT)
        return super().step(step)


class DivergingLearner(Learner):
    """Its loss is not finite from step ``last_finite + 1`` on."""

    recipe, device = RECIPE, torch.device("cpu")

    def __init__(self, last_finite: int, loss: float) -> None:
        self.network = torch.nn.Linear(1, 1)
        self.optimiser = torch.optim.Adam(self.network.parameters())
        self.last_finite = last_finite
        self.loss = loss

    def step(self, step: int) -> Scalars:
        return {LOSS: 1.0 if step < self.last_finite else self.loss}

    def validate(self) -> Scalars:
        return {VALIDATION_LOSS: 1.0}


def test_a_stopped_training_goes_on_to_the_last_bit(tmp_path, logs):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(ImitatorLearner(logs, RECIPE), run_in(whole), resume=False)

    with pytest.raises(KeyboardInterrupt):
        train(StoppedLearner(logs, RECIPE), run_in(parts), resume=False)
    assert load_checkpoint(parts / "last.safetensors")[1]["step"] == 6
    train(ImitatorLearner(logs, RECIPE), run_in(parts), resume=True)

    for file in ("last.safetensors", "model.safetensors"):
        assert (parts / file).read_bytes() == (whole / file).read_bytes()
    for tag in (LOSS, VALIDATION_LOSS):
        assert curve(parts, tag) == curve(whole, tag)
    assert list(curve(parts, LOSS)) == list(range(1, 13))


def test_tensorboard_shows_a_run_by_the_name_of_its_folder_with_its_settings(tmp_path):
    recipe = TrainingRecipe(steps=4, validate_every=2)
    train(GatheringLearner(), run_in(tmp_path / "imitator" / "iggi", recipe), resume=False)

    runs = EventMultiplexer().AddRunsFromDirectory(str(tmp_path)).Reload()
    assert [*runs.Runs()] == ["imitator/iggi"]
    content = runs.PluginRunToTagToContent("hparams")["imitator/iggi"]
    parsed = {tag: HParamsPluginData.FromString(data) for tag, data in content.items()}
    settings = parsed["_hparams_/session_start_info"].session_start_info.hparams
    assert {name: settings[name].number_value for name in ("steps", "validate_every")} == {
        "steps": 4,
        "validate_every": 2,
    }
    assert {*settings} == {*recipe.model_dump()}
    [measure] = parsed["_hparams_/experiment"].experiment.metric_infos
    assert measure.name.tag == VALIDATION_LOSS


def test_a_training_of_an_earlier_version_keeps_its_folder_of_curves(tmp_path):
    recipe = TrainingRecipe(steps=4, validate_every=2)
    train(GatheringLearner(), run_in(tmp_path, recipe), resume=False)
    former = tmp_path / "tensorboard"
    former.mkdir()
    for file in tmp_path.glob("events.*"):
        file.rename(former / file.name)

    longer = recipe.model_copy(update={"steps": 8})
    run = replace(run_in(tmp_path, longer), may_change=frozenset(["steps"]))
    train(GatheringLearner(), run, resume=True)

    assert not list(tmp_path.glob("events.*"))
    assert list(curve(former, VALIDATION_LOSS)) == [2, 4, 6, 8]


def test_what_a_learner_has_gathered_is_kept_and_its_pictures_are_shown(tmp_path):
    last = tmp_path / "last.safetensors"
    recipe = TrainingRecipe(steps=4, validate_every=2)
    train(GatheringLearner(), run_in(tmp_path, recipe), resume=False)
    tensors, about = load_checkpoint(last)
    assert tensors["learner.gathered"].tolist() == [0, 1, 2, 3]
    tensors["learner.gathered"] = torch.tensor([7, 8])
    save_checkpoint(last, tensors, about | {"step": 2})

    learner = GatheringLearner()
    train(learner, run_in(tmp_path, recipe), resume=True)

    assert learner.gathered.tolist() == [7, 8, 2, 3]
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert [(image.step, image.width, image.height) for image in events.Images("last step")] == [
        (2, 3, 2),
        (4, 3, 2),
    ]


def test_ctrl_c_finishes_the_step_and_saves_it(tmp_path, logs):
    recipe = RECIPE.model_copy(update={"report_every": 5})
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(ImitatorLearner(logs, recipe), run_in(whole, recipe), resume=False)

    with pytest.raises(KeyboardInterrupt):
        train(InterruptedLearner(logs, recipe), run_in(parts, recipe), resume=False)
    assert load_checkpoint(parts / "last.safetensors")[1]["step"] == 8
    train(ImitatorLearner(logs, recipe), run_in(parts, recipe), resume=True)

    for file in ("last.safetensors", "model.safetensors"):
        assert (parts / file).read_bytes() == (whole / file).read_bytes()
    assert curve(parts, LOSS) == curve(whole, LOSS)


def test_a_log_that_is_no_terminal_gets_a_line_at_each_validation(tmp_path, logs, capsys):
    train(ImitatorLearner(logs, RECIPE), run_in(tmp_path), resume=False)

    losses = curve(tmp_path, VALIDATION_LOSS)
    lines = capsys.readouterr().err.splitlines()
    assert list(losses) == [3, 6, 9, 12]
    assert [line.partition(" after ")[0] for line in lines] == [
        f"imitator iggi: step {step} of 12" for step in losses
    ]
    assert [line.rpartition(" ")[2] for line in lines] == [f"{x:.4f}" for x in losses.values()]


def test_the_best_weights_have_the_lowest_validation_loss_and_are_not_overwritten(tmp_path, logs):
    train(ImitatorLearner(logs, RECIPE), run_in(tmp_path), resume=True)  # what never began
    losses = curve(tmp_path, VALIDATION_LOSS)
    about = load_checkpoint(tmp_path / "model.safetensors")[1]
    assert load_checkpoint(tmp_path / "last.safetensors")[1]["step"] == 12
    assert about["step"] == min(losses, key=losses.__getitem__)
    assert about["validation_loss"] == pytest.approx(min(losses.values()))
    with pytest.raises(HoadError, match="--resume"):
        train(ImitatorLearner(logs, RECIPE), run_in(tmp_path), resume=False)


def test_a_network_without_its_training_is_not_overwritten_or_gone_on_with(tmp_path, logs):
    run = run_in(tmp_path)
    train(ImitatorLearner(logs, RECIPE), run, resume=False)
    network = run.best.read_bytes()
    run.last.write_bytes(network)
    with pytest.raises(HoadError, match=r"last\.safetensors: a network.* --resume"):
        train(ImitatorLearner(logs, RECIPE), run_in(tmp_path), resume=True)
    (tmp_path / "metadata.json").write_text("{}")
    run.last.unlink()
    for resume in (False, True):
        with pytest.raises(HoadError, match=r"holds a network.*--resume.*--out"):
            train(ImitatorLearner(logs, RECIPE), run_in(tmp_path), resume)
    assert run.best.read_bytes() == network


def test_two_programs_do_not_train_in_one_folder(tmp_path, logs):
    with only_writer(tmp_path), pytest.raises(HoadError, match="another program is writing there"):
        train(ImitatorLearner(logs, RECIPE), run_in(tmp_path), resume=False)


def test_a_checkpoint_of_another_run_is_refused_by_what_differs(tmp_path, logs):
    train(ImitatorLearner(logs, RECIPE), run_in(tmp_path), resume=False)
    other_recipe = RECIPE.model_copy(update={"batch_size": 32})
    other_games = TrainingRun(
        "imitator", "iggi", tmp_path, RECIPE, games={"iggi": "another digest"}
    )
    for run, message in (
        (run_in(tmp_path, other_recipe), "recipe batch_size was 64, now 32"),
        (run_in(tmp_path, name="piers"), "name iggi, not piers"),
        (other_games, "games iggi was their digest, now another digest"),
    ):
        with pytest.raises(HoadError, match=message):
            train(ImitatorLearner(logs, RECIPE), run, resume=True)


def test_a_checkpoint_older_than_a_key_did_what_the_keys_default_does(tmp_path, logs):
    run = run_in(tmp_path)
    train(ImitatorLearner(logs, RECIPE), run, resume=False)
    tensors, about = load_checkpoint(run.last)
    assert about["recipe"].pop("dropout") is False
    save_checkpoint(run.last, tensors, about)

    train(ImitatorLearner(logs, RECIPE), run, resume=True)

    other = run_in(tmp_path, RECIPE.model_copy(update={"dropout": True}))
    save_checkpoint(run.last, tensors, about)
    with pytest.raises(HoadError, match="recipe dropout was False, now True"):
        train(ImitatorLearner(logs, RECIPE), other, resume=True)


@pytest.mark.parametrize("loss", [math.nan, math.inf])
def test_a_loss_that_is_not_finite_stops_and_leaves_the_last_good_checkpoint(tmp_path, loss):
    recipe = TrainingRecipe(steps=9, validate_every=2)
    with pytest.raises(HoadError) as caught:
        train(DivergingLearner(5, loss), run_in(tmp_path, recipe), resume=False)
    message = str(caught.value)
    last = tmp_path / "last.safetensors"
    assert f"the loss is {loss} at step 6; last good checkpoint: {last}" in message
    assert '"validate_every":2' in message
    assert "\n" not in message
    assert load_checkpoint(last)[1]["step"] == 4
