import copy
import json
import math
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hoad.agents import get_agent
from hoad.core.errors import HoadError
from hoad.core.paths import MODEL, checkpoint_folder, find_checkpoint
from hoad.knowledge import HeldOut
from hoad.learning.compute import autocast
from hoad.learning.maml import learner as learner_module
from hoad.learning.maml.choice import choose_inner_steps
from hoad.learning.maml.learner import MamlLearner, choose_inner_lr, train_maml
from hoad.learning.maml.meta_gradient import meta_gradient
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.maml.tasks import load_task, load_training_tasks, task_of_person
from hoad.learning.network_inputs import unpack
from hoad.learning.policies import load_meta_model, network_file
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.learning.training.loop import VALIDATION_LOSS
from hoad.learning.transitions import join_tensors
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from hoad.replay.split import split_games
from tests.game.examples import random_logs

SIZES = {"games": {"games": 4}, "transitions": {"batches": 3, "batch_size": 20}}

BASE = MamlRecipe(
    agents=("iggi", "piers", "outer", "simplebot"),
    steps=6,
    validate_every=3,
    report_every=2,
    hidden=(48, 48, 24),
    games=4,
    tasks=2,
    inner_lrs=(1e-2,),
    trial_steps=2,
    learning_rate=3e-3,
    validation_episodes=1,
    validation_games=0,
    play_steps=(1,),
)

both_episodes = pytest.mark.parametrize("episode", ["games", "transitions"])


def variant(**keys: Any) -> MamlRecipe:
    base = BASE.model_dump(exclude={"games"})
    return MamlRecipe.model_validate(base | SIZES[str(keys.get("episode", "games"))] | keys)


def learner(data: Path, steps: int = 0, inner_lr: float = 1e-2, **keys: Any) -> MamlLearner:
    """A learner without iggi that has taken so many steps."""
    recipe = variant(**keys)
    tasks = load_training_tasks(recipe, HeldOut("iggi"), data)
    trained = MamlLearner(tasks, (), recipe, inner_lr)
    for step in range(steps):
        trained.step(step)
    return trained


def train(recipe: MamlRecipe, data: Path, folder: Path, resume: bool = False) -> dict[str, float]:
    return train_maml(recipe, "iggi", data, folder, resume)


def metadata_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "maml" / "iggi" / "metadata.json").read_text())


def assert_same_gradients(mine: torch.nn.Module, theirs: torch.nn.Module) -> None:
    """And the same statistics."""
    for name, mean in mine.named_buffers():
        assert torch.equal(mean, theirs.get_buffer(name)), name
    for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
        assert one.grad is not None and other.grad is not None
        assert torch.equal(one.grad, other.grad)


def test_meta_training_learns(data):
    before = learner(data).validate()[VALIDATION_LOSS]

    measures = learner(data, steps=40).validate()

    assert measures[VALIDATION_LOSS] < before - 0.3
    assert measures["validation/low-shot accuracy"] > 0.2


def test_curves_show_the_norm_of_the_gradient_and_what_the_inner_loop_gains(data):
    tasks = load_training_tasks(BASE, HeldOut("iggi"), data)
    trained = MamlLearner(tasks, [load_task("iggi", BASE, data)], BASE, 1e-2)

    norm = trained.step(0)["training/gradient norm"]
    measures = trained.validate()

    gradients = [weights.grad for weights in trained.network.parameters()]
    squares = sum(float(one.double().square().sum()) for one in gradients if one is not None)
    assert norm == pytest.approx(math.sqrt(squares), rel=1e-5)
    gain = measures["validation/zero-shot loss"] - measures["validation/low-shot loss"]
    [episode] = trained._unseen(trained.held_out[0])
    found = trained.measure(episode)
    held_out_gain = found["query before"].loss - found["query after"].loss
    details = {"validation/inner-loop gain": gain, "held-out/inner-loop gain": held_out_gain}
    assert trained.details() == pytest.approx(details)
    assert not {*details} & {*measures}, "metadata and what commands print stay as they are"


