import math
import resource
import signal
import threading
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
from hoad.game.log import GameLogs
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.recipes import ImitatorRecipe, TrainingRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.learning.training.loop import LOSS, VALIDATION_LOSS, Learner, Scalars, train
from hoad.learning.training.run import TrainingRun

pytestmark = pytest.mark.usefixtures("without_pictures")

RECIPE = ImitatorRecipe(
    steps=12, validate_every=3, report_every=1, hidden=(16, 16), batch_size=64, learning_rate=1e-2
)


def run_in(folder: Path, recipe: TrainingRecipe = RECIPE, name: str = "iggi") -> TrainingRun:
    return TrainingRun("imitator", name, folder, recipe, games={name: "their checksum"})


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


class InterruptedLearner(ImitatorLearner):
    """Is asked to stop by Ctrl-C in the middle of a step, and finishes it."""

    def step(self, step: int) -> Scalars:
        if step == 7:
            signal.raise_signal(signal.SIGINT)
        return super().step(step)


def train_in(folder: Path, logs: GameLogs, resume: bool = False, **changes: object) -> None:
    """Train an imitator by the recipe with these changes."""
    recipe = RECIPE.model_copy(update=changes)
    train(ImitatorLearner(logs, recipe), run_in(folder, recipe), resume)


class SmallLearner(Learner):
    recipe, device = RECIPE, torch.device("cpu")

    def __init__(self) -> None:
        self.network = torch.nn.Linear(1, 1)
        self.optimiser = torch.optim.Adam(self.network.parameters())

    def step(self, step: int) -> Scalars:
        return {LOSS: 1.0}

    def validate(self) -> Scalars:
        return {VALIDATION_LOSS: 1.0}


class GatheringLearner(SmallLearner):
    """Gathers the numbers of its steps, and shows the last of them."""

    gathered = torch.zeros(0, dtype=torch.int64)

    def step(self, step: int) -> Scalars:
        self.gathered = torch.cat([self.gathered, torch.tensor([step])])
        return super().step(step)

    def state_dict(self) -> dict[str, torch.Tensor]:
        return {"gathered": self.gathered}

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:
        self.gathered = state["gathered"]

    def pictures(self) -> dict[str, np.ndarray]:
        return {"last step": np.full((2, 3, 3), self.gathered[-1], np.uint8)}


class DivergingLearner(SmallLearner):
    """Its loss is not finite from step 6 on."""

    loss = math.nan

    def step(self, step: int) -> Scalars:
        return {LOSS: 1.0 if step < 5 else self.loss}


@pytest.mark.parametrize(
    ("kind", "report_every", "saved"), [(StoppedLearner, 1, 6), (InterruptedLearner, 5, 8)]
)
def test_a_stopped_training_goes_on_to_the_last_bit(tmp_path, logs, kind, report_every, saved):
    recipe = RECIPE.model_copy(update={"report_every": report_every})
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train_in(whole, logs, report_every=report_every)

    with pytest.raises(KeyboardInterrupt):
        train(kind(logs, recipe), run_in(parts, recipe), resume=False)
    assert load_checkpoint(parts / "last.safetensors")[1]["step"] == saved
    train_in(parts, logs, resume=True, report_every=report_every)

    for file in ("last.safetensors", "model.safetensors"):
        assert (parts / file).read_bytes() == (whole / file).read_bytes()
    for tag in (LOSS, VALIDATION_LOSS):
        assert curve(parts, tag) == curve(whole, tag)
    assert report_every > 1 or list(curve(parts, LOSS)) == list(range(1, 13))


SMALL = TrainingRecipe(steps=4, validate_every=2)


def test_tensorboard_shows_a_run_by_the_name_of_its_folder_with_its_settings(tmp_path):
    train(GatheringLearner(), run_in(tmp_path / "imitator" / "iggi", SMALL), resume=False)

    runs = EventMultiplexer().AddRunsFromDirectory(str(tmp_path)).Reload()
    assert [*runs.Runs()] == ["imitator/iggi"]
    content = runs.PluginRunToTagToContent("hparams")["imitator/iggi"]
    parsed = {tag: HParamsPluginData.FromString(data) for tag, data in content.items()}
    settings = parsed["_hparams_/session_start_info"].session_start_info.hparams
    numbers = [settings[name].number_value for name in ("steps", "validate_every")]
    assert (numbers, {*settings}) == ([4, 2], {*SMALL.model_dump()})
    [measure] = parsed["_hparams_/experiment"].experiment.metric_infos
    assert measure.name.tag == VALIDATION_LOSS


def test_a_training_of_an_earlier_version_keeps_its_folder_of_curves(tmp_path):
    train(GatheringLearner(), run_in(tmp_path, SMALL), resume=False)
    former = tmp_path / "tensorboard"
    former.mkdir()
    for file in tmp_path.glob("events.*"):
        file.rename(former / file.name)

    longer = run_in(tmp_path, SMALL.model_copy(update={"steps": 8}))
    train(GatheringLearner(), replace(longer, may_change=frozenset(["steps"])), resume=True)

    assert not list(tmp_path.glob("events.*"))
    assert list(curve(former, VALIDATION_LOSS)) == [2, 4, 6, 8]


