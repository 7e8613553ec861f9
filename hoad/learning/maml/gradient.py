"""The first-order meta-gradient of one inner step a task, differentiated by hand.

Where statistics rest, it is that of :func:`hoad.learning.maml.adapt.meta_gradient` through
learn2learn, to which a test holds it, but quicker on a CPU: weights that the tasks share are
converted once, adapted ones are never kept in float32, and products have few shapes
(:func:`_padded`).

Where statistics move by a share ``s`` towards those of the pooled support's ``n`` rows,

    mean = (1 - s) * mean before + s * sum of h / n
    variance = (1 - s) * variance before + s * sum of (h - sum of h / n)^2 / (n - 1),

they depend on the unadapted weights through ``h``, what a block's dense layer makes, and
the gradient counts that too, as it does in batch norm's training (the inner step's gradient does
not: it is first-order). Otherwise a step changes means and variances that the statistics take back
in the next one, and training is slow and not steady. A test holds this gradient to learn2learn's
with such statistics as well.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import torch
from torch.nn import functional

from hoad.learning.compute import is_bfloat16
from hoad.learning.maml.adapt import Episode, InnerRate
from hoad.learning.measures import accuracy, cross_entropy
from hoad.learning.networks import BATCH_NORM_EPSILON, LEAKY_SLOPE, FixedBatchNorm, MetaModel
from hoad.learning.observations import unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors, join_tensors

_ROWS: Final = 32

Layer = tuple[torch.Tensor, ...]
"""Weight and bias of a dense layer and, but for the output's, of its batch norm; or gradients."""

Statistics = tuple[torch.Tensor, ...]
"""Gradients by mean and variance of a block's batch norm."""


class Trace(NamedTuple):
    """What a pass leaves of a layer, batch first: its input, what its dense layer made, and z.

    ``z`` is the activated output, without the skip; the output layer's is the logits.
    """

    x: torch.Tensor
    h: torch.Tensor
    z: torch.Tensor


@torch.no_grad()
def meta_gradient_by_hand(
    model: MetaModel,
    episodes: Sequence[Episode],
    inner_rates: Sequence[InnerRate],
    precision: Precision,
    statistics_share: float | None,
    zero_shot_weight: float = 0.0,
) -> dict[str, float]:
    """Set the gradients of ``model`` to the mean of the episodes' first-order meta-gradients.

    Each episode's whole support gives one inner step, its whole query the gradient. To add that of
    the support loss, by a weight, is cheap: the inner step needs it anyway, but for its share
    through the statistics.

    Args:
        model: changed in its gradients and, if there is a share, in its running statistics.
        episodes: one for each task.
        inner_rates: one for each task.
        precision: of matrix products.
        statistics_share: first move the running statistics by this share (0 to 1) of the way to
            those of all support, see :meth:`MetaModel.update_statistics`; None to leave them.
        zero_shot_weight: see :func:`hoad.learning.maml.adapt.meta_gradient`.

    Returns:
        See :func:`hoad.learning.maml.adapt.meta_gradient`.
    """
    device = next(model.parameters()).device
    dtype = torch.bfloat16 if is_bfloat16(device, precision) else torch.float32
    own = [tuple(part.parameters()) for part in (*model.blocks, model.output)]
    shared = [_converted(layer, dtype) for layer in own]
    totals = _Totals(model, own)

    supports = [join_tensors(episode.support) for episode in episodes]
    rows, pooled = sum(map(len, supports)), join_tensors(supports)
    pooled_traces = _forwards(model, shared, pooled, statistics_share)
    measures, first = torch.zeros(4), 0
    for episode, support, inner_rate in zip(episodes, supports, inner_rates, strict=True):
        traces = _of_rows(pooled_traces, first, len(support))
        first += len(support)
        before, slope = _judge(traces, support)
        adapted = [*shared]
        for number, gradient in _backwards(model, shared, traces, slope):
            adapted[number] = _converted(_descended(own[number], gradient, inner_rate(0)), dtype)
            if zero_shot_weight:
                totals.add(number, shared[number], gradient, zero_shot_weight / len(episodes))

        query = join_tensors(episode.query)
        traces = _forwards(model, adapted, query)
        after, slope = _judge(traces, query)
        for number, gradient in _backwards(model, adapted, traces, slope / len(episodes)):
            totals.add(number, adapted[number], gradient)
        measures += torch.stack([*before, *after]).cpu()

    if statistics_share is not None:
        for number, gradient in _backwards_from_statistics(
            model, shared, pooled_traces, rows, totals.by_statistics, statistics_share
        ):
            _add(totals.gradients[number], gradient)
    totals.hand_over()
    names = ("support loss", "support accuracy", "query loss", "query accuracy")
    return dict(zip(names, (measures / len(episodes)).tolist(), strict=True))


