"""The networks: the imitators' and naive players' perceptron, and the meta-model.

All take unpacked observations, float, shape ``(batch, 658)``, and return logits over the moves,
shape ``(batch, 20)``. Sizes, order of layers and initialisation are those of Sarmasi,
"Meta-Learning Action Conventions in Ad-Hoc Hanabi" (2022), sections 3.5.1 and 3.6.2, and of its
published code; where the code relies on Keras' defaults, they are spelled out here.
"""

from collections.abc import Sequence
from typing import Final, cast

import torch
from torch import nn
from torch.nn import functional

from hoad.agents.agent import MOVES
from hoad.learning.observations import OBSERVATION_BITS, unpack_bits

BATCH_NORM_EPSILON: Final = 1e-3
KERAS_MOMENTUM: Final = 0.01
"""Keras' moving average keeps 0.99 of the old value; torch counts the share of the new one."""

LEAKY_SLOPE: Final = 0.3


def dense(inputs: int, outputs: int) -> nn.Linear:
    """Return a fully connected layer with Glorot's uniform weights and no bias yet."""
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


class Dropout(nn.Module):
    """Dropout of one half, from random bits.

    ``torch.nn.Dropout`` draws a number for each unit, which takes half of a training step on a
    CPU; a bit each is enough.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return ``x`` (batch, width) with about half of it zero, the rest doubled."""
        if not self.training:
            return x
        words = torch.empty(-(-x.numel() // 64), dtype=torch.int64, device=x.device).random_()
        bits = unpack_bits(words.view(torch.uint8).view(1, -1), x.dtype)
        return x * bits.view(-1)[: x.numel()].view(x.shape) * 2.0


class Perceptron(nn.Module):
    """Dense, ReLU, batch norm, dropout 0.5 for each hidden layer; then a dense layer.

    Args:
        hidden: widths of the hidden layers.
        dropout: whether half of each hidden layer is dropped while training.
    """

    def __init__(self, hidden: Sequence[int], dropout: bool = True) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        width = OBSERVATION_BITS
        for units in hidden:
            norm = nn.BatchNorm1d(units, eps=BATCH_NORM_EPSILON, momentum=KERAS_MOMENTUM)
            layers += [dense(width, units), nn.ReLU(), norm]
            layers += [Dropout()] if dropout else []
            width = units
        self.layers = nn.Sequential(*layers, dense(width, MOVES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        return self.layers(x)


class FixedBatchNorm(nn.Module):
    """Batch norm that always normalises with its stored statistics, in training too.

    A single observation therefore has the same output alone as in a batch, and support, query
    and play agree. The statistics change only in :meth:`MetaModel.update_statistics`.
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
        return functional.batch_norm(
            x, self.mean, self.variance, self.weight, self.bias, eps=BATCH_NORM_EPSILON
        )

    @torch.no_grad()
    def move_towards(self, x: torch.Tensor, share: float) -> None:
        """Move the statistics by ``share`` (0 to 1) of the way to those of ``x``."""
        functional.batch_norm(x, self.mean, self.variance, training=True, momentum=share)


class Block(nn.Module):
    """Dense, batch norm, leaky ReLU; the input is added where widths are equal.

    The skip is the identity and comes after the activation (published code, ``models.py``). The
    thesis prints a slope of -0.3 where its code has +0.3, which is used here.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.dense = dense(inputs, outputs)
        self.norm = FixedBatchNorm(outputs)
        self.skip = inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the block's output, shape ``(batch, outputs)``."""
        return self.finish(x, self.dense(x))

    def finish(self, x: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        """Return the block's output from its input ``x`` and what the dense layer made of it."""
        h = functional.leaky_relu(self.norm(h), LEAKY_SLOPE)
        return x + h if self.skip else h


class MetaModel(nn.Module):
    """The deep residual perceptron that FOMAML trains.

    Args:
        hidden: widths of the blocks.
    """

    blocks: Sequence[Block]

    def __init__(self, hidden: Sequence[int]) -> None:
        super().__init__()
        widths = [OBSERVATION_BITS, *hidden]
        self.blocks = cast(Sequence[Block], nn.ModuleList(map(Block, widths, hidden)))
        self.output = dense(widths[-1], MOVES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        for block in self.blocks:
            x = block(x)
        return self.output(x)

    @torch.no_grad()
    def update_statistics(self, x: torch.Tensor, share: float) -> torch.Tensor:
        """Move each block's statistics towards those of this batch; return the batch's logits.

        A block is updated before its output is computed, so with a ``share`` of 1 this is what
        batch norm does in training. The ``frozen`` variant never calls this and keeps mean 0
        and variance 1.

        Args:
            x: float, shape ``(batch, 658)``, at least 2 rows.
            share: how far to move, 0 (not at all) to 1 (to the batch's statistics).
        """
        for block in self.blocks:
            h = block.dense(x)
            block.norm.move_towards(h, share)
            x = block.finish(x, h)
        return self.output(x)