def test_what_a_learner_has_gathered_is_kept_and_its_pictures_are_shown(tmp_path):
    last, learner = tmp_path / "last.safetensors", GatheringLearner()
    train(GatheringLearner(), run_in(tmp_path, SMALL), resume=False)
    tensors, about = load_checkpoint(last)
    assert tensors["learner.gathered"].tolist() == [0, 1, 2, 3]
    tensors["learner.gathered"] = torch.tensor([7, 8])
    save_checkpoint(last, tensors, about | {"step": 2})

    train(learner, run_in(tmp_path, SMALL), resume=True)

    assert learner.gathered.tolist() == [7, 8, 2, 3]
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    images = [(image.step, image.width, image.height) for image in events.Images("last step")]
    assert images == [(2, 3, 2), (4, 3, 2)]


def test_the_best_weights_have_the_lowest_validation_loss_and_are_not_overwritten(
    tmp_path, logs, capsys
):
    train_in(tmp_path, logs, resume=True)  # what never began
    losses = curve(tmp_path, VALIDATION_LOSS)
    about = load_checkpoint(tmp_path / "model.safetensors")[1]
    assert load_checkpoint(tmp_path / "last.safetensors")[1]["step"] == 12
    assert about["step"] == min(losses, key=losses.__getitem__)
    assert about["validation_loss"] == pytest.approx(min(losses.values()))
    # A log that is no terminal gets a line at each validation.
    lines = [line.split(" after ") for line in capsys.readouterr().err.splitlines()]
    assert [told for told, _ in lines] == [f"imitator iggi: step {n} of 12" for n in (3, 6, 9, 12)]
    assert [rest.split()[-1] for _, rest in lines] == [f"{x:.4f}" for x in losses.values()]
    with pytest.raises(HoadError, match="--resume"):
        train_in(tmp_path, logs)


def test_a_network_without_its_training_is_not_overwritten_or_gone_on_with(tmp_path, logs):
    run = run_in(tmp_path)
    train_in(tmp_path, logs)
    network = run.best.read_bytes()
    run.last.write_bytes(network)
    with pytest.raises(HoadError, match=r"last\.safetensors: a network.* --resume"):
        train_in(tmp_path, logs, resume=True)
    (tmp_path / "metadata.json").write_text("{}")
    run.last.unlink()
    for resume in (False, True):
        with pytest.raises(HoadError, match=r"holds a network.*--resume.*--out"):
            train_in(tmp_path, logs, resume)
    assert run.best.read_bytes() == network


def test_two_programs_do_not_train_in_one_folder(tmp_path, logs):
    with only_writer(tmp_path), pytest.raises(HoadError, match="another program is writing there"):
        train_in(tmp_path, logs)


def test_a_checkpoint_of_another_run_is_refused_by_what_differs(tmp_path, logs):
    run = run_in(tmp_path)
    train_in(tmp_path, logs)
    for other, message in (
        (run_in(tmp_path, name="piers"), "name iggi, not piers"),
        (replace(run, games={"iggi": "another"}), "games iggi was their checksum, now another"),
    ):
        with pytest.raises(HoadError, match=message):
            train(ImitatorLearner(logs, RECIPE), other, resume=True)
    with pytest.raises(HoadError, match="recipe batch_size was 64, now 32"):
        train_in(tmp_path, logs, resume=True, batch_size=32)

    # A checkpoint older than a key did what the key's default does.
    tensors, about = load_checkpoint(run.last)
    assert about["recipe"].pop("dropout") is False
    save_checkpoint(run.last, tensors, about)
    train_in(tmp_path, logs, resume=True)
    save_checkpoint(run.last, tensors, about)
    with pytest.raises(HoadError, match="recipe dropout was False, now True"):
        train_in(tmp_path, logs, resume=True, dropout=True)


class PictureLearner(SmallLearner):
    """Draws a picture that is larger than its weights, once it has a checkpoint."""

    validations = 0

    def pictures(self) -> dict[str, np.ndarray]:
        self.validations += 1
        noise = np.random.default_rng(0).integers(256, size=(300, 300, 3), dtype=np.uint8)
        return {"noise": noise} if self.validations > 1 else {}


def test_curves_that_do_not_fit_on_the_disk_end_a_training_in_one_line(tmp_path, monkeypatch):
    """No file may become larger than 64 KiB for a while."""
    failures: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)  # Python prints a traceback
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, hard))
    try:
        with pytest.raises(HoadError, match="cannot write these curves"):
            train(PictureLearner(), run_in(tmp_path), resume=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert not failures
    assert load_checkpoint(tmp_path / "last.safetensors")[1]["step"] >= 3


@pytest.mark.parametrize("loss", [math.nan, math.inf])
def test_a_loss_that_is_not_finite_stops_and_leaves_the_last_good_checkpoint(
    tmp_path, loss, monkeypatch
):
    monkeypatch.setattr(DivergingLearner, "loss", loss)
    recipe = TrainingRecipe(steps=9, validate_every=2)
    with pytest.raises(HoadError) as caught:
        train(DivergingLearner(), run_in(tmp_path, recipe), resume=False)
    message = str(caught.value)
    last = tmp_path / "last.safetensors"
    assert f"the loss is {loss} at step 6; last good checkpoint: {last}" in message
    assert '"validate_every":2' in message
    assert "\n" not in message
    assert load_checkpoint(last)[1]["step"] == 4
