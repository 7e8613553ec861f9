"""FOMAML: the first-order meta-gradient (Finn et al. 2017, section 5.2).

With weights theta, the inner learning rate alpha and the tasks' support and query losses,

    phi_i = theta - alpha * grad L_support_i(theta)         (inner step on task i, `.inner_step`)
    g     = mean over i of  v * grad L_query_i(phi_i) + w * grad L_support_i(theta)

where the gradient of the query loss is taken at phi_i (first order). FOMAML has v = 1 and w = 0;
with v = w = 1 the sum is the gradient of Reptile with two steps (Nichol et al. 2018, "On
first-order meta-learning algorithms", section 5.1); with v = 0 there is no inner step, and theta
learns from the games of all tasks alike. In ANIL the inner step changes the last layer only (Raghu
et al. 2020, "Rapid learning or feature reuse?", section 4).

Running statistics of batch norm move once per step, towards those of the pooled support under
theta. With whole games (one inner step) they are a function of theta that g differentiates, as
batch norm does in training mode; the inner gradient does not. Otherwise a step changes means and
variances that the statistics take back in the next step, and training is slow and unstable.

All tasks are computed together (`.task_models`). Tests hold the result to that of learn2learn, one
task after another, within 1e-6.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from hoad.learning.compute import autocast
from hoad.learning.maml.inner_step import inner_step, start
from hoad.learning.maml.recipe import InnerLayers
from hoad.learning.maml.task_models import (
    MovingPass,
    TaskBatches,
    logits,
    losses_and_accuracies,
    stack,
)
from hoad.learning.maml.tasks import Episode
from hoad.learning.networks import MetaModel
from hoad.learning.recipes import Precision
from hoad.learning.transitions import join_tensors

InnerLr = Callable[[int], float]
"""The inner learning rate of the k-th inner step of an episode."""


def meta_gradient(
    model: MetaModel,
    episodes: Sequence[Episode],
    inner_lrs: Sequence[InnerLr],
    precision: Precision,
    query_gradient: str = "all",
    zero_shot_weight: float = 0.0,
    bn_momentum: float | None = None,
    low_shot_weight: float = 1.0,
    inner_layers: InnerLayers = "all",
) -> dict[str, float]:
    """Set the gradients of ``model`` to the first-order meta-gradient over the episodes.

    Args:
        model: its gradients change and, with ``bn_momentum``, its running statistics.
        episodes: one for each task, with equal numbers of support batches.
        inner_lrs: one for each task.
        precision: of matrix products.
        query_gradient: ``all`` for the mean loss of the query batches, ``last`` for the last's.
        zero_shot_weight: w, the weight of the unadapted model's loss on all of the support.
        bn_momentum: weight of the first support batches' statistics in the running ones, which are
            updated first; None if they stay.
        low_shot_weight: v, the weight of the adapted models' loss on the query.
        inner_layers: the layers that the inner step changes.

    Returns:
        Means over the episodes of ``support loss`` and ``support accuracy`` (first batch, before
        adapting), ``query loss`` and ``query accuracy`` (the batches that give the gradient;
        before adapting if there is no inner step).
    """
    batches = list(zip(*(episode.support for episode in episodes), strict=True))
    supports = [stack(each, precision) for each in batches]
    if zero_shot_weight and len(batches) > 1:  # the unadapted model's loss is that on all of them
        supports.append(stack([join_tensors(e.support) for e in episodes], precision))
    queries = [e.query if query_gradient == "all" else e.query[-1:] for e in episodes]
    query = stack([join_tensors(each) for each in queries], precision)
    rates = torch.tensor([[lr(k) for lr in inner_lrs] for k in range(len(batches))])
    rates = rates.to(query.actions.device)[..., None, None]
    with autocast(query.actions.device, precision):
        objective = _Objective(low_shot_weight, zero_shot_weight, inner_layers)
        measures = _set_gradients(model, supports, query, rates, objective, bn_momentum)
    names = ("support loss", "support accuracy", "query loss", "query accuracy")
    return dict(zip(names, measures.tolist(), strict=True))


@dataclass(frozen=True)
class _Objective:
    """What the meta-gradient is of: the arguments of :func:`meta_gradient` with these names."""

    low_shot_weight: float
    zero_shot_weight: float
    inner_layers: InnerLayers


def _set_gradients(
    model: MetaModel,
    supports: Sequence[TaskBatches],
    query: TaskBatches,
    rates: torch.Tensor,
    objective: _Objective,
    bn_momentum: float | None,
) -> torch.Tensor:
    """Set the gradients; return the four means.

    There is an inner step for each of the ``rates``, shape ``(steps, tasks, 1, 1)``; one more
    support is that of the unadapted model's loss.
    """
    phi = start(model, len(query.actions))
    theta, statistics = list(phi.parameters()), dict(model.named_buffers())
    moving = None if bn_momentum is None else MovingPass(phi, supports[0], bn_momentum)
    if moving:
        statistics = {name: m.detach().requires_grad_() for name, m in moving.moved.items()}

    def evaluate(batches: TaskBatches) -> tuple[torch.Tensor, torch.Tensor]:
        return losses_and_accuracies(logits(phi, statistics, batches), batches)

    # Gradients at theta are needed again where the statistics moved, and of the last support.
    if moving:
        losses, correct = losses_and_accuracies(moving.logits, supports[0])
        inputs = [*theta, *moving.constants]
        gradients = torch.autograd.grad(losses.sum(), inputs, retain_graph=True)
    else:
        losses, correct = evaluate(supports[0])
        gradients = torch.autograd.grad(losses.sum(), theta)
    before = losses.detach(), correct
    unadapted = gradients
    if len(supports) > len(rates):
        losses, correct = evaluate(supports[-1])
        unadapted = torch.autograd.grad(losses.sum(), theta)
    totals = _weighted_means(unadapted, objective.zero_shot_weight, len(theta))
    if objective.low_shot_weight:
        for k, rate in enumerate(rates):
            if k:
                losses, _ = evaluate(supports[k])
                gradients = torch.autograd.grad(losses.sum(), list(phi.parameters()))
            inner_step(phi, gradients[: len(theta)], rate, objective.inner_layers)
        losses, correct = evaluate(query)
        followed = statistics.values() if moving else ()
        adapted = torch.autograd.grad(losses.sum(), [*phi.parameters(), *followed])
        means = _weighted_means(adapted, objective.low_shot_weight, len(theta))
        for total, mean in zip(totals, means, strict=True):
            total.add_(mean)
    for parameter, total in zip(model.parameters(), totals, strict=False):
        parameter.grad = total.view_as(parameter)
    if moving:
        moving.follows.on = True
        torch.autograd.backward(list(moving.moved.values()), totals[len(theta) :])
        model.load_state_dict(moving.moved, strict=False)
    return torch.stack([*before, losses.detach(), correct]).mean(dim=1)


def _weighted_means(
    gradients: Sequence[torch.Tensor], weight: float, parameters: int
) -> list[torch.Tensor]:
    """Return ``weight`` times the mean over the tasks of each gradient.

    The first ``parameters`` gradients are of weights; their first axis is that of the tasks. The
    others are of statistics, and are sums over the tasks already.
    """
    tasks = len(gradients[0])
    means = [gradient.mean(dim=0) for gradient in gradients[:parameters]]
    means += [gradient / tasks for gradient in gradients[parameters:]]
    return [mean.mul_(weight) for mean in means]
