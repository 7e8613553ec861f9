"""Networks: the perceptron of imitators and naive players, and the meta-model.

All take unpacked observations, float, shape ``(batch, 658)``, and return logits over the moves,
shape ``(batch, 20)``. They are those of Sarmasi, "Meta-Learning Action Conventions in Ad-Hoc
Hanabi" (2022), sections 3.5.1 and 3.6.2, and of its published code, with Keras' defaults.
"""

from collections.abc import Sequence
from typing import Final, cast

import torch
from torch import nn
from torch.nn import functional

from hoad.agents.agent import MOVES
from hoad.core.capacity import require_memory
from hoad.game.observation import OBSERVATION_BITS
from hoad.learning.network_inputs import unpack_bits

BATCH_NORM_EPSILON: Final = 1e-3
KERAS_MOMENTUM: Final = 0.01
"""Weight of the new value; Keras' momentum of 0.99 is the weight of the old one."""

LEAKY_SLOPE: Final = 0.3

_WEIGHT_BYTES: Final = 16  # of a weight with its gradient and the two averages of Adam, in float32


def dense(inputs: int, outputs: int) -> nn.Linear:
    """Return a layer of Glorot-uniform weights, no bias yet; a HoadError if memory is short."""
    what = f"a layer of {inputs:,} x {outputs:,} weights"
    require_memory(_WEIGHT_BYTES * inputs * outputs, what, "give smaller widths (hidden)")
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


@torch.no_grad()
def update_average(average: nn.Module, newest: nn.Module, ema: float, number: int) -> None:
    """Move the averaged weights and buffers towards the newest ones, with weight ``ema``.

    The first few have equal weight; ``number`` of them were averaged before.
    """
    weights = newest.state_dict()
    for name, mean in average.state_dict().items():
        mean.lerp_(weights[name], max(ema, 1 / (number + 1)))


class Dropout(nn.Module):
    """Dropout of one half, from one random bit for each unit.

    ``torch.nn.Dropout`` draws a number for each, which takes half of a training step on a CPU.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return ``x`` (batch, width) with about half of it zero, the rest doubled."""
        if not self.training:
            return x
        words = torch.empty(-(-x.numel() // 64), dtype=torch.int64, device=x.device)
        words.random_(-(2**63), None)  # all 64 bits; without a range, the sign would never be set
        bits = unpack_bits(words.view(torch.uint8).view(1, -1), x.dtype)
        return x * bits.view(-1)[: x.numel()].view(x.shape) * 2.0


class Perceptron(nn.Module):
    """Dense, ReLU, batch norm, dropout 0.5 for each hidden layer; then a dense layer."""

    def __init__(self, hidden: Sequence[int], dropout: bool = True) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        width = OBSERVATION_BITS
        for units in hidden:
            layers += [dense(width, units), nn.ReLU()]
            layers += [nn.BatchNorm1d(units, eps=BATCH_NORM_EPSILON, momentum=KERAS_MOMENTUM)]
            layers += [Dropout()] if dropout else []
            width = units
        self.layers = nn.Sequential(*layers, dense(width, MOVES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        return self.layers(x)


class FixedBatchNorm(nn.Module):
    """Batch norm that always normalises with its stored statistics, in training too.

    So a single observation has the same output alone as in a batch, and support, query and play
    agree. The statistics change only in :meth:`MetaModel.update_statistics`.
    """

    mean: torch.Tensor
    variance: torch.Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("variance", torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the normalised ``x`` (batch, width)."""
        statistics = self.mean, self.variance
        return functional.batch_norm(x, *statistics, self.weight, self.bias, eps=BATCH_NORM_EPSILON)

    @torch.no_grad()
    def update_statistics(self, x: torch.Tensor, momentum: float) -> None:
        """Move the statistics to (1 - momentum) old + momentum times those of ``x``."""
        x = x.float()
        mean = x.mean(dim=0)
        # torch.var is ten times slower along this dimension (torch 2.13 on a CPU).
        variance = (x - mean).square().sum(dim=0) / (len(x) - 1)
        self.mean.lerp_(mean, momentum)
        self.variance.lerp_(variance, momentum)


class ResidualBlock(nn.Module):
    """Dense, batch norm, leaky ReLU; then the input is added where widths are equal.

    So does the published code. The thesis prints a slope of -0.3 where that code has +0.3.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.dense = dense(inputs, outputs)
        self.norm = FixedBatchNorm(outputs)
        self.skip = inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the block's output, shape ``(batch, outputs)``."""
        return self.finish(x, self.norm(self.dense(x)))

    def finish(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """Return the block's output from its input and from batch norm's (which is overwritten)."""
        z = functional.leaky_relu(y, LEAKY_SLOPE, inplace=True)
        return x + z if self.skip else z


class MetaModel(nn.Module):
    """The deep residual perceptron that FOMAML trains, with blocks of these widths."""

    blocks: Sequence[ResidualBlock]

    def __init__(self, hidden: Sequence[int]) -> None:
        super().__init__()
        widths = [OBSERVATION_BITS, *hidden]
        self.blocks = cast(
            Sequence[ResidualBlock], nn.ModuleList(map(ResidualBlock, widths, hidden))
        )
        self.output = dense(widths[-1], MOVES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        for block in self.blocks:
            x = block(x)
        return self.output(x)

    @torch.no_grad()
    def update_statistics(self, x: torch.Tensor, momentum: float) -> None:
        """Move each block's statistics towards this batch's; the ``frozen`` variant never does.

        The input of a block is normalised with the moved statistics of the blocks before it, so
        with a momentum of 1 this is batch norm in training mode.
        """
        for block in self.blocks:
            h = block.dense(x)
            block.norm.update_statistics(h, momentum)
            x = block.finish(x, block.norm(h))