@both_episodes
def test_running_statistics_move_once_a_step_and_never_in_validation(data, episode):
    trained = learner(data, steps=1, episode=episode)
    first = trained.network.blocks[1].norm.mean.clone()
    trained.validate()
    for model in (trained.network, trained.average):  # what is trained, and what is validated
        assert torch.equal(model.blocks[1].norm.mean, first)
    trained.step(1)
    assert not torch.equal(trained.network.blocks[1].norm.mean, first)


@pytest.mark.usefixtures("without_gpu")
@both_episodes
def test_statistics_are_those_of_the_pooled_support_under_unadapted_weights(data, episode):
    trained = learner(data, episode=episode, precision="float32")
    twin = copy.deepcopy(trained.network)
    support = [batch for e in trained._draw_episodes(0) for batch in e.support]
    observations = torch.cat([batch.observations for batch in support]).numpy()
    bits = torch.from_numpy(np.unpackbits(observations, axis=1)[:, :658]).float()

    trained.step(0)

    twin.update_statistics(bits, momentum=1.0)
    for mine, theirs in zip(trained.network.blocks, twin.blocks, strict=True):
        assert torch.allclose(mine.norm.mean, theirs.norm.mean, atol=1e-5)
        assert torch.allclose(mine.norm.variance, theirs.norm.variance, atol=1e-5)


# The unadapted model's loss counts in step 1 if fewer steps than two are FOMAML's alone.
@pytest.mark.parametrize(("fomaml_steps", "weight"), [(0, 0.7), (1, 0.7), (2, 0.0)])
def test_a_step_goes_along_the_gradient_that_counts_moving_statistics(data, fomaml_steps, weight):
    keys = {"bn_momentum": 0.3, "zero_shot_weight": 0.7, "fomaml_steps": fomaml_steps}
    trained = learner(data, steps=1, **keys)
    twin = copy.deepcopy(trained.network)

    trained.step(1)

    episodes, rates = trained._draw_episodes(1), [lambda _: trained.inner_lr] * 2
    meta_gradient(twin, episodes, rates, BASE.precision, "all", weight, 0.3)
    assert_same_gradients(trained.network, twin)


@pytest.mark.parametrize("query_gradient", ["all", "last"])
@pytest.mark.parametrize(("batch_norm", "weight"), [("running", 0.7), ("frozen", 0.0)])
def test_a_step_on_transitions_goes_along_the_gradient_after_the_statistics_have_moved(
    data, batch_norm, weight, query_gradient
):
    keys = {"episode": "transitions", "batch_norm": batch_norm, "query_gradient": query_gradient}
    # The inner rate is halved within the three batches of a task, and between the tasks.
    keys |= {"inner_lr_half_life": 4, "zero_shot_weight": weight, "fomaml_steps": 1}
    trained = learner(data, steps=1, **keys)
    recipe, twin = trained.recipe, copy.deepcopy(trained.network)

    trained.step(1)

    episodes = trained._draw_episodes(1)
    rates = [trained._inner_lr_of(step=1, task=task) for task in range(2)]
    if batch_norm == "running":
        support = join_tensors([batch for episode in episodes for batch in episode.support])
        with autocast(trained.device, recipe.precision):
            twin.update_statistics(unpack(support.observations), recipe.bn_momentum)
    meta_gradient(twin, episodes, rates, recipe.precision, query_gradient, weight)
    assert_same_gradients(trained.network, twin)


@pytest.mark.parametrize("weight", [0.0, 2.0])
def test_what_chooses_the_checkpoint_is_the_loss_that_is_trained(data, weight):
    """Before it counts too, so that all checkpoints of a training can be compared."""
    trained = learner(data, steps=1, zero_shot_weight=weight, fomaml_steps=100)

    found = trained.validate()[VALIDATION_LOSS]

    episodes = [episode for task in trained.tasks for episode in trained._unseen(task)]
    by_hand = [trained.measure(episode) for episode in episodes]
    zero_shot, low_shot = (
        np.mean([measures[f"query {when}"].loss for measures in by_hand])
        for when in ("before", "after")
    )
    assert zero_shot != low_shot
    assert found == pytest.approx(low_shot + weight * zero_shot)


