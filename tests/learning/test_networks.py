"""Networks, what is measured of them, and the naive model."""

import numpy as np
import pytest
import torch
from torch import nn

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Transitions, encode_turns
from hoad.learning import measures
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.measures import Measures, measure
from hoad.learning.naive import train_naive
from hoad.learning.networks import Dropout, FixedBatchNorm, MetaModel, Perceptron, dense
from hoad.learning.recipes import ImitatorRecipe, NaiveRecipe
from hoad.learning.transitions import to_device

META_WIDTHS = MamlRecipe.model_fields["hidden"].default


def count(network: torch.nn.Module, norms: bool) -> int:
    """Count the parameters of the batch norms, or those of all other layers."""
    kinds = (torch.nn.BatchNorm1d, FixedBatchNorm)
    return sum(
        parameter.numel()
        for layer in network.modules()
        for parameter in layer.parameters(recurse=False)
        if isinstance(layer, kinds) == norms
    )


@pytest.mark.parametrize(
    ("network", "dense", "norms"),
    [
        (Perceptron(ImitatorRecipe.model_fields["hidden"].default), 2_648_340, 6_656),
        (Perceptron((1024, 1024, 512, 512, 512, 256)), 2_910_996, 7_680),
        (Perceptron(NaiveRecipe().hidden), 999_188, 3_584),
        (MetaModel(META_WIDTHS), 9_741_460, 16_128),
    ],
    ids=["imitator", "imitator of the published code", "naive", "meta-model"],
)
def test_sizes_are_the_published_ones(network, dense, norms):
    assert count(network, norms=False) == dense
    assert count(network, norms=True) == norms


def test_skips_are_where_widths_are_equal_and_added_after_the_activation():
    assert [bool(block.skip) for block in MetaModel(META_WIDTHS).blocks] == [False, True] * 6
    block = MetaModel((658,)).blocks[0]
    x = torch.randn(5, 658)
    h = block.dense(x) / (1 + 1e-3) ** 0.5  # mean 0, variance 1, scale 1, shift 0
    assert torch.allclose(block(x), x + torch.where(h > 0, h, 0.3 * h), atol=1e-5)


def test_initial_weights_are_keras_defaults():
    layer = dense(658, 512)
    limit = (6 / (658 + 512)) ** 0.5
    assert layer.weight.abs().max() <= limit
    assert layer.weight.std().item() == pytest.approx(limit / 3**0.5, rel=0.02)
    assert not layer.bias.any()


def test_one_observation_alone_has_the_logits_that_it_has_in_a_batch():
    model = MetaModel((64, 64, 32))
    x = torch.randint(0, 2, (50, 658)).float()
    model.update_statistics(x, momentum=0.5)
    for mode in (model.train(), model.eval()):
        together = mode(x)
        alone = torch.cat([mode(row[None]) for row in x])
        assert torch.allclose(alone, together, atol=1e-5)


def test_statistics_move_by_their_momentum_and_with_one_normalise_their_own_batch():
    norm, x = FixedBatchNorm(3), torch.randn(1000, 3) * 2 + 5
    norm.update_statistics(x, momentum=0.25)
    assert torch.allclose(norm.mean, 0.25 * x.mean(0), atol=1e-5)
    assert torch.allclose(norm.variance, 0.75 + 0.25 * x.var(0), atol=1e-4)

    model, x = MetaModel((64, 64, 32)), torch.randint(0, 2, (400, 658)).float()
    model.update_statistics(x, momentum=1.0)
    for block in model.blocks:
        h = block.norm(block.dense(x))
        assert torch.allclose(h.mean(0), torch.zeros(h.shape[1]), atol=1e-3)
        assert torch.allclose(h.var(0), torch.ones(h.shape[1]), atol=0.05)
        x = block(x)


def test_dropout_keeps_half_and_the_mean():
    torch.manual_seed(0)
    dropout = Dropout()
    x = torch.ones(257, 33)
    dropped = dropout(x)
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert dropped.mean() == pytest.approx(1.0, abs=0.05)
    assert not torch.equal(dropped, dropout(x))
    assert dropout.eval()(x) is x


def test_each_unit_is_dropped_about_half_of_the_time():
    torch.manual_seed(0)
    means = Dropout()(torch.ones(4096, 128)).mean(0)
    assert means.numpy() == pytest.approx(np.ones(128), abs=0.1)  # six standard errors


CPU = torch.device("cpu")