class _Totals:
    """Gradients of a model's layers and by its blocks' statistics, as they add up.

    Args:
        model: whose gradients they are.
        layers: its parameters, the output layer's last.
    """

    def __init__(self, model: MetaModel, layers: Sequence[Layer]) -> None:
        self._layers = layers
        self._norms = [block.norm for block in model.blocks]
        self.gradients = [_zeros(layer) for layer in layers]
        self.by_statistics = [_zeros((norm.mean, norm.variance)) for norm in self._norms]

    def add(self, number: int, layer: Layer, gradient: Layer, weight: float = 1.0) -> None:
        """Add what a pass through ``layer`` has found for the layer of this number."""
        _add(self.gradients[number], gradient, weight)
        if number < len(self._norms):
            found = _by_statistics(self._norms[number], layer, gradient)
            _add(self.by_statistics[number], found, weight)

    def hand_over(self) -> None:
        """Set the parameters' gradients."""
        for layer, gradients in zip(self._layers, self.gradients, strict=True):
            for parameter, gradient in zip(layer, gradients, strict=True):
                parameter.grad = gradient


def _zeros(tensors: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    return tuple(torch.zeros_like(tensor) for tensor in tensors)


def _add(
    totals: Sequence[torch.Tensor], found: Sequence[torch.Tensor], weight: float = 1.0
) -> None:
    for total, gradient in zip(totals, found, strict=True):
        total.add_(gradient, alpha=weight)


def _converted(layer: Layer, dtype: torch.dtype) -> Layer:
    """Return the layer as passes take it: its dense layer in ``dtype``, batch norm in float32."""
    weight, bias, *norm = layer
    return weight.to(dtype), bias.to(dtype), *norm


def _descended(layer: Layer, gradient: Layer, rate: float) -> Layer:
    """Return the layer after a step down its gradient."""
    return tuple(p.add(g, alpha=-rate) for p, g in zip(layer, gradient, strict=True))


def _padded(rows: int) -> int:
    """Return the next multiple of 32.

    Games differ in length, and a CPU compiles each new shape of a product, which takes longer
    than to multiply some more rows.
    """
    return -(-rows // _ROWS) * _ROWS


def _forwards(
    model: MetaModel,
    layers: Sequence[Layer],
    transitions: TransitionTensors,
    statistics_share: float | None = None,
) -> list[Trace]:
    """Pass the transitions, and enough empty ones to pad each part of them, through the layers."""
    rows = len(transitions)
    padding = _padded(rows + _ROWS) - rows
    x = unpack(functional.pad(transitions.observations, (0, 0, 0, padding)), layers[0][0].dtype)
    traces = []
    for block, (weight, bias, scale, shift) in zip(model.blocks, layers[:-1], strict=True):
        h = functional.linear(x, weight, bias)
        norm = block.norm
        if statistics_share is not None:
            norm.move_towards(h[:rows], statistics_share)
        y = functional.batch_norm(h, norm.mean, norm.variance, scale, shift, eps=BATCH_NORM_EPSILON)
        z = functional.leaky_relu_(y, LEAKY_SLOPE)
        traces.append(Trace(x, h, z))
        x = x + z if block.skip else z
    logits = functional.linear(x, *layers[-1])
    return [*traces, Trace(x, logits, logits)]


def _of_rows(traces: Sequence[Trace], first: int, rows: int) -> list[Trace]:
    """Return what a pass left of some of its rows, and of enough after them to pad these.

    Those may be of other transitions: they have no slope.
    """
    wanted = slice(first, first + _padded(rows))
    return [Trace(*(tensor[wanted] for tensor in trace)) for trace in traces]


def _judge(
    traces: Sequence[Trace], transitions: TransitionTensors
) -> tuple[tuple[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Return the transitions' loss and accuracy, and the loss's gradient by all the logits."""
    padded_logits = traces[-1].h
    with torch.enable_grad():
        logits = padded_logits[: len(transitions)].detach().requires_grad_()
        loss = cross_entropy(logits, transitions.actions)
        (slope,) = torch.autograd.grad(loss, logits)
    padding = len(padded_logits) - len(slope)
    correct = accuracy(logits, transitions.actions)
    return (loss.detach(), correct), functional.pad(slope, (0, 0, 0, padding))


def _backwards(
    model: MetaModel, layers: Sequence[Layer], traces: Sequence[Trace], slope: torch.Tensor
) -> Iterator[tuple[int, Layer]]:
    """Yield each layer's number and gradients, the output layer's first.

    Args:
        model: for its statistics.
        layers: parameters of the pass.
        traces: what the pass left.
        slope: the loss's gradient by the logits.
    """
    number = len(model.blocks)
    yield number, (slope.T @ traces[number].x, slope.sum(0))
    slope = slope @ layers[number][0]
    for number in reversed(range(len(model.blocks))):
        block, layer, trace = model.blocks[number], layers[number], traces[number]
        by_h, *by_norm = _through_norm(block.norm, layer, trace, slope)
        yield number, (by_h.T @ trace.x, by_h.sum(0), *by_norm)
        if number:
            by_x = by_h @ layer[0]
            slope = slope + by_x if block.skip else by_x


def _backwards_from_statistics(
    model: MetaModel,
    layers: Sequence[Layer],
    traces: Sequence[Trace],
    rows: int,
    by_statistics: Sequence[Statistics],
    share: float,
) -> Iterator[tuple[int, Layer]]:
    """Yield each block's number and gradients, the last block's first.

    Args:
        model: with the statistics that have moved.
        layers: parameters of the pass that moved them.
        traces: what that pass left.
        rows: how many of its rows are not empty.
        by_statistics: the loss's gradients by each block's statistics, but for what these do to
            the statistics of later blocks.
        share: how far the statistics moved.
    """
    slope = torch.zeros_like(traces[-1].x)
    for number in reversed(range(len(model.blocks))):
        block, layer, trace = model.blocks[number], layers[number], traces[number]
        by_h, *by_norm = _through_norm(block.norm, layer, trace, slope)
        by_these = _by_statistics(block.norm, layer, (layer[0], layer[1], *by_norm))
        by_mean, by_variance = (a + b for a, b in zip(by_statistics[number], by_these, strict=True))
        factor = by_variance * (2 * share / (rows - 1))
        mean = trace.h[:rows].mean(0, dtype=torch.float32)
        offset = by_mean * (share / rows) - factor * mean
        by_h = by_h + torch.addcmul(offset.to(by_h.dtype), trace.h, factor.to(by_h.dtype))
        by_h[rows:] = 0
        yield number, (by_h.T @ trace.x, by_h.sum(0), *by_norm)
        if number:
            by_x = by_h @ layer[0]
            slope = slope + by_x if block.skip else by_x


def _through_norm(
    norm: FixedBatchNorm, layer: Layer, trace: Trace, slope: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Return gradients by ``h`` and by batch norm's weight and bias, statistics being constant."""
    by_y = torch.ops.aten.leaky_relu_backward(slope, trace.z, LEAKY_SLOPE, True)
    statistics = norm.mean, norm.variance
    return torch.ops.aten.native_batch_norm_backward(
        *(by_y, trace.h, layer[2], *statistics, None, None, False, BATCH_NORM_EPSILON, [True] * 3)
    )


def _by_statistics(norm: FixedBatchNorm, layer: Layer, found: Layer) -> Statistics:
    """Return gradients by mean and variance from those by batch norm's weight and bias."""
    _, _, weight, _ = layer
    _, _, by_weight, by_bias = found
    inverse = (norm.variance + BATCH_NORM_EPSILON).rsqrt()
    return -weight * inverse * by_bias, -0.5 * weight * inverse.square() * by_weight