def test_what_is_kept_is_averaged_after_fomamls_steps(data):
    trained = learner(data, ema=0.4, fomaml_steps=2)
    states = []
    for step in range(5):
        trained.step(step)
        states.append({name: t.clone() for name, t in trained.network.state_dict().items()})
        if step < 3:  # the first one that is averaged, too
            for name, kept in trained.kept_weights().items():
                assert torch.equal(kept, states[-1][name].to(kept.dtype)), name

    for name, kept in trained.average.state_dict().items():
        once = (states[2][name] + states[3][name]) / 2  # equally, as that is the larger share
        expected = 0.6 * once + 0.4 * states[4][name]
        assert torch.allclose(kept, expected, rtol=1e-5, atol=1e-7), name


def test_an_averaged_model_is_measured_and_plays_as_it_is_kept(data):
    trained = learner(data, steps=20, ema=0.4, learning_rate=1e-2, validation_games=40)
    trained.held_out = [load_task("iggi", trained.recipe, data)]
    measures, newest = trained.validate(), copy.deepcopy(trained.network)

    trained.network.load_state_dict(trained.average.state_dict())
    assert trained.validate() == measures

    trained.average = newest
    others = trained.validate()
    for name in ("held-out/zero-shot lenient score", VALIDATION_LOSS):
        assert others[name] != measures[name]


@both_episodes
def test_frozen_statistics_stay_at_zero_and_one(data, episode):
    trained = learner(data, steps=3, batch_norm="frozen", episode=episode)
    for block in trained.network.blocks:
        assert not block.norm.mean.any()
        assert torch.equal(block.norm.variance, torch.ones_like(block.norm.variance))


def test_the_published_inner_rate_is_halved_with_every_inner_step_counted(data):
    keys: dict[str, Any] = {"episode": "transitions", "batches": 10, "batch_size": 8}
    trained = learner(data, inner_lr=1.0, inner_lr_half_life=100, **keys)
    # Two tasks of ten inner steps: 20 a meta-step, so halved after 5 meta-steps.
    for step, task, inner_step, rate in ((4, 1, 9, 1), (5, 0, 0, 0.5), (14, 1, 9, 0.25)):
        assert trained._inner_lr_of(step=step, task=task)(inner_step) == rate
    assert trained._inner_lr_of(step=15, task=0)(0) == 0.125


def test_the_learning_rate_is_halved(data):
    trained = learner(data, lr_half_life=2, learning_rate=0.008)
    rates = [trained.step(step)["training/learning rate"] for step in range(5)]
    assert rates == [0.008, 0.008, 0.004, 0.004, 0.002]


def test_the_inner_rate_is_the_best_on_unseen_games_after_its_trial(data):
    keys = {"inner_lrs": (1e-4, 1e-2), "zero_shot_weight": 1.0}
    trials = {rate: learner(data, BASE.trial_steps, rate, **keys) for rate in (1e-4, 1e-2)}
    losses = {rate: each.validate()["validation/low-shot loss"] for rate, each in trials.items()}

    chosen, found = choose_inner_lr(trials[1e-2].tasks, variant(**keys))

    assert chosen == min(losses, key=losses.__getitem__)
    assert found == {str(rate): loss for rate, loss in losses.items()}


def test_the_held_out_agent_changes_nothing_but_its_own_curve(data, tmp_path):
    keys = {"inner_lrs": (1e-3, 1e-2), "play_steps": (1, 2), "choice_episodes": 2}
    recipe = variant(**keys, validation_games=4)
    without = tmp_path / "without"
    without.mkdir()
    for agent in ("piers", "outer", "simplebot"):
        shutil.copy(data / f"{agent}.h5", without)

    reported, silent = train(recipe, data, tmp_path / "a"), train(recipe, without, tmp_path / "b")

    shots = [f"held-out/{shot}-shot" for shot in ("zero", "low")]
    whats = ("accuracy", "lenient score", "strict score")
    assert {f"{shot} {what}" for shot in shots for what in whats} < reported.keys()
    assert silent == {k: v for k, v in reported.items() if not k.startswith("held-out/")}
    models = [tmp_path / run / "maml" / "iggi" / "model.safetensors" for run in ("a", "b")]
    assert models[0].read_bytes() == models[1].read_bytes()


