"""Copies of a meta-model, one for each task, computed together in products grouped by task.

The copies are one module, phi, whose matrices have shape ``(tasks, outputs, inputs)`` and whose
vectors have shape ``(tasks, width, 1)``. Activations have shape ``(tasks, width, rows)``, so that
gradients have the memory layout of their weights. The copies are learn2learn's clones
(:mod:`.inner_step`), and the network is that of :class:`hoad.learning.networks.MetaModel`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from hoad.learning.compute import is_bfloat16
from hoad.learning.network_inputs import unpack
from hoad.learning.networks import BATCH_NORM_EPSILON, MetaModel
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors

_ROWS: Final = 32
"""Batches are padded to a multiple of it. Games differ in length, and a CPU compiles bfloat16
products for each new shape, which takes longer than to multiply some more rows."""

_NO_MOVE: Final = -100
"""The action of an empty row; cross entropy ignores it."""

Statistics = dict[str, torch.Tensor]
"""Means and variances of batch norm by the names of their buffers."""


@dataclass(frozen=True)
class TaskBatches:
    """A batch of transitions of each task, with empty rows up to the same number."""

    observations: torch.Tensor  # bits, shape (tasks, 658, rows)
    actions: torch.Tensor  # the moves made, shape (tasks, rows)
    counts: torch.Tensor  # the numbers of transitions, float, shape (tasks,)


def stack(batches: Sequence[TransitionTensors], precision: Precision) -> TaskBatches:
    """Return a batch of each task as one; bits have the dtype of products in this precision."""
    device = batches[0].actions.device
    packed = pad_sequence([batch.observations for batch in batches], batch_first=True)
    actions = pad_sequence([batch.actions for batch in batches], True, _NO_MOVE)
    tasks, rows = actions.shape
    packed = functional.pad(packed, (0, 0, 0, -rows % _ROWS))
    actions = functional.pad(actions, (0, -rows % _ROWS), value=_NO_MOVE)
    dtype = torch.bfloat16 if is_bfloat16(device, precision) else torch.float32
    bits = unpack(packed.flatten(0, 1), dtype).unflatten(0, (tasks, -1)).mT
    counts = torch.tensor([len(batch) for batch in batches], dtype=torch.float32, device=device)
    return TaskBatches(bits, actions, counts)


def losses_and_accuracies(
    logits: torch.Tensor, batches: TaskBatches
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return loss and accuracy of each task, from logits of shape ``(tasks, 20, rows)``."""
    flat = logits.float().mT.flatten(0, 1)  # a GPU adds up losses of three dimensions in any order
    losses = functional.cross_entropy(flat, batches.actions.flatten(), reduction="none")
    losses = losses.view_as(batches.actions).sum(dim=1) / batches.counts
    correct = logits.detach().argmax(dim=1) == batches.actions
    return losses, correct.sum(dim=1) / batches.counts


def logits(phi: MetaModel, statistics: Statistics, batches: TaskBatches) -> torch.Tensor:
    """Return the logits of each task, shape ``(tasks, 20, rows)``, normalised by these statistics.

    Batch norm then scales and shifts: the weights, or the outputs where these have fewer elements.
    """
    x = batches.observations
    for number, block in enumerate(phi.blocks):
        mean, variance = (statistics[name] for name in _names(number))
        scale, shift = _affine(block.norm, mean, variance)
        weight, bias = block.dense.weight, block.dense.bias
        if x.shape[-1] < x.shape[-2]:  # rows, inputs
            h = torch.baddbmm(bias, weight, x)
            y = (h * scale.to(h.dtype)).add_(shift.to(h.dtype))
        else:
            y = torch.baddbmm(bias * scale + shift, weight * scale, x)
        x = block.finish(x, y)
    return torch.baddbmm(phi.output.bias, phi.output.weight, x)


@dataclass
class Following:
    """Whether gradients take moved statistics as functions of the weights.

    The graph of a pass holds this and not the pass, which holds the graph: Python does not free
    such a circle.
    """

    on: bool = False


class MovingPass:
    """A forward pass in which statistics move towards those of the batches of all tasks.

    Each block is normalised with its moved statistics. Gradients take these as constant until
    ``follows`` is on, and afterwards as functions of the weights (batch norm in training mode).

    Attributes:
        logits: shape ``(tasks, 20, rows)``.
        moved: the moved statistics as functions of the weights.
        constants: the same in the same order, where gradients end until ``follows`` is on.
    """

    def __init__(self, phi: MetaModel, batches: TaskBatches, momentum: float) -> None:
        self.follows = Following()
        self.moved: Statistics = {}
        self.constants: list[torch.Tensor] = []
        rows = (batches.actions != _NO_MOVE).float()[..., None]
        x = batches.observations
        for number, block in enumerate(phi.blocks):
            h = torch.baddbmm(block.dense.bias, block.dense.weight, x)
            old = block.norm.mean, block.norm.variance
            new = _Moments.apply(h, rows)
            moved = [before.lerp(after, momentum) for before, after in zip(old, new, strict=True)]
            mean, variance = constants = [_Constant.apply(values, self.follows) for values in moved]
            self.moved |= zip(_names(number), moved, strict=True)
            self.constants += constants
            scale, shift = (values.to(h.dtype) for values in _affine(block.norm, mean, variance))
            x = block.finish(x, (h * scale).add_(shift))
        self.logits = torch.baddbmm(phi.output.bias, phi.output.weight, x)


def _names(block: int) -> tuple[str, str]:
    return f"blocks.{block}.norm.mean", f"blocks.{block}.norm.variance"


def _affine(
    norm: Any, mean: torch.Tensor, variance: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what batch norm multiplies by and then adds, shape ``(tasks, width, 1)``."""
    scale = norm.weight * (variance + BATCH_NORM_EPSILON).rsqrt()[:, None]
    return scale, norm.bias - mean[:, None] * scale


class _Constant(torch.autograd.Function):
    """The identity, without a gradient until its pass follows the statistics."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, follows: Following) -> torch.Tensor:
        """Return the value."""
        ctx.follows = follows
        return value.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, None]:
        """Return the gradient or, so that nothing is computed from it, none."""
        return grad if ctx.follows.on else None, None


class _Moments(torch.autograd.Function):
    """Mean and unbiased variance of ``h`` (tasks, width, rows) over the ``rows`` that are 1.

    Autograd's own gradient reads and writes ``h`` three times as often.
    """

    @staticmethod
    def forward(ctx: Any, h: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return mean and variance, float32, shape ``(width,)``."""
        ctx.set_materialize_grads(False)
        with torch.autocast(h.device.type, enabled=False):
            count = rows.sum()
            mean = torch.bmm(h.float(), rows).sum(dim=0) / count
            variance = torch.bmm((h - mean).square_(), rows).sum(dim=0) / (count - 1)
        ctx.save_for_backward(h, rows, count, mean)
        return mean[:, 0], variance[:, 0]

    @staticmethod
    def backward(
        ctx: Any, grad_mean: torch.Tensor | None, grad_variance: torch.Tensor | None
    ) -> tuple[torch.Tensor | None, None]:
        """Return the gradient with respect to ``h``."""
        if grad_mean is None or grad_variance is None:
            return None, None
        h, rows, count, mean = ctx.saved_tensors
        slope = 2 * grad_variance[:, None] / (count - 1)
        offset = grad_mean[:, None] / count - slope * mean
        return (h * slope).add_(offset).mul_(rows.mT).to(h.dtype), None
