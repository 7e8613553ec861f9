import copy
import gc
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from hoad.game.log import GameLogs, Transitions, encode_turns
from hoad.learning.compute import autocast
from hoad.learning.maml.inner_step import import_maml
from hoad.learning.maml.meta_gradient import InnerLr, meta_gradient
from hoad.learning.maml.tasks import Episode
from hoad.learning.measures import accuracy, cross_entropy
from hoad.learning.network_inputs import unpack
from hoad.learning.networks import BATCH_NORM_EPSILON, FixedBatchNorm, MetaModel
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, join_tensors, to_device

CPU = torch.device("cpu")
RATES = [{0: 0.05}.__getitem__, {0: 0.2}.__getitem__, {0: 0.0}.__getitem__]
STEPWISE_RATES = [{0: 0.05, 1: 0.05}.__getitem__, {0: 0.05, 1: 0.0}.__getitem__]


@pytest.fixture
def model(transitions: Transitions) -> MetaModel:
    """A model whose weights and statistics all differ from those it starts with."""
    torch.manual_seed(0)
    model = MetaModel((48, 48, 24))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.05)
    model.update_statistics(unpack(torch.from_numpy(transitions.observations[:500])), momentum=1.0)
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


@pytest.fixture(scope="module")
def stepwise(logs: GameLogs) -> list[Episode]:
    """Two episodes of two support and two query batches, a game each."""
    games = [to_device(encode_turns(logs.select(np.array([game]))), CPU) for game in range(8)]
    return [
        Episode((games[0], games[1]), (games[2], games[3])),
        Episode((games[4], games[5]), (games[6], games[7])),
    ]


def gradients(model: MetaModel) -> list[torch.Tensor]:
    found = [parameter.grad for parameter in model.parameters()]
    assert all(gradient is not None for gradient in found)
    return [gradient for gradient in found if gradient is not None]


def assert_gradients(model: MetaModel, expected: Sequence[torch.Tensor]) -> None:
    for mine, theirs in zip(gradients(model), expected, strict=True):
        assert torch.allclose(mine, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("batches", "queries", "zero_shot_weight"),
    [
        *(("joined", "all", weight) for weight in (0.0, 0.7)),
        *(("stepwise", "all", 0.0), ("stepwise", "last", 0.0), ("stepwise", "all", 0.7)),
    ],
)
def test_the_gradients_are_those_of_learn2learn(
    batches, queries, zero_shot_weight, model, episodes, stepwise
):
    drawn, rates = (episodes, RATES) if batches == "joined" else (stepwise, STEPWISE_RATES)
    twin = copy.deepcopy(model)
    expected = reference_gradient(twin, drawn, rates, "float32", queries, zero_shot_weight)

    found = meta_gradient(model, drawn, rates, "float32", queries, zero_shot_weight)

    assert found == pytest.approx(expected, abs=1e-6)
    assert all(gradient.abs().max() > 1e-3 for gradient in gradients(twin))
    assert_gradients(model, gradients(twin))


@pytest.mark.parametrize("zero_shot_weight", [0.0, 0.7])
@pytest.mark.parametrize("momentum", [0.3, 1.0])
def test_gradients_count_that_statistics_follow_the_weights(
    momentum, zero_shot_weight, model, episodes, monkeypatch
):
    twin = copy.deepcopy(model)
    monkeypatch.setattr(FixedBatchNorm, "forward", normalised)  # torch's has no such gradient
    step_of_learn2learn(twin, episodes, zero_shot_weight, momentum)

    meta_gradient(model, episodes, RATES, "float32", "all", zero_shot_weight, momentum)

    assert_gradients(model, gradients(twin))


@pytest.mark.parametrize(
    ("batches", "momentum"), [("joined", None), ("joined", 0.3), ("stepwise", None)]
)
def test_without_an_inner_loop_they_are_those_of_a_network_of_all_tasks(
    batches, momentum, model, episodes, stepwise, monkeypatch
):
    drawn, rates = (episodes, RATES) if batches == "joined" else (stepwise, STEPWISE_RATES)
    twin = copy.deepcopy(model)
    if momentum:
        monkeypatch.setattr(FixedBatchNorm, "forward", normalised)  # torch's has no such gradient
        support = join_tensors([episode.support[0] for episode in drawn])
        move_statistics(twin, unpack(support.observations), momentum)
    supports = [join_tensors(episode.support) for episode in drawn]
    loss = torch.stack([loss_of(twin, support) for support in supports]).mean()
    (2 * loss).backward()

    found = meta_gradient(model, drawn, rates, "float32", "all", 2.0, momentum, low_shot_weight=0.0)

    assert_gradients(model, gradients(twin))
    assert found["query loss"] == pytest.approx(loss.item(), abs=1e-6)
    correct = [accuracy(twin(unpack(s.observations)), s.actions).item() for s in supports]
    assert found["query accuracy"] == pytest.approx(np.mean(correct), abs=1e-6)


