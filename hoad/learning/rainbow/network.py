"""Rainbow's network: for each move, a distribution over returns (C51).

Bellemare et al., "A distributional perspective on reinforcement learning" (2017); layers as Bard
et al., "The Hanabi challenge" (2020), appendix. Without the dueling heads and noisy layers of
Hessel et al., "Rainbow" (2018): neither gained anything here (``models/rainbow-trials.md``).
"""

from collections.abc import Sequence
from typing import cast

import torch
from torch import nn
from torch.nn import functional

from hoad.agents.agent import MOVES
from hoad.game.observation import OBSERVATION_BITS
from hoad.game.state import full_game
from hoad.learning.networks import dense
from hoad.learning.rainbow.own_cards import STATUSES
from hoad.learning.rainbow.recipe import RainbowRecipe


class RainbowNetwork(nn.Module):
    """Dense layers with ReLU; for each move, a distribution over equally spaced returns.

    Attributes:
        statuses: from :meth:`features` to the logits of the status of each of the player's own
            cards, shape ``(batch, 5 * 3)``; None if ``own_cards_weight`` is 0.
    """

    support: torch.Tensor

    def __init__(self, recipe: RainbowRecipe) -> None:
        super().__init__()
        widths = [OBSERVATION_BITS, *recipe.hidden]
        self.layers = cast(Sequence[nn.Linear], nn.ModuleList(map(dense, widths, recipe.hidden)))
        self.moves = dense(widths[-1], MOVES * recipe.atoms)
        statuses = STATUSES * full_game(2).hand_size
        self.statuses = dense(widths[-1], statuses) if recipe.own_cards_weight else None
        support = torch.linspace(recipe.v_min, recipe.v_max, recipe.atoms)
        self.register_buffer("support", support, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the expected return of each move, float32, shape ``(batch, moves)``."""
        logits = self.logits(x)
        with torch.autocast(logits.device.type, enabled=False):  # moves differ by little
            return logits.float().softmax(dim=2) @ self.support

    def logits(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits of the distributions, shape ``(batch, moves, atoms)``."""
        return self.moves(self.features(x)).view(len(x), MOVES, -1)

    def logits_of(self, features: torch.Tensor, moves: torch.Tensor) -> torch.Tensor:
        """Return the logits of one move each, shape ``(batch, atoms)``; no others are computed."""
        by_move = moves.argsort(stable=True)
        counts = moves.bincount(minlength=MOVES).tolist()
        atoms = len(self.support)
        heads = self.moves.weight.view(MOVES, atoms, -1), self.moves.bias.view(MOVES, atoms)
        parts = zip(features[by_move].split(counts), *heads, strict=True)
        return torch.cat([functional.linear(*part) for part in parts])[by_move.argsort()]

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """Return the output of the last hidden layer, shape ``(batch, width)``."""
        for layer in self.layers:
            x = functional.relu(layer(x))
        return x


def project(
    support: torch.Tensor,
    probabilities: torch.Tensor,
    returns: torch.Tensor,
    discounts: torch.Tensor,
) -> torch.Tensor:
    """Return the distributions of ``returns + discounts * value``, projected on the support.

    Probability between two atoms is divided between them so that the mean is kept; probability
    beyond the ends goes to the last atom there (Bellemare et al. 2017, algorithm 1). The support
    is equally spaced, shape ``(atoms,)``; probabilities have shape ``(batch, atoms)``.
    """
    v_min, v_max, last = support[0], support[-1], len(support) - 1
    shifted = returns[:, None] + discounts[:, None] * support
    place = ((shifted - v_min) * (last / (v_max - v_min))).clamp(0, last)
    lower = place.floor()
    upper_share = place - lower
    index = lower.long()
    projected = torch.zeros_like(probabilities)
    projected.scatter_add_(1, index, probabilities * (1 - upper_share))
    return projected.scatter_add_(1, (index + 1).clamp(max=last), probabilities * upper_share)