def test_the_meta_model_without_a_persons_imitator_has_the_persons_name(data, own_checkpoints):
    weights, metadata = load_checkpoint(find_checkpoint("imitator", "iggi"))
    person = checkpoint_folder("imitator", "P001") / MODEL
    save_checkpoint(person, weights, metadata | {"name": "P001"})

    train_maml(variant(), "imitator:P001", data, own_checkpoints, resume=False)

    made = json.loads((own_checkpoints / "maml" / "P001" / "metadata.json").read_text())
    assert made["games"].keys() == {*BASE.agents}


def test_the_metadata_say_what_was_chosen_and_resuming_does_not_choose_again(
    data, tmp_path, monkeypatch
):
    recipe = variant(inner_lrs=(1e-3, 1e-2))
    train(recipe, data, tmp_path)
    metadata = metadata_of(tmp_path)
    assert metadata["facts"]["inner_rate"] in (1e-3, 1e-2)
    assert metadata["facts"]["inner_rate_losses"].keys() == {"0.001", "0.01"}
    assert metadata["games"].keys() == {"piers", "outer", "simplebot"}
    assert "validation/low-shot accuracy" in metadata["measures"]

    monkeypatch.setattr(learner_module, "choose_inner_lr", None)  # calling it would fail
    train(recipe, data, tmp_path, resume=True)
    train(longer(recipe), data, tmp_path, resume=True)


def test_a_training_that_has_gone_further_is_left_as_it_is_and_its_weights_are_not_rounded(
    data, tmp_path
):
    recipe = variant(precision="float32", ema=0.4)
    train(longer(recipe), data, tmp_path)
    folder = tmp_path / "maml" / "iggi"
    files = [folder / "metadata.json", folder / "last.safetensors", folder / "model.safetensors"]
    before = [file.read_bytes() for file in files]

    train(recipe, data, tmp_path, resume=True)

    assert [file.read_bytes() for file in files] == before
    state = load_checkpoint(folder / "last.safetensors")[0]
    for part in ("network", "learner.average"):
        weights = state[f"{part}.output.weight"]
        assert not torch.equal(weights, weights.bfloat16().float())


def longer(recipe: MamlRecipe) -> MamlRecipe:
    return recipe.model_copy(update={"steps": recipe.steps + 2})


def test_the_task_of_an_agent_is_split(data):
    task = load_task("iggi", BASE, data)
    parts = [set(task.train), set(task.validation), set(split_games(task.logs)["test"])]
    assert all(parts)
    assert sum(map(len, parts)) == len(set.union(*parts)) == len(task.logs)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("ema", [1, 0.4])
def test_inner_steps_are_chosen_with_the_weights_that_are_kept(
    data, tmp_path, monkeypatch, ema, precision
):
    keys = {"play_steps": (1, 4), "choice_episodes": 3, "milestones": (2,)}
    recipe = variant(**keys, ema=ema, precision=precision)
    train(recipe, data, tmp_path)

    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    tasks = load_training_tasks(recipe, HeldOut("iggi"), data)
    for name in ("iggi@2", "iggi"):
        stored = load_checkpoint(network_file("maml", name))[0]
        model, about = load_meta_model(name)
        chosen = choose_inner_steps(model, tasks, recipe, 1e-2)
        assert len(chosen["play_steps_candidates"]) == 2
        assert chosen.items() <= about.items()
        for weights in stored.values():
            assert weights.dtype == (torch.bfloat16 if weights.ndim > 1 else torch.float32)
    assert chosen.items() <= metadata_of(tmp_path).items()


