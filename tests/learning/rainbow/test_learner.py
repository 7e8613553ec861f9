import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from hoad.agents import get_agent
from hoad.agents.check import check_agent
from hoad.core.errors import HoadError
from hoad.game.log import replay
from hoad.learning.rainbow.curve import LearningCurve, read_curve
from hoad.learning.rainbow.learner import RainbowLearner, train_rainbow
from hoad.learning.rainbow.own_cards import ABSENT
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.rainbow.recolour import recoloured_bits
from hoad.learning.training.checkpoints import load_checkpoint
from hoad.learning.training.clock import Clock
from hoad.learning.training.loop import Scalars, train
from hoad.learning.training.metadata import TrainingRun
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


AUXILIARY_UNTIL_14 = {"auxiliary_steps": 14}


def train_in(
    folder: Path,
    recipe: RainbowRecipe,
    resume: bool,
    learner: type[RainbowLearner] = RainbowLearner,
) -> None:
    run = TrainingRun("rainbow", "0", folder, recipe, games={})
    train(learner(recipe, LearningCurve(folder / "curve.csv", run.clock)), run, resume)


def new_curve(folder: Path) -> LearningCurve:
    return LearningCurve(folder / "curve.csv", Clock(folder / "clock.json"))


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
        AUXILIARY_UNTIL_14,
    ],
    ids=["as published", "auxiliary"],
)
def test_a_stopped_training_goes_on_to_the_last_bit(
    tmp_path: Path, options: dict[str, object]
) -> None:
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
def test_it_learns_to_score_where_random_moves_lose(tmp_path: Path) -> None:
    recipe = TINY.model_copy(
        update={
            "steps": 150,
            "validate_every": 150,
            "games": 64,
            "hidden": (64,),
            "history": 128,
            "batch_size": 128,
            "updates": 4,
            "learning_rate": 2e-3,
            "target_every": 20,
            "validation_games": 200,
        }
    )
    train_in(tmp_path, recipe, resume=False)
    (line,) = read_curve(tmp_path / "curve.csv")
    assert replay(random_logs(2, 1000, 1)).strict.mean() < 0.05
    assert line["strict"] > 0.25


def test_curves_and_the_table_of_moves_are_shown(tmp_path: Path) -> None:
    train_in(tmp_path, TINY, resume=False)
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    scalars, images = events.Tags()["scalars"], events.Tags()["images"]
    assert images == ["validation/moves after moves"]
    for tag in (
        "training/loss",
        "training/learning rate",
        "training/random moves",
        "training/value",
        "training/lost",
        "training/moves per second",
        "validation/strict",
        "validation/lenient",
        "validation/lost",
        "validation/colour hints",
        "validation/rank hints",
    ):
        assert tag in scalars


@pytest.mark.usefixtures("plain_pictures")
def test_weights_that_are_not_finite_stop_the_training(tmp_path: Path) -> None:
    class BrokenLearner(RainbowLearner):
        def step(self, step: int) -> Scalars:
            if step == 13:
                with torch.no_grad():
                    self.network.moves.bias.fill_(math.nan)
            return super().step(step)

    with pytest.raises(
        HoadError, match=r"the loss is nan at step 14; last good checkpoint: .*last"
    ):
        train_in(tmp_path, TINY, False, BrokenLearner)
    assert load_checkpoint(tmp_path / "last.safetensors")[1]["step"] == 12


def test_averaged_weights_are_kept(tmp_path: Path) -> None:
    learner = RainbowLearner(TINY.model_copy(update={"ema": 0.25}), new_curve(tmp_path))
    for step in range(9):
        learner.step(step)
    first = learner.network.moves.bias.clone()
    assert torch.equal(learner.kept_network().moves.bias, first)  # nothing to average with yet

    learner.step(9)
    second = learner.network.moves.bias.clone()
    torch.testing.assert_close(learner.kept_network().moves.bias, (first + second) / 2)
    for step in range(10, 13):
        before = learner.kept_network().moves.bias.clone()
        learner.step(step)

    expected = 0.75 * before + 0.25 * learner.network.moves.bias
    torch.testing.assert_close(learner.kept_network().moves.bias, expected)


