import numpy as np
import pytest
import torch

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, encode_turns
from hoad.learning.measures import measure
from hoad.learning.naive import train_naive
from hoad.learning.recipes import NaiveRecipe
from hoad.learning.transitions import to_device

RECIPE = NaiveRecipe(hidden=(64, 64), epochs=40, learning_rate=1e-2)
CPU = torch.device("cpu")


@pytest.mark.usefixtures("without_gpu")
def test_it_learns_ten_games_nearly_by_heart(logs: GameLogs) -> None:
    ten = logs.select(np.arange(10))
    network = train_naive(ten, RECIPE, seed=1)
    known = measure(network, to_device(encode_turns(ten), CPU), "float32")
    others = logs.select(np.arange(10, 60))
    unknown = measure(network, to_device(encode_turns(others), CPU), "float32")
    assert known.accuracy > 0.7 > unknown.accuracy


def test_it_depends_on_the_seed_and_on_nothing_else(logs: GameLogs) -> None:
    ten = logs.select(np.arange(10))

    def weights(seed: int) -> torch.Tensor:
        torch.rand(seed + 1)  # somebody else's random numbers
        state = train_naive(ten, RECIPE.model_copy(update={"epochs": 2}), seed)
        return next(state.parameters())

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def test_it_does_not_depend_on_the_threads_of_torch(logs: GameLogs) -> None:
    ten, recipe = logs.select(np.arange(10)), RECIPE.model_copy(update={"epochs": 2})
    found = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        found.append(train_naive(ten, recipe, seed=1).state_dict())
        assert torch.get_num_threads() == threads
    torch.set_num_threads(1)
    for name, weights in found[0].items():
        assert torch.equal(weights, found[1][name]), name


def test_it_leaves_the_random_numbers_of_others_alone(logs: GameLogs) -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    train_naive(logs.select(np.arange(10)), RECIPE.model_copy(update={"epochs": 1}), seed=1)
    assert torch.equal(torch.rand(3), expected)


def test_games_smaller_than_a_batch_are_refused(logs: GameLogs) -> None:
    with pytest.raises(HoadError, match="fewer than batch_size = 128"):
        train_naive(logs.select(np.arange(1)), RECIPE, seed=1)