def test_the_inner_step_of_anil_changes_the_last_layer_only(model, episodes):
    expected = []
    for episode, rate in zip(episodes, RATES, strict=True):
        phi = copy.deepcopy(model)
        last = list(phi.output.parameters())
        steps = torch.autograd.grad(loss_of(phi, episode.support[0]), last)
        with torch.no_grad():
            for weights, gradient in zip(last, steps, strict=True):
                weights.sub_(rate(0) * gradient)
        loss = loss_of(phi, join_tensors(episode.query))
        expected.append(torch.autograd.grad(loss, list(phi.parameters())))

    meta_gradient(model, episodes, RATES, "float32", inner_layers="last")

    assert_gradients(model, [torch.stack(each).mean(0) for each in zip(*expected, strict=True)])


def test_fifty_steps_have_the_losses_of_learn2learn(episodes, monkeypatch):
    torch.manual_seed(0)
    model = MetaModel((48, 48, 24))
    twin = copy.deepcopy(model)

    def losses(network: MetaModel, is_reference: bool) -> list[float]:
        # Adam would make full steps of the rounding errors of gradients that are 0: of each bias
        # before batch norm.
        optimiser = torch.optim.SGD(network.parameters(), lr=0.02)
        query_losses = []
        for step in range(50):
            momentum = 0.5 if step else 1.0
            if is_reference:
                query_losses.append(step_of_learn2learn(network, episodes, 0.7, momentum))
            else:
                measures = meta_gradient(network, episodes, RATES, "float32", "all", 0.7, momentum)
                query_losses.append(measures["query loss"])
            optimiser.step()
        return query_losses

    grouped = losses(model, is_reference=False)
    monkeypatch.setattr(FixedBatchNorm, "forward", normalised)  # torch's has no such gradient
    reference = losses(twin, is_reference=True)

    assert grouped[-1] < grouped[0] - 0.5
    assert grouped == pytest.approx(reference, abs=1e-3)


def step_of_learn2learn(
    model: MetaModel, episodes: list[Episode], weight: float, momentum: float
) -> float:
    """Move the statistics, set the gradients that follow them; return the mean query loss."""
    support = join_tensors([batch for episode in episodes for batch in episode.support])
    for block in model.blocks:  # of the step before
        block.norm.mean, block.norm.variance = (
            block.norm.mean.detach(),
            block.norm.variance.detach(),
        )
    model.zero_grad()
    move_statistics(model, unpack(support.observations), momentum)
    maml = import_maml().MAML(model, lr=0.0, first_order=True)
    query_losses, losses = [], []
    for episode, rate in zip(episodes, RATES, strict=True):
        learner = maml.clone()
        learner.lr = rate(0)
        unadapted = loss_of(model, join_tensors(episode.support))
        learner.adapt(loss_of(learner, join_tensors(episode.support)))
        query_losses.append(loss_of(learner, join_tensors(episode.query)))
        losses.append(query_losses[-1] + weight * unadapted)
    torch.stack(losses).mean().backward()
    return torch.stack(query_losses).mean().item()


def normalised(norm: FixedBatchNorm, x: torch.Tensor) -> torch.Tensor:
    scaled = (x - norm.mean) / (norm.variance + BATCH_NORM_EPSILON).sqrt()
    return scaled * norm.weight + norm.bias


def move_statistics(model: MetaModel, x: torch.Tensor, momentum: float) -> None:
    """As update_statistics, but what depends on the weights keeps to depend on them."""
    for block in model.blocks:
        h = block.dense(x)
        block.norm.mean = torch.lerp(block.norm.mean, h.mean(0), momentum)
        block.norm.variance = torch.lerp(block.norm.variance, h.var(0), momentum)
        x = block(x)


def loss_of(network: torch.nn.Module, batch: TransitionTensors) -> torch.Tensor:
    return cross_entropy(network(unpack(batch.observations)), batch.actions)


