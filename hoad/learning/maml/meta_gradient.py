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

All tasks are computed together, in products of matrices grouped by task: phi is one module whose
parameters have shape ``(tasks, ...)``. Activations have shape ``(tasks, width, rows)``, so that
gradients have the memory layout of their weights. Tests hold the result to that of learn2learn,
task by task, within 1e-6.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from hoad.learning.compute import autocast, is_bfloat16
from hoad.learning.maml.learn2learn import inner_step, start
from hoad.learning.maml.tasks import Episode
from hoad.learning.networks import BATCH_NORM_EPSILON, MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, join_tensors

InnerLr = Callable[[int], float]
"""The inner learning rate of the k-th inner step of an episode."""

_ROWS: Final = 32
"""Batches are padded to a multiple of it. Games differ in length, and a CPU compiles bfloat16
products for each new shape, which takes longer than to multiply some more rows."""

_PADDING: Final = -100
"""The move of rows without a transition; cross entropy ignores it."""

_Statistics = dict[str, torch.Tensor]


@dataclass(frozen=True)
class _Batch:
    """A batch of transitions of each task, padded to equal numbers of rows.

    Attributes:
        observations: bits, shape ``(tasks, 658, rows)``.
        actions: the moves made, shape ``(tasks, rows)``.
        sizes: the numbers of transitions, shape ``(tasks,)``.
    """

    observations: torch.Tensor
    actions: torch.Tensor
    sizes: torch.Tensor


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
    theta, count = dict(model.named_parameters()), len(episodes)
    moved: dict[str, torch.Tensor] = {}
    if bn_momentum is not None:
        pooled = join_tensors([batch for episode in episodes for batch in episode.support])
        with autocast(pooled.actions.device, precision):
            moved = model.updated_statistics(_padded(pooled), bn_momentum, rows=len(pooled))
    # Gradients by the statistics are gathered in these leaves, then flow back into theta.
    statistics = {name: value.detach().requires_grad_() for name, value in moved.items()}
    model.load_state_dict(statistics, strict=False)

    phi, before, grad_theta = _adapt(model, statistics, episodes, inner_lrs, precision)
    queries = [e.query if query_gradient == "all" else e.query[-1:] for e in episodes]
    losses, correct = _losses_and_accuracies(phi, statistics, queries, precision)
    totals = _gradients(losses, phi, statistics)
    if zero_shot_weight:
        if len(episodes[0].support) > 1:
            supports = [episode.support for episode in episodes]
            unadapted = start(model, count)
            zero_shot, _ = _losses_and_accuracies(unadapted, statistics, supports, precision)
            grad_theta = _gradients(zero_shot, unadapted, statistics)
        for total, gradient in zip(totals, grad_theta, strict=True):
            total.add_(gradient, alpha=zero_shot_weight)

    for total, parameter in zip(totals, theta.values(), strict=False):
        parameter.grad = total.mean(dim=0)
    if moved:
        of_statistics = [total / count for total in totals[len(theta) :]]
        torch.autograd.backward(list(moved.values()), of_statistics)
    measures = torch.stack([*before, losses.detach(), correct]).mean(dim=1).tolist()
    names = ("support loss", "support accuracy", "query loss", "query accuracy")
    return dict(zip(names, measures, strict=True))


def _adapt(
    model: MetaModel,
    statistics: _Statistics,
    episodes: Sequence[Episode],
    inner_lrs: Sequence[InnerLr],
    precision: Precision,
) -> tuple[MetaModel, tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, ...]]:
    """Return phi; losses and accuracies before, gradients at theta, of the first support batch."""
    phi = start(model, len(episodes))
    parameters = len(list(phi.parameters()))
    for k, batches in enumerate(zip(*(episode.support for episode in episodes), strict=True)):
        losses, correct = _losses_and_accuracies(phi, statistics, [[b] for b in batches], precision)
        gradients = _gradients(losses, phi, statistics)
        if k == 0:
            before, grad_theta = (losses.detach(), correct), gradients
        rates = losses.new_tensor([inner_lr(k) for inner_lr in inner_lrs])
        inner_step(phi, gradients[:parameters], rates)  # statistics are not adapted
    return phi, before, grad_theta


def _gradients(
    losses: torch.Tensor, phi: MetaModel, statistics: _Statistics
) -> tuple[torch.Tensor, ...]:
    """Return gradients, shape ``(tasks, ...)``, and the sum over the tasks of the statistics'."""
    return torch.autograd.grad(losses.sum(), [*phi.parameters(), *statistics.values()])


def _losses_and_accuracies(
    phi: MetaModel,
    statistics: _Statistics,
    batches: Sequence[Sequence[TransitionTensors]],
    precision: Precision,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return loss and accuracy of each task, on its batches taken together."""
    batch = _stacked([join_tensors(parts) for parts in batches], precision)
    with autocast(batch.actions.device, precision):
        logits = _logits(phi, statistics, batch.observations).float()
    losses = functional.cross_entropy(logits, batch.actions, reduction="none")
    correct = logits.argmax(dim=1) == batch.actions
    return losses.sum(dim=1) / batch.sizes, correct.sum(dim=1) / batch.sizes


def _logits(phi: MetaModel, statistics: _Statistics, x: torch.Tensor) -> torch.Tensor:
    """Return the logits of each task's model, shape ``(tasks, 20, rows)``, as `MetaModel` does.

    Batch norm with given statistics is an affine function, which is multiplied into the weights.
    """
    for number, block in enumerate(phi.blocks):
        norm, dense = block.norm, block.dense
        mean = statistics.get(f"blocks.{number}.norm.mean", norm.mean)
        variance = statistics.get(f"blocks.{number}.norm.variance", norm.variance)
        scale = norm.weight * (variance + BATCH_NORM_EPSILON).rsqrt()
        shift = (dense.bias - mean) * scale + norm.bias
        x = block.finish(x, torch.baddbmm(shift[..., None], dense.weight * scale[..., None], x))
    return torch.baddbmm(phi.output.bias[..., None], phi.output.weight, x)


def _stacked(batches: Sequence[TransitionTensors], precision: Precision) -> _Batch:
    """Return a batch of each task with empty observations up to a multiple of 32 rows."""
    device = batches[0].actions.device
    packed = pad_sequence([batch.observations for batch in batches], batch_first=True)
    actions = pad_sequence([batch.actions for batch in batches], True, _PADDING)
    tasks, rows = actions.shape
    packed = functional.pad(packed, (0, 0, 0, -rows % _ROWS))
    actions = functional.pad(actions, (0, -rows % _ROWS), value=_PADDING)
    dtype = torch.bfloat16 if is_bfloat16(device, precision) else torch.float32
    bits = unpack(packed.flatten(0, 1), dtype).unflatten(0, (tasks, -1)).mT
    return _Batch(bits, actions, torch.tensor([len(batch) for batch in batches], device=device))


def _padded(batch: TransitionTensors) -> torch.Tensor:
    """Return the unpacked observations and empty ones up to a multiple of 32 rows."""
    return unpack(functional.pad(batch.observations, (0, 0, 0, -len(batch) % _ROWS)))
