import numpy as np
import pytest
import torch

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.game.log import encode_turns
from hoad.learning.imitator import ImitatorLearner, split_for, supervised_step, train_imitator
from hoad.learning.networks import Perceptron
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.loop import LOSS, VALIDATION_LOSS
from hoad.learning.transitions import to_device
from hoad.replay.sampler import TransitionSampler
from tests.learning.columns import recoloured

CPU = torch.device("cpu")

RECIPE = ImitatorRecipe(
    steps=80,
    validate_every=40,
    hidden=(64,),
    dropout=False,
    batch_size=128,
    learning_rate=1e-2,
    warmup_steps=0,
)


def test_an_imitator_learns_in_any_precision(data, tmp_path, logs):
    before = ImitatorLearner(logs, RECIPE).validate()[VALIDATION_LOSS]
    found = []
    for precision in ("float32", "bfloat16"):
        recipe = RECIPE.model_copy(update={"precision": precision})
        found.append(train_imitator(recipe, "iggi", data, tmp_path / precision, resume=False))

    for measures in found:
        assert measures.loss < before - 0.5
        assert measures.masked_accuracy >= measures.accuracy > 0.4
    assert found[0].accuracy == pytest.approx(found[1].accuracy, abs=0.05)


def test_an_imitator_learns_from_recoloured_games(logs):
    learner = ImitatorLearner(logs, RECIPE.model_copy(update={"recolour": True}))

    losses = [learner.step(step)[LOSS] for step in range(60)]

    assert np.mean(losses[-10:]) < np.mean(losses[:5]) - 0.5


def test_a_confusion_of_moves_is_shown_at_each_validation(logs):
    learner = ImitatorLearner(logs, RECIPE)

    for _ in range(2):  # counts of an earlier validation are gone
        learner.validate()
        [(name, picture)] = learner.pictures().items()

    assert name == "validation/confusion of moves"
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    made = np.bincount(learner.validation.actions.cpu().numpy(), minlength=20)
    assert learner._confusion.sum(dim=1).tolist() == made.tolist()


@pytest.mark.parametrize(
    ("change", "rates"),
    [
        ({"decay": "linear"}, [0.01, 0.0075, 0.005, 0.0025]),
        ({"decay": "none"}, [0.01, 0.01, 0.01, 0.01]),
        ({"decay": "none", "warmup_steps": 2}, [0.005, 0.01, 0.01, 0.01]),
    ],
)
def test_the_learning_rate_warms_up_and_falls(logs, change, rates):
    recipe = RECIPE.model_copy(update={"steps": 4, **change})
    learner = ImitatorLearner(logs, recipe)
    found = [learner.step(step)["training/learning rate"] for step in range(4)]
    assert found == pytest.approx(rates)


@pytest.mark.parametrize("sizes", [{}, {"train_games": 100, "validation_games": 20}])
def test_no_game_is_in_two_splits_and_a_number_of_games_may_train(logs, sizes):
    recipe = RECIPE.model_copy(update=sizes)

    learner = ImitatorLearner(logs, recipe)

    assert isinstance(learner.sampler, TransitionSampler)
    sampled = learner.sampler._logs
    others = sum(map(len, (learner.validation, learner.test_transitions)))
    assert others + len(sampled.actions) == len(logs.actions)
    tested = split_for(recipe.model_dump(), logs)["test"]
    assert np.diff(logs.offsets)[tested].sum() == len(learner.test_transitions)
    if sizes:
        assert (len(sampled), len(tested)) == (80, 200)


def test_too_few_games_are_refused(logs):
    sizes: dict[str, float] = {"steps": 1, "validate_every": 1}
    games = {"train_games": 10, "validation_games": 10}
    with pytest.raises(HoadError, match="validation_games = 10 leaves none of train_games = 10"):
        check_recipe(sizes | games, ImitatorRecipe, "recipe")
    with pytest.raises(HoadError, match=f"seed = {2**64}: "):
        check_recipe(sizes | {"seed": 2**64}, ImitatorRecipe, "recipe")
    for share in (0.007, 0.995):  # of 64 moves
        with pytest.raises(HoadError, match=f"own_share = {share} of batch_size = 64"):
            check_recipe(sizes | {"batch_size": 64, "own_share": share}, ImitatorRecipe, "recipe")
    with pytest.raises(HoadError, match="3 games are too few"):
        ImitatorLearner(logs.select(np.arange(3)), RECIPE)


def test_games_of_an_agent_are_not_split_as_those_of_people(data, tmp_path):
    with pytest.raises(HoadError, match=r"iggi\.h5: .*iggi is an agent; .*--data"):
        train_imitator(RECIPE, "iggi", data / "iggi.h5", tmp_path, resume=False)


def test_a_step_on_recoloured_transitions_is_a_step_on_recoloured_games(logs):
    colouring, games = np.array([1, 2, 3, 4, 0]), logs.select(np.arange(5))
    network = Perceptron((16,), dropout=False)
    optimiser = torch.optim.SGD(network.parameters(), 0.0)

    found, expected = (
        supervised_step(network, optimiser, to_device(encode_turns(played), CPU), "float32", how)
        for played, how in ((games, colouring), (recoloured(games, colouring), None))
    )

    assert found == pytest.approx(expected)