@pytest.mark.parametrize("momentum", [None, 0.3])
def test_statistics_move_as_by_themselves_or_without_momentum_nothing_does(
    model, episodes, momentum
):
    twin = copy.deepcopy(model)
    if momentum:
        support = join_tensors([batch for episode in episodes for batch in episode.support])
        twin.update_statistics(unpack(support.observations), momentum)
    expected = reference_gradient(twin, episodes, RATES, "float32")

    found = meta_gradient(model, episodes, RATES, "float32", bn_momentum=momentum)

    assert found == pytest.approx(expected, abs=1e-6)
    for name, value in twin.state_dict().items():
        mine, error = model.state_dict()[name], 1e-6 if momentum else 0.0
        assert torch.allclose(mine, value, rtol=error, atol=error), name


def test_a_step_frees_what_it_computed(model, episodes):
    def tensors() -> int:
        gc.collect()
        return sum(issubclass(type(each), torch.Tensor) for each in gc.get_objects())

    meta_gradient(model, episodes, RATES, "float32", bn_momentum=0.5)
    after_one = tensors()
    for _ in range(3):
        meta_gradient(model, episodes, RATES, "float32", bn_momentum=0.5)

    assert tensors() <= after_one


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_gradients_of_an_earlier_step_are_forgotten(model, episodes, precision):
    meta_gradient(model, episodes, RATES, precision)
    once = copy.deepcopy(gradients(model))
    meta_gradient(model, episodes, RATES, precision)
    assert all(map(torch.equal, gradients(model), once))


def test_in_bfloat16_they_are_as_near_to_the_exact_ones_as_learn2learns(model, episodes):
    def distance(found: list[torch.Tensor], exact: list[torch.Tensor]) -> float:
        pairs = zip(found, exact, strict=True)
        return max(float((a - b).norm() / b.norm()) for a, b in pairs)

    models = [copy.deepcopy(model) for _ in range(3)]
    reference_gradient(models[0], episodes, RATES, "float32")
    reference_gradient(models[1], episodes, RATES, "bfloat16")
    meta_gradient(models[2], episodes, RATES, "bfloat16")

    exact, learn2learns, mine = map(gradients, models)
    assert distance(mine, exact) < 1.5 * distance(learn2learns, exact)


def test_in_bfloat16_they_still_count_that_statistics_follow(model, episodes):
    def flat(precision: Precision, momentum: float | None) -> torch.Tensor:
        twin = copy.deepcopy(model)
        if momentum is None:  # the same statistics, taken as constant
            support = join_tensors([batch for episode in episodes for batch in episode.support])
            twin.update_statistics(unpack(support.observations), momentum=0.5)
        meta_gradient(twin, episodes, RATES, precision, bn_momentum=momentum)
        return torch.cat([gradient.flatten() for gradient in gradients(twin)])

    exact, constant, found = flat("float32", 0.5), flat("float32", None), flat("bfloat16", 0.5)
    assert (found - exact).norm() < 0.2 * (constant - exact).norm()


def reference_gradient(
    model: MetaModel,
    episodes: Sequence[Episode],
    inner_lrs: Sequence[InnerLr],
    precision: Precision,
    query_gradient: str = "all",
    zero_shot_weight: float = 0.0,
) -> dict[str, float]:
    """Set the gradients of ``model``; return the measures (see `meta_gradient`)."""
    model.zero_grad()
    maml = import_maml().MAML(model, lr=0.0, first_order=True)
    sums = torch.zeros(4)
    for episode, lr in zip(episodes, inner_lrs, strict=True):
        learner = maml.clone()
        before = _loss_and_accuracy(learner, episode.support[0], precision)
        for k, batch in enumerate(episode.support):
            learner.lr = lr(k)
            learner.adapt(_loss_and_accuracy(learner, batch, precision)[0])
        queries = episode.query if query_gradient == "all" else episode.query[-1:]
        after = _loss_and_accuracy(learner, join_tensors(queries), precision)
        (after[0] / len(episodes)).backward()
        if zero_shot_weight:
            unadapted, _ = _loss_and_accuracy(model, join_tensors(episode.support), precision)
            (unadapted * (zero_shot_weight / len(episodes))).backward()
        sums += torch.stack([*before, *after]).detach()
    names = ("support loss", "support accuracy", "query loss", "query accuracy")
    return dict(zip(names, (sums / len(episodes)).tolist(), strict=True))


def _loss_and_accuracy(
    network: Any, batch: TransitionTensors, precision: Precision
) -> tuple[torch.Tensor, torch.Tensor]:
    with autocast(batch.actions.device, precision):
        logits = network(unpack(batch.observations))
        return cross_entropy(logits, batch.actions), accuracy(logits, batch.actions)
