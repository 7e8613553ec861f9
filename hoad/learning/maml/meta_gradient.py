"""FOMAML: the first-order meta-gradient (Finn et al. 2017, section 5.2).

With weights theta, the inner learning rate alpha and the tasks' support and query losses,

    phi_i = theta - alpha * grad L_support_i(theta)         (inner step on task i, `.learn2learn`)
    g     = mean over i of  grad L_query_i(phi_i) + w * grad L_support_i(theta)

where the gradient of the query loss is taken at phi_i (first order). The weight w is 0 in FOMAML;
with w = 1 the sum is the gradient of Reptile with two steps (Nichol et al. 2018, "On first-order
meta-learning algorithms", section 5.1).

Running statistics of batch norm move once per step, towards those of the pooled support under
theta. With whole games (one inner step) they are a function of theta that g differentiates, as
batch norm does in training mode; the inner gradient does not. Otherwise a step changes means and
variances that the statistics take back in the next step, and training is slow and unstable.

Tests hold the result to that of learn2learn within 1e-6.
"""

from collections.abc import Callable, Sequence

import torch
from torch.func import functional_call
from torch.nn import functional

from hoad.learning.compute import autocast
from hoad.learning.maml.learn2learn import inner_step, start
from hoad.learning.maml.tasks import Episode
from hoad.learning.measures import accuracy, cross_entropy
from hoad.learning.networks import MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, join_tensors

InnerLr = Callable[[int], float]
"""The inner learning rate of the k-th inner step of an episode."""

_ROWS = 32

_Statistics = dict[str, torch.Tensor]


def meta_gradient(
    model: MetaModel,
    episodes: Sequence[Episode],
    inner_lrs: Sequence[InnerLr],
    precision: Precision,
    query_gradient: str = "all",
    zero_shot_weight: float = 0.0,
    bn_momentum: float | None = None,
) -> dict[str, float]:
    """Set the gradients of ``model`` to the first-order meta-gradient over the episodes.

    Args:
        model: its gradients change and, with ``bn_momentum``, its running statistics.
        episodes: one for each task.
        inner_lrs: one for each task.
        precision: of matrix products.
        query_gradient: ``all`` for the mean loss of the query batches, ``last`` for the last's.
        zero_shot_weight: w, the weight of the unadapted model's loss on all of the support.
        bn_momentum: weight of the support's statistics in the running ones, which are updated
            first (:meth:`MetaModel.updated_statistics`); None if they stay.

    Returns:
        Means over the episodes of ``support loss`` and ``support accuracy`` (first batch, before
        adapting), ``query loss`` and ``query accuracy`` (the batches that give the gradient).
    """
    theta = dict(model.named_parameters())
    supports = [join_tensors(episode.support) for episode in episodes]
    moved: dict[str, torch.Tensor] = {}
    if bn_momentum is not None:
        pooled = join_tensors(supports)
        with autocast(pooled.actions.device, precision):
            moved = model.updated_statistics(_padded(pooled), bn_momentum, rows=len(pooled))
    # Gradients by the statistics are gathered in these leaves, then flow back into theta.
    statistics = {name: value.detach().requires_grad_() for name, value in moved.items()}
    model.load_state_dict(statistics, strict=False)
    totals = {name: torch.zeros_like(p) for name, p in (theta | statistics).items()}

    def accumulate(gradients: Sequence[torch.Tensor], weight: float) -> None:
        for total, gradient in zip(totals.values(), gradients, strict=True):
            total.add_(gradient, alpha=weight / len(episodes))

    measures = torch.zeros(4)
    for episode, support, inner_lr in zip(episodes, supports, inner_lrs, strict=True):
        phi, before, grad_theta = _adapt(model, statistics, episode, inner_lr, precision)
        if zero_shot_weight:
            if len(episode.support) > 1:
                loss, _ = _loss_and_accuracy(model, statistics, support, precision)
                grad_theta = _gradients(loss, model, statistics)
            accumulate(grad_theta, zero_shot_weight)
        query = join_tensors(episode.query if query_gradient == "all" else episode.query[-1:])
        loss, correct = _loss_and_accuracy(phi, statistics, query, precision)
        accumulate(_gradients(loss, phi, statistics), 1.0)
        measures += torch.stack([*before, loss.detach(), correct]).cpu()

    for name, parameter in theta.items():
        parameter.grad = totals[name]
    if moved:
        torch.autograd.backward(list(moved.values()), [totals[name] for name in moved])
    names = ("support loss", "support accuracy", "query loss", "query accuracy")
    return dict(zip(names, (measures / len(episodes)).tolist(), strict=True))


def _adapt(
    model: MetaModel,
    statistics: _Statistics,
    episode: Episode,
    inner_lr: InnerLr,
    precision: Precision,
) -> tuple[MetaModel, tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, ...]]:
    """Return phi; loss and accuracy before, and gradients at theta, of the first support batch."""
    phi = start(model)
    parameters = len(list(phi.parameters()))
    for k, batch in enumerate(episode.support):
        loss, correct = _loss_and_accuracy(phi, statistics, batch, precision)
        gradients = _gradients(loss, phi, statistics)
        if k == 0:
            before, grad_theta = (loss.detach(), correct), gradients
        inner_step(phi, gradients[:parameters], inner_lr(k))  # statistics are not adapted
    return phi, before, grad_theta


def _gradients(
    loss: torch.Tensor, network: MetaModel, statistics: _Statistics
) -> tuple[torch.Tensor, ...]:
    return torch.autograd.grad(loss, [*network.parameters(), *statistics.values()])


def _loss_and_accuracy(
    network: MetaModel, statistics: _Statistics, batch: TransitionTensors, precision: Precision
) -> tuple[torch.Tensor, torch.Tensor]:
    with autocast(batch.actions.device, precision):
        logits = functional_call(network, statistics, (_padded(batch),))[: len(batch)]
        return cross_entropy(logits, batch.actions), accuracy(logits, batch.actions)


def _padded(batch: TransitionTensors) -> torch.Tensor:
    """Return the unpacked observations and empty ones up to a multiple of 32 rows.

    Games differ in length, and a CPU compiles bfloat16 products for each new shape, which takes
    longer than to multiply some more rows.
    """
    padding = -len(batch) % _ROWS
    return unpack(functional.pad(batch.observations, (0, 0, 0, padding)))