def test_random_moves_become_fewer_after_the_first_update(tmp_path: Path) -> None:
    recipe = TINY.model_copy(update={"epsilon": 0.1, "epsilon_power": 0, "epsilon_decay": 10})
    learner = RainbowLearner(recipe, new_curve(tmp_path))
    shares = [learner.epsilons(step)[0] for step in (0, 8, 13, 18, 1000)]
    assert shares == pytest.approx([1.0, 1.0, 0.55, 0.1, 0.1])
    assert (learner.epsilons(13) == learner.epsilons(13)[0]).all()


def test_some_games_explore_more_than_others(tmp_path: Path) -> None:
    recipe = TINY.model_copy(update={"games": 3, "epsilon": 0.1, "epsilon_power": 2})
    learner = RainbowLearner(recipe, new_curve(tmp_path))
    assert learner.epsilons(1000) == pytest.approx([0.1, 0.01, 0.001])


@pytest.mark.usefixtures("plain_pictures")
def test_the_best_network_is_tested_described_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = train_rainbow(TINY, tmp_path, resume=False)
    assert 0 <= found["strict_score"] <= found["lenient_score"] <= 25
    card = json.loads((tmp_path / "rainbow" / "0" / "metadata.json").read_text())
    assert card["measures"] == found
    written = (tmp_path / "rainbow" / "0" / "metadata.json").stat().st_mtime_ns
    assert train_rainbow(TINY, tmp_path, resume=True) == found
    assert (tmp_path / "rainbow" / "0" / "metadata.json").stat().st_mtime_ns == written

    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    agent = get_agent("rainbow:0")
    assert agent.name == "rainbow:0"
    assert check_agent(agent) == []


def test_it_learns_the_status_of_its_own_cards(tmp_path: Path) -> None:
    recipe = TINY.model_copy(
        update={"games": 64, "history": 32, "hidden": (64,), "updates": 4, "learning_rate": 3e-3}
    )
    learner = RainbowLearner(recipe, new_curve(tmp_path))
    losses = [learner.step(step).get("training/status loss", math.nan) for step in range(150)]
    statuses = learner.buffer.arrays()["statuses"]
    shares = np.bincount(statuses[statuses != ABSENT]) / (statuses != ABSENT).sum()
    by_shares_alone = -(shares * np.log(shares)).sum()
    assert np.mean(losses[-10:]) < by_shares_alone - 0.03


def test_after_the_auxiliary_steps_colours_and_own_cards_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    colourings: list[tuple[int, ...]] = []

    def noted(colouring: np.ndarray) -> np.ndarray:
        colourings.append(tuple(colouring))
        return recoloured_bits(colouring)

    monkeypatch.setattr("hoad.learning.rainbow.learner.recoloured_bits", noted)
    recipe = TINY.model_copy(update={"auxiliary_steps": 16, "updates": 8})
    learner = RainbowLearner(recipe, new_curve(tmp_path))
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


def test_the_learning_rate_has_half_lives_in_and_after_the_auxiliary_steps(tmp_path: Path) -> None:
    update = {"auxiliary_steps": 10, "learning_rate": 0.08, "lr_half_life": 4}
    update |= {"late_learning_rate": 0.03, "late_lr_half_life": 8}
    learner = RainbowLearner(TINY.model_copy(update=update), new_curve(tmp_path))
    rates = {}
    for step in range(15):
        learner.step(step)
        rates[step] = learner.optimiser.param_groups[0]["lr"]
    assert [rates[step] for step in (8, 9)] == pytest.approx([0.02, 0.08 / 2**2.25])
    assert [rates[step] for step in (10, 14)] == pytest.approx([0.03, 0.03 / 2**0.5])


def test_there_is_no_head_for_own_cards_without_a_weight(tmp_path: Path) -> None:
    learner = RainbowLearner(TINY.model_copy(update={"own_cards_weight": 0.0}), new_curve(tmp_path))
    assert learner.network.statuses is None
    scalars = [learner.step(step) for step in range(9)][-1]
    assert "training/loss" in scalars
    assert "training/status loss" not in scalars
