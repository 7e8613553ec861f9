from pathlib import Path

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.learning.imitator import ImitatorLearner, train_imitator
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.loop import VALIDATION_LOSS

RECIPE = ImitatorRecipe(
    steps=80,
    validate_every=40,
    hidden=(64,),
    dropout=False,
    batch_size=128,
    learning_rate=1e-2,
    warmup_steps=0,
)


def test_an_imitator_learns(data: Path, tmp_path: Path, logs: GameLogs) -> None:
    before = ImitatorLearner(logs, RECIPE).validate()[VALIDATION_LOSS]
    found = train_imitator(RECIPE, "iggi", data, tmp_path, resume=False)
    assert found.loss < before - 0.5
    assert found.accuracy > 0.4
    assert found.masked_accuracy >= found.accuracy


@pytest.mark.parametrize(
    ("change", "rates"),
    [
        ({"decay": "linear"}, [0.01, 0.0075, 0.005, 0.0025]),
        ({"decay": "none"}, [0.01, 0.01, 0.01, 0.01]),
        ({"decay": "none", "warmup_steps": 2}, [0.005, 0.01, 0.01, 0.01]),
    ],
)
def test_the_learning_rate_warms_up_and_falls(
    logs: GameLogs, change: dict[str, object], rates: list[float]
) -> None:
    recipe = RECIPE.model_copy(update={"steps": 4, **change})
    learner = ImitatorLearner(logs, recipe)
    found = [learner.step(step)["training/learning rate"] for step in range(4)]
    assert found == pytest.approx(rates)


def test_no_game_is_in_two_splits(logs: GameLogs) -> None:
    learner = ImitatorLearner(logs, RECIPE)
    sampled = len(learner.sampler._logs)
    assert sampled < len(logs)
    turns = sum(map(len, (learner.validation, learner.test_transitions))) + len(
        learner.sampler._logs.actions
    )
    assert turns == len(logs.actions)


def test_too_few_games_are_refused(logs: GameLogs) -> None:
    with pytest.raises(HoadError, match="3 games are too few"):
        ImitatorLearner(logs.select(np.arange(3)), RECIPE)


def test_precision_does_not_decide_what_is_learned(data: Path, tmp_path: Path) -> None:
    found = [
        train_imitator(
            RECIPE.model_copy(update={"precision": precision}),
            "iggi",
            data,
            tmp_path / precision,
            resume=False,
        )
        for precision in ("float32", "bfloat16")
    ]
    assert found[0].accuracy == pytest.approx(found[1].accuracy, abs=0.05)
