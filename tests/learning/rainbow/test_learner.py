"""Rainbow's learner: updates held against sums done by hand, recipe, and what it leaves behind."""

import dataclasses
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from hoad.agents import get_agent
from hoad.agents.check import check_agent
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.game.log import replay
from hoad.learning.network_inputs import unpack
from hoad.learning.rainbow.buffer import Experience
from hoad.learning.rainbow.curve import CPU_HOURS, HOURS, STEPS, LearningCurve, read_curve
from hoad.learning.rainbow.learner import RainbowLearner, train_rainbow
from hoad.learning.rainbow.network import RainbowNetwork
from hoad.learning.rainbow.own_cards import ABSENT
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recolour import recoloured_bits, recoloured_moves
from hoad.learning.training.checkpoints import load_checkpoint
from hoad.learning.training.clock import Clock
from hoad.learning.training.loop import Scalars, train
from hoad.learning.training.run import TrainingRun
from tests.game.examples import random_logs

TINY = RainbowRecipe(
    steps=24,
    validate_every=6,
    report_every=1,
    games=8,
    hidden=(16,),
    history=16,
    learning_starts=8,
    batch_size=32,
    updates=2,
    target_every=3,
    epsilon_decay=4,
    validation_games=4,
    test_games=20,
)
RECIPE = TINY.model_copy(
    update={
        **{"steps": 100, "validate_every": 100, "batch_size": 16, "learning_rate": 1e-2},
        **{"auxiliary_steps": 0, "recolour": False, "own_cards_weight": 0.0},
        **{"per_beta": 0.6, "per_alpha": 0.7, "precision": "float32"},
    }
)
pytestmark = pytest.mark.usefixtures("without_gpu")  # the sums by hand are on the CPU
PLAY, DISCARD, HINT_RED, HINT_GREEN = 5, 1, 10, 12


def new_curve(folder: Path) -> LearningCurve:
    return LearningCurve(folder / "curve.csv", Clock(folder / "clock.json"))


def new_learner(folder: Path, **options: object) -> RainbowLearner:
    return RainbowLearner(TINY.model_copy(update=options), new_curve(folder))


def learner_that_has_played(folder: Path, **options: object) -> RainbowLearner:
    """Return a learner just before its first update."""
    recipe = RECIPE.model_copy(update=options)
    learner = RainbowLearner(recipe, new_curve(folder))
    for step in range(recipe.learning_starts):
        learner.play_on(step)
    return learner


def expect_returns(network: RainbowNetwork, returns: Mapping[int, float]) -> None:
    """Let the network be sure of a return for each move, whatever it sees; 0 where not said."""
    wanted = [returns.get(move, 0.0) for move in range(20)]
    sure = torch.stack([50.0 * (network.support == value) for value in wanted])
    with torch.no_grad():
        network.moves.weight.zero_()
        network.moves.bias.copy_(sure.flatten())


def experience_of(learner: RainbowLearner, **fields: Any) -> Experience:
    """Return two transitions that were drawn, with some of their fields replaced."""
    experience = learner.buffer.take(np.array([3, 9]), torch.device("cpu"))
    return dataclasses.replace(experience, **fields)


def update_towards(learner: RainbowLearner, atoms: list[int], colours: np.ndarray, **fields: Any):
    """Update once with what two moves lead to; return targets, losses and gradients by move."""
    targets = torch.eye(51)[atoms]
    experience = experience_of(learner, actions=torch.tensor([PLAY, HINT_RED]), **fields)
    losses, _ = learner._update(experience, targets, torch.arange(2), colours, 0.0)
    assert learner.network.moves.bias.grad is not None
    return targets, losses, learner.network.moves.bias.grad.view(20, 51)


@pytest.mark.parametrize(("double", "value"), [(True, 4.0), (False, 9.0)])
def test_a_target_is_the_return_and_the_discounted_value_of_the_best_legal_move(
    tmp_path, double, value
):
    learner = learner_that_has_played(tmp_path, double=double)
    expect_returns(learner.network, {PLAY: 20, DISCARD: 8, HINT_RED: 7})
    expect_returns(learner.target, {PLAY: 20, DISCARD: 4, HINT_RED: 9})
    without_play = 1 << DISCARD | 1 << HINT_RED
    experience = experience_of(
        learner,
        returns=torch.tensor([2.0, -3.0]),
        discounts=torch.tensor([0.99, 0.0]),
        next_legal=torch.tensor([without_play, without_play]),
    )

    targets = learner._targets(experience)

    means = targets @ learner.target.support
    torch.testing.assert_close(means, torch.tensor([2 + 0.99 * value, -3.0]))
    torch.testing.assert_close(targets.sum(dim=1), torch.ones(2))


