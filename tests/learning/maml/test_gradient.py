import copy

import numpy as np
import pytest
import torch

from hoad.game.log import GameLogs, Transitions, encode_turns
from hoad.learning.maml.adapt import Episode, meta_gradient
from hoad.learning.maml.gradient import meta_gradient_by_hand
from hoad.learning.maml.learn2learn import import_maml
from hoad.learning.measures import cross_entropy
from hoad.learning.networks import BATCH_NORM_EPSILON, FixedBatchNorm, MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, join_tensors, to_device

CPU = torch.device("cpu")
RATES = [{0: 0.05}.__getitem__, {0: 0.2}.__getitem__, {0: 0.0}.__getitem__]


@pytest.fixture
def model(transitions: Transitions) -> MetaModel:
    """A model whose weights and statistics all differ from those it starts with."""
    torch.manual_seed(0)
    model = MetaModel((48, 48, 24))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.05)
    model.update_statistics(unpack(torch.from_numpy(transitions.observations[:500])), share=1.0)
    return model


@pytest.fixture(scope="module")
def episodes(logs: GameLogs) -> list[Episode]:
    """Three episodes of one, two and three support games and a query game each."""
    games = [to_device(encode_turns(logs.select(np.array([game]))), CPU) for game in range(9)]
    supports = games[:1], games[1:3], games[3:6]
    return [
        Episode((join_tensors(support),), (query,))
        for support, query in zip(supports, games[6:], strict=True)
    ]


def gradients(model: MetaModel) -> list[torch.Tensor]:
    found = [parameter.grad for parameter in model.parameters()]
    assert all(gradient is not None for gradient in found)
    return [gradient for gradient in found if gradient is not None]


@pytest.mark.parametrize("zero_shot_weight", [0.0, 0.7])
def test_the_gradients_are_those_of_learn2learn(
    zero_shot_weight: float, model: MetaModel, episodes: list[Episode]
) -> None:
    twin = copy.deepcopy(model)
    expected = meta_gradient(twin, episodes, RATES, "all", "float32", zero_shot_weight)

    found = meta_gradient_by_hand(model, episodes, RATES, "float32", None, zero_shot_weight)

    assert found == pytest.approx(expected, abs=1e-6)
    for mine, theirs in zip(gradients(model), gradients(twin), strict=True):
        assert theirs.abs().max() > 1e-3
        assert torch.allclose(mine, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("zero_shot_weight", [0.0, 0.7])
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_gradients_count_that_statistics_follow_the_weights(
    share: float,
    zero_shot_weight: float,
    model: MetaModel,
    episodes: list[Episode],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twin = copy.deepcopy(model)
    support = join_tensors([batch for episode in episodes for batch in episode.support])
    monkeypatch.setattr(FixedBatchNorm, "forward", normalised)  # torch's has no such gradient
    move_statistics(twin, unpack(support.observations), share)
    maml = import_maml()(twin, lr=0.0, first_order=True)
    losses = []
    for episode, rate in zip(episodes, RATES, strict=True):
        learner = maml.clone()
        learner.lr = rate(0)
        unadapted = loss_of(twin, join_tensors(episode.support))
        learner.adapt(loss_of(learner, join_tensors(episode.support)))
        adapted = loss_of(learner, join_tensors(episode.query))
        losses.append(adapted + zero_shot_weight * unadapted)
    torch.stack(losses).mean().backward()

    meta_gradient_by_hand(model, episodes, RATES, "float32", share, zero_shot_weight)

    for mine, theirs in zip(gradients(model), gradients(twin), strict=True):
        assert torch.allclose(mine, theirs, rtol=0, atol=1e-6)


def normalised(norm: FixedBatchNorm, x: torch.Tensor) -> torch.Tensor:
    scaled = (x - norm.mean) / (norm.variance + BATCH_NORM_EPSILON).sqrt()
    return scaled * norm.weight + norm.bias


def move_statistics(model: MetaModel, x: torch.Tensor, share: float) -> None:
    """As update_statistics, but what depends on the weights keeps to depend on them."""
    for block in model.blocks:
        h = block.dense(x)
        block.norm.mean = torch.lerp(block.norm.mean, h.mean(0), share)
        block.norm.variance = torch.lerp(block.norm.variance, h.var(0), share)
        x = block.finish(x, h)


def loss_of(network: torch.nn.Module, batch: TransitionTensors) -> torch.Tensor:
    return cross_entropy(network(unpack(batch.observations)), batch.actions)


def test_statistics_move_as_by_themselves(model: MetaModel, episodes: list[Episode]) -> None:
    twin = copy.deepcopy(model)
    support = join_tensors([batch for episode in episodes for batch in episode.support])
    twin.update_statistics(unpack(support.observations), share=0.3)
    expected = meta_gradient(twin, episodes, RATES, "all", "float32")

    found = meta_gradient_by_hand(model, episodes, RATES, "float32", 0.3)

    assert found == pytest.approx(expected, abs=1e-6)
    for name, buffer in model.named_buffers():
        assert torch.allclose(buffer, twin.get_buffer(name), rtol=1e-6, atol=1e-6), name


def test_without_a_share_only_gradients_change(model: MetaModel, episodes: list[Episode]) -> None:
    before = copy.deepcopy(model.state_dict())
    meta_gradient_by_hand(model, episodes, RATES, "float32", None)
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name]), name


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_gradients_of_an_earlier_step_are_forgotten(
    model: MetaModel, episodes: list[Episode], precision: Precision
) -> None:
    meta_gradient_by_hand(model, episodes, RATES, precision, None)
    once = copy.deepcopy(gradients(model))
    meta_gradient_by_hand(model, episodes, RATES, precision, None)
    for again, before in zip(gradients(model), once, strict=True):
        assert torch.equal(again, before)


def test_in_bfloat16_they_are_as_near_to_the_exact_ones_as_learn2learns(
    model: MetaModel, episodes: list[Episode]
) -> None:
    def distance(found: list[torch.Tensor], exact: list[torch.Tensor]) -> float:
        pairs = zip(found, exact, strict=True)
        return max(float((a - b).norm() / b.norm()) for a, b in pairs)

    models = [copy.deepcopy(model) for _ in range(3)]
    meta_gradient(models[0], episodes, RATES, "all", "float32")
    meta_gradient(models[1], episodes, RATES, "all", "bfloat16")
    meta_gradient_by_hand(models[2], episodes, RATES, "bfloat16", None)

    exact, learn2learns, mine = map(gradients, models)
    assert distance(mine, exact) < 1.5 * distance(learn2learns, exact)


def test_in_bfloat16_they_still_count_that_statistics_follow(
    model: MetaModel, episodes: list[Episode]
) -> None:
    def flat(precision: Precision, share: float | None) -> torch.Tensor:
        twin = copy.deepcopy(model)
        if share is None:  # the same statistics, taken as constant
            support = join_tensors([batch for episode in episodes for batch in episode.support])
            twin.update_statistics(unpack(support.observations), share=0.5)
        meta_gradient_by_hand(twin, episodes, RATES, precision, share)
        return torch.cat([gradient.flatten() for gradient in gradients(twin)])

    exact, constant, found = flat("float32", 0.5), flat("float32", None), flat("bfloat16", 0.5)
    assert (found - exact).norm() < 0.2 * (constant - exact).norm()
