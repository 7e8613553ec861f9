import pytest
import torch

from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.networks import (
    Dropout,
    FixedBatchNorm,
    MetaModel,
    Perceptron,
    dense,
)
from hoad.learning.recipes import ImitatorRecipe, NaiveRecipe

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
def test_sizes_are_the_published_ones(network: torch.nn.Module, dense: int, norms: int) -> None:
    assert count(network, norms=False) == dense
    assert count(network, norms=True) == norms


def test_skips_are_where_widths_are_equal() -> None:
    model = MetaModel(META_WIDTHS)
    assert [bool(block.skip) for block in model.blocks] == [False, True] * 6


def test_a_skip_is_added_after_the_activation() -> None:
    block = MetaModel((658,)).blocks[0]
    x = torch.randn(5, 658)
    h = block.dense(x) / (1 + 1e-3) ** 0.5  # mean 0, variance 1, scale 1, shift 0
    assert torch.allclose(block(x), x + torch.where(h > 0, h, 0.3 * h), atol=1e-5)


def test_initial_weights_are_keras_defaults() -> None:
    layer = dense(658, 512)
    limit = (6 / (658 + 512)) ** 0.5
    assert layer.weight.abs().max() <= limit
    assert layer.weight.std().item() == pytest.approx(limit / 3**0.5, rel=0.02)
    assert not layer.bias.any()


def test_one_observation_alone_has_the_logits_that_it_has_in_a_batch() -> None:
    model = MetaModel((64, 64, 32))
    x = torch.randint(0, 2, (50, 658)).float()
    model.update_statistics(x, momentum=0.5)
    for mode in (model.train(), model.eval()):
        together = mode(x)
        alone = torch.cat([mode(row[None]) for row in x])
        assert torch.allclose(alone, together, atol=1e-5)


def test_statistics_of_momentum_one_normalise_their_own_batch() -> None:
    model = MetaModel((64, 64, 32))
    x = torch.randint(0, 2, (400, 658)).float()
    model.update_statistics(x, momentum=1.0)
    for block in model.blocks:
        h = block.norm(block.dense(x))
        assert torch.allclose(h.mean(0), torch.zeros(h.shape[1]), atol=1e-3)
        assert torch.allclose(h.var(0), torch.ones(h.shape[1]), atol=0.05)
        x = block(x)


def test_statistics_move_by_their_momentum() -> None:
    norm = FixedBatchNorm(3)
    x = torch.randn(1000, 3) * 2 + 5
    norm.update_statistics(x, momentum=0.25)
    assert torch.allclose(norm.mean, 0.25 * x.mean(0), atol=1e-5)
    assert torch.allclose(norm.variance, 0.75 + 0.25 * x.var(0), atol=1e-4)


def test_dropout_keeps_half_and_the_mean() -> None:
    torch.manual_seed(0)
    dropout = Dropout()
    x = torch.ones(257, 33)
    dropped = dropout(x)
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert dropped.mean() == pytest.approx(1.0, abs=0.05)
    assert not torch.equal(dropped, dropout(x))
    assert dropout.eval()(x) is x