def test_an_update_follows_the_weighted_gradient_of_the_moves_made(tmp_path):
    learner = learner_that_has_played(tmp_path)
    expect_returns(learner.network, {})
    weights = torch.tensor([1.0, 0.25])
    before = learner.network.moves.bias.view(20, 51).detach().clone()

    targets, losses, gradients = update_towards(learner, [30, 10], np.arange(5), weights=weights)

    wanted = torch.zeros(20, 51)
    for row, move in enumerate((PLAY, HINT_RED)):
        wanted[move] = (before[move].softmax(dim=0) - targets[row]) * weights[row] / 2
    torch.testing.assert_close(gradients, wanted)
    torch.testing.assert_close(losses, torch.full((2,), 50.0))
    # Adam's first step is by the rate against the sign of each gradient that counts.
    moved = learner.network.moves.bias.view(20, 51).detach() - before
    assert (moved[wanted.abs() > 0.1].sign() == -wanted[wanted.abs() > 0.1].sign()).all()


def test_colours_of_hints_are_exchanged_with_those_of_what_is_seen(tmp_path):
    learner = learner_that_has_played(tmp_path)
    expect_returns(learner.network, {})
    red_to_green = np.array([2, 1, 0, 3, 4])
    assert recoloured_moves(red_to_green)[HINT_RED] == HINT_GREEN

    _, _, gradients = update_towards(learner, [0, 0], red_to_green)

    learned = gradients.abs().sum(dim=1).nonzero().flatten().tolist()
    assert set(learned) == {PLAY, HINT_GREEN}


def test_priorities_are_powers_of_how_far_distributions_are_from_their_targets(tmp_path):
    learner = learner_that_has_played(tmp_path, learning_rate=1e-30, late_learning_rate=1e-30)
    drawn: list[Experience] = []
    draw = learner.buffer.draw

    def noted(count: int, seed: int, device: torch.device) -> Experience:
        drawn.append(draw(count, seed, device))
        return drawn[-1]

    learner.buffer.draw = noted  # type: ignore[method-assign]

    learner.learn(RECIPE.learning_starts)

    (experience,) = drawn
    assert len(experience.items) == 32
    targets = learner._targets(experience)
    network = learner.network
    with torch.no_grad():
        features = network.features(unpack(experience.observations))
        found = network.logits_of(features, experience.actions).log_softmax(dim=1)
    divergence = (targets * (targets.clamp(min=1e-30).log() - found)).sum(dim=1)
    wanted = (divergence.double().numpy() + 1e-3) ** 0.7
    priorities = learner.buffer._tree.priorities[experience.items]
    np.testing.assert_allclose(priorities, wanted, rtol=1e-4)
    assert priorities.std() > 0.05


def test_the_target_network_is_the_one_of_every_so_many_steps(tmp_path):
    learner = learner_that_has_played(tmp_path)
    starts, targets = [], []
    for step in range(RECIPE.learning_starts, RECIPE.learning_starts + 7):
        starts.append(learner.network.moves.weight.clone())
        learner.learn(step)
        targets.append(learner.target.moves.weight.clone())

    for step, target in enumerate(targets):
        assert torch.equal(target, starts[step - step % RECIPE.target_every])
    assert not torch.equal(starts[0], starts[3])