@pytest.fixture
def network() -> nn.Module:
    """A network that would put out something else in its training mode."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Dropout(), nn.Linear(658, 20))


@pytest.fixture
def some(transitions: Transitions) -> Transitions:
    """A hundred turns of as many games, so that a batch of 7 at a time leaves one of 2."""
    rows = np.linspace(0, len(transitions.actions) - 1, 100).astype(np.int64)
    return Transitions(*(getattr(transitions, name)[rows] for name in vars(transitions)))


def test_moves_made_are_counted_by_the_most_probable_legal_move(network, some):
    confusion = torch.zeros(20, 20, dtype=torch.int64)

    measures = measure(network, to_device(some, CPU), "float32", confusion)

    assert confusion.sum() == len(some.actions)
    assert confusion.trace() / confusion.sum() == pytest.approx(measures.masked_accuracy)
    made = np.bincount(some.actions.astype(np.int64), minlength=20)
    assert confusion.sum(dim=1).tolist() == made.tolist()


def measured_at_once(network: nn.Module, transitions: Transitions) -> Measures:
    """Measure all transitions in one pass, the slow and obvious way."""
    state = {name: tensor.double().numpy() for name, tensor in network.state_dict().items()}
    bits = np.unpackbits(transitions.observations, axis=1)[:, :658].astype(np.float64)
    logits = bits @ state["1.weight"].T + state["1.bias"]
    actions = transitions.actions.astype(np.int64)
    made = logits[np.arange(len(actions)), actions]
    is_legal = (transitions.legal[:, None] >> np.arange(20) & 1).astype(np.bool_)
    of_legal = np.where(is_legal, np.exp(logits), 0.0).sum(axis=1)
    return Measures(
        loss=(np.log(np.exp(logits).sum(axis=1)) - made).mean(),
        accuracy=(logits.argmax(axis=1) == actions).mean(),
        masked_accuracy=(np.where(is_legal, logits, -np.inf).argmax(axis=1) == actions).mean(),
        masked_loss=(np.log(of_legal) - made).mean(),
    )


@pytest.mark.parametrize("training", [True, False])
def test_measures_are_means_over_all_transitions_and_leave_the_network_in_its_mode(
    network, some, monkeypatch, training
):
    monkeypatch.setattr(measures, "_CHUNK", 7)
    expected = measured_at_once(network, some)
    network.train(training)

    found = measure(network, to_device(some, CPU), "float32")

    assert vars(found) == pytest.approx(vars(expected), rel=1e-5)
    assert 0 < found.accuracy < found.masked_accuracy < 1
    assert [module.training for module in network.modules()] == [training] * 3


def test_ah2ac2_counts_the_turns_in_which_a_player_can_only_pass():
    of_movers = [1.2, 0.4, 2.0]
    of_both_players = [loss for mover in of_movers for loss in (mover, 0.0)]

    measures = Measures(0, 0, 0, masked_loss=float(np.mean(of_movers)))

    assert measures.ah2ac2_loss == pytest.approx(np.mean(of_both_players))


RECIPE = NaiveRecipe(hidden=(64, 64), epochs=40, learning_rate=1e-2)


@pytest.fixture
def ten(logs: GameLogs) -> GameLogs:
    return logs.select(np.arange(10))


@pytest.mark.usefixtures("without_gpu")
def test_it_learns_ten_games_nearly_by_heart(logs, ten):
    network = train_naive(ten, RECIPE, seed=1)

    known, unknown = (
        measure(network, to_device(encode_turns(games), CPU), "float32").accuracy
        for games in (ten, logs.select(np.arange(10, 60)))
    )
    assert known > 0.7 > unknown


def test_it_depends_on_the_seed_alone_and_leaves_threads_and_random_numbers_of_others(ten):
    recipe = RECIPE.model_copy(update={"epochs": 2})

    def train(seed: int, threads: int) -> dict[str, torch.Tensor]:
        torch.set_num_threads(threads)
        torch.manual_seed(threads)  # somebody else's random numbers
        expected = torch.rand(3)
        torch.manual_seed(threads)
        state = train_naive(ten, recipe, seed).state_dict()
        assert torch.equal(torch.rand(3), expected)
        assert torch.get_num_threads() == threads
        return state

    once, again, other = train(1, 2), train(1, 1), train(2, 1)
    for name, weights in once.items():
        assert torch.equal(weights, again[name]), name
    assert any(not torch.equal(weights, other[name]) for name, weights in once.items())


def test_games_smaller_than_a_batch_are_refused(logs):
    with pytest.raises(HoadError, match="fewer than batch_size = 128"):
        train_naive(logs.select(np.arange(1)), RECIPE, seed=1)
