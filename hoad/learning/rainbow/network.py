"""Rainbow's network: for each move, a distribution over returns.

Bellemare et al., "A distributional perspective on reinforcement learning" (2017); layers as Bard
et al., "The Hanabi challenge" (2020), appendix; dueling heads (Wang et al. 2016) and noisy layers
(Fortunato et al. 2018) as Hessel et al., "Rainbow" (2018), combine them.
"""

import math
from collections.abc import Sequence
from typing import Final, cast

import torch
from torch import nn
from torch.nn import functional

from hoad.agents.agent import MOVES
from hoad.game.state import full_game
from hoad.learning.observations import OBSERVATION_BITS
from hoad.learning.rainbow.own_cards import STATUSES
from hoad.learning.recipes import RainbowRecipe

_NOISE: Final = 0.5
"""Share of the usual spread of initial weights that noise has at first (Fortunato et al.)."""


class Layer(nn.Linear):
    """A dense layer, with Glorot's uniform weights at first and no bias, as Bard et al.'s."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs)
        nn.init.xavier_uniform_(self.weight)
        nn.init.zeros_(self.bias)

    def draw(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the weights, shape ``(outputs, inputs)``, and the biases, ``(outputs,)``."""
        return self.weight, self.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the layer's output, shape ``(batch, outputs)``."""
        return functional.linear(x, *self.draw())


class NoisyLayer(Layer):
    """A dense layer whose weights are noisy while training: factorised noise, one draw a call."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs)
        spread = _NOISE / math.sqrt(inputs)
        self.weight_spread = nn.Parameter(torch.full((outputs, inputs), spread))
        self.bias_spread = nn.Parameter(torch.full((outputs,), spread))

    def draw(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return weights and biases with noise, or without it in evaluation mode."""
        if not self.training:
            return super().draw()
        of_inputs, of_outputs = self._noise(self.in_features), self._noise(self.out_features)
        weight = self.weight + self.weight_spread * (of_outputs[:, None] * of_inputs)
        return weight, self.bias + self.bias_spread * of_outputs

    def _noise(self, width: int) -> torch.Tensor:
        noise = torch.randn(width, device=self.weight.device)
        return noise.sign() * noise.abs().sqrt()


class RainbowNetwork(nn.Module):
    """Dense layers with ReLU; for each move, a distribution over equally spaced returns.

    Args:
        recipe: widths, returns, whether layers are noisy and heads dueling, and whether it tells
            what the player's own cards are good for.

    Attributes:
        statuses: from :meth:`features` to the logits of the status of each of the player's own
            cards, shape ``(batch, 5 * 3)``; None if the recipe gives that no weight.
    """

    support: torch.Tensor

    def __init__(self, recipe: RainbowRecipe) -> None:
        super().__init__()
        layer = NoisyLayer if recipe.noisy else Layer
        widths = [OBSERVATION_BITS, *recipe.hidden]
        self.layers = cast(Sequence[Layer], nn.ModuleList(map(layer, widths, recipe.hidden)))
        self.moves = layer(widths[-1], MOVES * recipe.atoms)
        self.state = layer(widths[-1], recipe.atoms) if recipe.dueling else None
        told = STATUSES * full_game(2).hand_size
        self.statuses = Layer(widths[-1], told) if recipe.status_weight else None
        support = torch.linspace(recipe.lowest, recipe.highest, recipe.atoms)
        self.register_buffer("support", support, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the expected return of each move, float32, shape ``(batch, moves)``.

        Args:
            x: unpacked observations, float, shape ``(batch, 658)``.
        """
        return self.expect(self.logits(x))

    def logits(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits of the distributions, shape ``(batch, moves, atoms)``."""
        weight, bias = self._heads()
        logits = functional.linear(self.features(x), weight.flatten(0, 1), bias.flatten())
        return logits.view(-1, *bias.shape)

    def logits_of(self, features: torch.Tensor, moves: torch.Tensor) -> torch.Tensor:
        """Return the logits of one move for each position, shape ``(batch, atoms)``.

        The last layer, by far the widest, is computed for these moves alone.

        Args:
            features: from :meth:`features`.
            moves: int64, shape ``(batch,)``.
        """
        by_move = moves.argsort(stable=True)
        counts = moves.bincount(minlength=MOVES).tolist()
        parts = zip(features[by_move].split(counts), *self._heads(), strict=True)
        return torch.cat([functional.linear(*part) for part in parts])[by_move.argsort()]

    def expect(self, logits: torch.Tensor) -> torch.Tensor:
        """Return the mean returns of distributions, float32, shape ``(batch, moves)``."""
        with torch.autocast(logits.device.type, enabled=False):  # moves differ by little
            return logits.float().softmax(dim=2) @ self.support

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """Return what the last hidden layer makes of observations, shape ``(batch, width)``."""
        for layer in self.layers:
            x = functional.relu(layer(x))
        return x

    def _heads(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the last layer, shapes ``(moves, atoms, inputs)`` and ``(moves, atoms)``."""
        weight, bias = self.moves.draw()
        atoms = len(self.support)
        weight, bias = weight.view(MOVES, atoms, -1), bias.view(MOVES, atoms)
        if self.state is None:
            return weight, bias
        # What a move is worth beyond the mean move, and what the state is worth: as both are
        # linear in the features, it is quicker to add the weights than the outputs.
        of_state, bias_of_state = self.state.draw()
        return weight - weight.mean(dim=0) + of_state, bias - bias.mean(dim=0) + bias_of_state


def project(
    support: torch.Tensor,
    probabilities: torch.Tensor,
    returns: torch.Tensor,
    discounts: torch.Tensor,
) -> torch.Tensor:
    """Return the distributions of ``returns + discounts * value`` over the same support.

    What falls between two of the support's returns is divided between them so that the mean is
    kept; what falls beyond its ends goes there (Bellemare et al. 2017, algorithm 1).

    Args:
        support: equally spaced, ascending, float32, shape ``(atoms,)``.
        probabilities: distributions of the value, float32, shape ``(batch, atoms)``.
        returns: float32, shape ``(batch,)``.
        discounts: float32, shape ``(batch,)``.

    Returns:
        Probabilities, float32, shape ``(batch, atoms)``.
    """
    lowest, highest, last = support[0], support[-1], len(support) - 1
    moved = returns[:, None] + discounts[:, None] * support
    place = ((moved - lowest) * (last / (highest - lowest))).clamp(0, last)
    below = place.floor()
    share_above = place - below
    index = below.long()
    projected = torch.zeros_like(probabilities)
    projected.scatter_add_(1, index, probabilities * (1 - share_above))
    return projected.scatter_add_(1, (index + 1).clamp(max=last), probabilities * share_above)