def train_in(
    folder: Path,
    recipe: RainbowRecipe,
    resume: bool,
    learner: type[RainbowLearner] = RainbowLearner,
) -> None:
    run = TrainingRun("rainbow", "0", folder, recipe, games={})
    train(learner(recipe, LearningCurve(folder / "curve.csv", run.clock)), run, resume)


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save the second that drawing the table of moves takes in each validation."""
    picture = np.zeros((2, 3, 3), np.uint8)
    monkeypatch.setattr("hoad.learning.rainbow.learner.draw_move_table", lambda table: picture)


class StoppedLearner(RainbowLearner):
    """Stops in the middle of a step, as a killed program does."""

    def step(self, step: int) -> Scalars:
        if step == 15:
            raise KeyboardInterrupt
        return super().step(step)


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize(
    "options",
    [
        {"double": False, "recolour": False, "ema": 1.0, "own_cards_weight": 0.0},
        {"auxiliary_steps": 14},
    ],
    ids=["as published", "auxiliary"],
)
def test_a_stopped_training_goes_on_to_the_last_bit(tmp_path, options):
    recipe = TINY.model_copy(update=options)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train_in(whole, recipe, resume=False)

    with pytest.raises(KeyboardInterrupt):
        train_in(parts, recipe, False, StoppedLearner)
    assert load_checkpoint(parts / "last.safetensors")[1]["step"] == 12
    train_in(parts, recipe, resume=True)

    for file in ("last.safetensors", "model.safetensors"):
        assert (parts / file).read_bytes() == (whole / file).read_bytes()
    curves = [read_curve(folder / "curve.csv") for folder in (parts, whole)]
    for line, other in zip(*curves, strict=True):
        assert {**line, "hours": 0, "cpu_hours": 0} == {**other, "hours": 0, "cpu_hours": 0}
    assert [line["environment_steps"] for line in curves[0]] == [48, 96, 144, 192]


@pytest.mark.usefixtures("plain_pictures")
def test_it_learns_to_score_where_random_moves_lose(tmp_path):
    larger = {"games": 64, "hidden": (64,), "history": 128, "batch_size": 128, "updates": 4}
    longer = {"steps": 150, "validate_every": 150, "target_every": 20, "validation_games": 200}
    update = {**larger, **longer, "learning_rate": 2e-3}
    train_in(tmp_path, TINY.model_copy(update=update), resume=False)
    (line,) = read_curve(tmp_path / "curve.csv")
    assert replay(random_logs(2, 1000, 1)).strict.mean() < 0.05
    assert line["strict"] > 0.25


def test_curves_and_the_table_of_moves_are_shown(tmp_path):
    train_in(tmp_path, TINY, resume=False)
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert events.Tags()["images"] == ["validation/moves after moves"]
    training = ("loss", "learning rate", "random moves", "value", "lost", "moves per second")
    validation = ("strict", "lenient", "lost", "colour hints", "rank hints")
    wanted = [*(f"training/{name}" for name in training)]
    wanted += [f"validation/{name}" for name in validation]
    assert {*wanted} <= {*events.Tags()["scalars"]}


def test_averaged_weights_are_kept(tmp_path):
    learner = new_learner(tmp_path, ema=0.25)

    def weights(network: RainbowNetwork) -> torch.Tensor:
        return network.moves.bias.detach().clone()

    for step in range(9):
        learner.step(step)
    first = weights(learner.network)
    assert torch.equal(weights(learner.kept_network()), first)  # nothing to average with yet

    learner.step(9)
    mean = (first + weights(learner.network)) / 2
    torch.testing.assert_close(weights(learner.kept_network()), mean)
    for step in range(10, 13):
        before = weights(learner.kept_network())
        learner.step(step)

    expected = 0.75 * before + 0.25 * weights(learner.network)
    torch.testing.assert_close(weights(learner.kept_network()), expected)


def test_random_moves_become_fewer_and_some_games_explore_more_than_others(tmp_path):
    alike = new_learner(tmp_path, epsilon=0.1, epsilon_power=0, epsilon_decay=10)
    unlike = new_learner(tmp_path, games=3, epsilon=0.1, epsilon_power=2)

    shares = [alike.epsilons(step)[0] for step in (0, 8, 13, 18, 1000)]

    assert shares == pytest.approx([1.0, 1.0, 0.55, 0.1, 0.1])
    assert (alike.epsilons(13) == alike.epsilons(13)[0]).all()
    assert unlike.epsilons(1000) == pytest.approx([0.1, 0.01, 0.001])


@pytest.mark.usefixtures("plain_pictures")
def test_the_best_network_is_tested_described_and_plays(tmp_path, monkeypatch):
    measures = train_rainbow(TINY, tmp_path, resume=False)
    metadata = tmp_path / "rainbow" / "0" / "metadata.json"
    assert 0 <= measures["strict_score"] <= measures["lenient_score"] <= 25
    assert json.loads(metadata.read_text())["measures"] == measures
    written = metadata.stat().st_mtime_ns
    assert train_rainbow(TINY, tmp_path, resume=True) == measures
    assert metadata.stat().st_mtime_ns == written

    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    agent = get_agent("rainbow:0")
    assert agent.name == "rainbow:0"
    assert check_agent(agent) == []


def test_it_learns_the_status_of_its_own_cards(tmp_path):
    keys = {"games": 64, "history": 32, "hidden": (64,), "updates": 4, "learning_rate": 3e-3}
    learner = new_learner(tmp_path, **keys)
    losses = [learner.step(step).get("training/status loss", math.nan) for step in range(150)]
    statuses = learner.buffer.arrays()["statuses"]
    shares = np.bincount(statuses[statuses != ABSENT]) / (statuses != ABSENT).sum()
    by_shares_alone = -(shares * np.log(shares)).sum()
    assert np.mean(losses[-10:]) < by_shares_alone - 0.03


def test_after_the_auxiliary_steps_colours_and_own_cards_are_left_alone(tmp_path, monkeypatch):
    colourings: list[tuple[int, ...]] = []

    def noted(colouring: np.ndarray) -> np.ndarray:
        colourings.append(tuple(colouring))
        return recoloured_bits(colouring)

    monkeypatch.setattr("hoad.learning.recolour.recoloured_bits", noted)
    learner = new_learner(tmp_path, auxiliary_steps=16, updates=8)
    auxiliary = [learner.step(step) for step in range(16)][-1]
    assert len(set(colourings)) > 8
    statuses = learner.network.statuses
    assert statuses is not None
    before = statuses.weight.clone()
    colourings.clear()

    after = learner.step(16)

    assert set(colourings) == {(0, 1, 2, 3, 4)}
    assert torch.equal(statuses.weight, before)
    assert "training/status loss" in auxiliary
    assert "training/status loss" not in after


def test_there_is_no_head_for_own_cards_without_a_weight(tmp_path):
    learner = new_learner(tmp_path, own_cards_weight=0.0)
    assert learner.network.statuses is None
    scalars = [learner.step(step) for step in range(9)][-1]
    assert "training/loss" in scalars
    assert "training/status loss" not in scalars


def test_the_learning_rate_has_half_lives_in_and_after_the_auxiliary_steps(tmp_path):
    early = {"auxiliary_steps": 10, "learning_rate": 0.08, "lr_half_life": 4}
    learner = new_learner(tmp_path, **early, late_learning_rate=0.03, late_lr_half_life=8)
    rates = []
    for step in range(15):
        learner.step(step)
        rates.append(learner.optimiser.param_groups[0]["lr"])
    assert rates[8:10] == pytest.approx([0.02, 0.08 / 2**2.25])
    assert [rates[step] for step in (10, 14)] == pytest.approx([0.03, 0.03 / 2**0.5])


def test_wrong_values_are_refused():
    with pytest.raises(HoadError, match=r"v_min = 25\.0 is not below v_max = 25"):
        check_recipe({"steps": 1, "validate_every": 1, "v_min": 25.0}, RainbowRecipe, "my.toml")


def test_a_curve_grows_by_a_line_and_goes_on_with_the_hours_of_earlier_runs(tmp_path):
    for steps, strict in ((1000, 3.25), (2000, 4.5)):
        curve = new_curve(tmp_path / "new")
        curve.resume(steps - 1000)  # without a file it begins one
        curve.add(steps, {"strict": strict})
    lines = read_curve(tmp_path / "new" / "curve.csv")
    assert [(line[STEPS], line["strict"]) for line in lines] == [(1000, 3.25), (2000, 4.5)]
    for hours in (HOURS, CPU_HOURS):
        assert 0 <= lines[0][hours] <= lines[1][hours] < 0.1
    text = (tmp_path / "new" / "curve.csv").read_text()
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == ["1000", "2000"]

    (tmp_path / "curve.csv").write_text(
        f"{STEPS},{HOURS},{CPU_HOURS},strict\n1000,1.5,2.5,3\n2000,2.5,4.0,4\n3000,3.5,6.0,5\n"
    )
    (tmp_path / "clock.json").write_text('{"seconds": 9000.0, "processor_seconds": 14400.0}')
    curve = new_curve(tmp_path)
    curve.resume(2000)
    curve.add(3000, {"strict": 6})
    lines = read_curve(tmp_path / "curve.csv")
    assert [line["strict"] for line in lines] == [3, 4, 6]
    assert [lines[-1][HOURS], lines[-1][CPU_HOURS]] == pytest.approx([2.5, 4.0], abs=0.1)


@pytest.mark.parametrize("text", ["a,b\n1,2\n", f"{STEPS},{HOURS},{CPU_HOURS}\n1,2,x\n"])
def test_what_is_no_curve_or_one_with_other_columns_is_refused_by_name(tmp_path, text):
    new_curve(tmp_path).add(1000, {"score": 3.25})
    curve = new_curve(tmp_path)
    curve.resume(1000)
    with pytest.raises(HoadError, match=r"curve\.csv: a learning curve with other columns"):
        curve.add(2000, {"strict": 4.5})

    (tmp_path / "curve.csv").write_text(text)
    with pytest.raises(HoadError, match=r"curve\.csv"):
        read_curve(tmp_path / "curve.csv")