def test_milestones_are_kept_and_play_by_name_and_one_that_has_passed_is_refused(
    data, tmp_path, monkeypatch
):
    train(variant(milestones=(2, 6)), data, tmp_path)

    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    for step in (2, 6):
        about = load_meta_model(f"iggi@{step}")[1]
        assert (about["step"], about["play_steps"]) == (step, 1)
    assert get_agent("maml:iggi@2").name == "maml:iggi@2"
    with pytest.raises(HoadError, match=r"step-4\.safetensors: .* kept step-2\..*, step-6\."):
        load_meta_model("iggi@4")
    with pytest.raises(HoadError, match="6 steps have been taken, and the weights after 4 were"):
        train(variant(milestones=(2, 4, 9), steps=9), data, tmp_path, resume=True)
    train(variant(milestones=(2, 9), steps=9), data, tmp_path, resume=True)
    assert (tmp_path / "maml" / "iggi" / "step-9.safetensors").exists()


# After three steps averages are not made, have not begun, have gone on.
@pytest.mark.parametrize("keys", [{}, {"ema": 0.4, "fomaml_steps": 4}, {"ema": 0.4}])
def test_a_finished_training_can_be_made_longer(data, tmp_path, keys):
    once, twice = tmp_path / "once", tmp_path / "twice"
    train(variant(**keys), data, once)
    train(variant(**keys, steps=3), data, twice)
    train(variant(**keys), data, twice, resume=True)

    for file in ("maml/iggi/last.safetensors", "maml/iggi/model.safetensors"):
        assert (once / file).read_bytes() == (twice / file).read_bytes()
    assert metadata_of(twice)["training_seconds"] > 0


def test_a_longer_training_that_was_stopped_is_not_finished(data, tmp_path):
    train(BASE, data, tmp_path)
    model = tmp_path / "maml" / "iggi" / "model.safetensors"
    weights, about = load_checkpoint(model)
    del about["play_steps"], about["play_steps_candidates"]
    # What a validation of the longer training leaves, when the training is stopped after it.
    save_checkpoint(model, weights, about | {"step": 9})

    train(BASE, data, tmp_path, resume=True)

    about = load_checkpoint(model)[1]
    assert (about["step"], about["play_steps"], metadata_of(tmp_path)["step"]) == (9, 1, 9)


def test_people_without_games_for_validation_are_trained_on_and_choose_nothing():
    logs, seats = random_logs(2, 9, seed=1), np.tile([True, False], (9, 1))
    few = logs.select(np.arange(4))
    tasks = [task_of_person("P001", logs, seats), task_of_person("P002", few, seats[:4])]
    recipe = variant(play_steps=(1, 2), choice_episodes=2)
    learner = MamlLearner(tasks, (), recipe, 1e-2)
    learner.step(0)

    assert len(tasks[1].validation) == 0
    assert math.isfinite(learner.validate()[VALIDATION_LOSS])
    assert learner.describe()["play_steps"] in (1, 2)


@pytest.mark.parametrize("agent", ["iggi", "piers"])
def test_too_few_unseen_games_are_noticed_before_the_first_step(agent, data, tmp_path, monkeypatch):
    few = tmp_path / "few"
    shutil.copytree(data, few)
    (few / f"{agent}.h5").unlink()
    record(PlayRecipe(games=20, agents=(agent,)), few, resume=False, threads=1)
    monkeypatch.setattr(MamlLearner, "step", None)  # taking one would fail

    with pytest.raises(HoadError, match="different games"):
        train(BASE, few, tmp_path / "out")


def test_the_time_of_a_training_counts_the_choice_of_its_inner_rate(data, tmp_path, monkeypatch):
    now = [0.0]

    def choose_slowly(*_: object) -> tuple[float, dict[str, float]]:
        now[0] += 60
        return 1e-2, {}

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(learner_module, "choose_inner_lr", choose_slowly)

    train(variant(steps=1), data, tmp_path)

    assert metadata_of(tmp_path)["training_seconds"] == 60
