"""Adapting a meta-model to a partner's games in all colours, to predict its moves.

The rules treat colours alike, and most players do. So each step, of plain SGD and with the loss
over the legal moves only (unlike :mod:`.inner_loop`), is taken on the games in other colours, and a
distribution is the mean over five colourings. Many steps then overfit ten games less: on the moves
of training agents this lowers the loss more than smaller rates, a penalty on the distance from the
meta-model, or adapting the last layers only.
"""

import copy
from functools import lru_cache
from typing import Final

import numpy as np
import torch
from torch.nn import functional

from hoad.game.log import Transitions
from hoad.learning.compute import one_thread
from hoad.learning.network_inputs import legal_mask, unpack
from hoad.learning.networks import MetaModel
from hoad.learning.recolour import COLOURS, recolouring_tensors
from hoad.learning.transitions import to_device

_BLOCK: Final = 256
"""Observations that are predicted at once, in all colourings: what fits in a processor's cache."""


def adapt_recoloured(
    model: MetaModel, games: Transitions, lr: float, steps: int, seed: int
) -> MetaModel:
    """Return a copy of the model adapted to these games; the model stays as it is.

    Each of the ``steps`` of gradient descent with rate ``lr`` permutes the colours of all
    transitions at random. The loss is the cross-entropy of the softmax over the legal moves.
    """
    adapted = copy.deepcopy(model)
    batch = to_device(games, next(model.parameters()).device)
    legal, draw = legal_mask(batch.legal), np.random.default_rng(seed)
    parameters = list(adapted.parameters())
    with one_thread():
        observations = unpack(batch.observations)
        for _ in range(steps):
            bits, moves, sources = _recolouring(draw.permutation(COLOURS), observations.device)
            logits = adapted(observations[:, bits]).masked_fill(~legal[:, sources], -torch.inf)
            loss = functional.cross_entropy(logits, moves[batch.actions])
            gradients = torch.autograd.grad(loss, parameters)
            with torch.no_grad():  # torch.optim takes seconds to import
                for parameter, gradient in zip(parameters, gradients, strict=True):
                    parameter.sub_(gradient, alpha=lr)
    return adapted


@torch.inference_mode()
def recoloured_probabilities(
    model: MetaModel, observations: np.ndarray, legal: np.ndarray, temperature: float
) -> np.ndarray:
    """Return distributions over the legal moves, float64, shape ``(games, MOVES)``.

    The mean of the softmax over five colourings, raised to the power ``1 / temperature``, which
    makes them less certain above 1. ``observations`` are packed, uint8, shape ``(games, 83)``;
    ``legal`` is bool, shape ``(games, MOVES)``.
    """
    bits, moves, sources = _rotations(next(model.parameters()).device)
    blocks = []
    with one_thread():
        for start in range(0, max(len(observations), 1), _BLOCK):
            block = slice(start, start + _BLOCK)
            seen = unpack(torch.from_numpy(observations[block]).to(bits.device))[:, bits]
            allowed = torch.from_numpy(legal[block]).to(bits.device)[:, sources]
            logits = model(seen.flatten(0, 1)).double().view(allowed.shape)
            probabilities = logits.masked_fill(~allowed, -torch.inf).softmax(2)
            blocks.append(probabilities.gather(2, moves.expand(probabilities.shape)).mean(1))
    powers = torch.cat(blocks).pow(1 / temperature)
    return (powers / powers.sum(1, keepdim=True)).cpu().numpy()


@lru_cache
def _rotations(device: torch.device) -> tuple[torch.Tensor, ...]:
    """Return what `_recolouring` does for the rotations of the colours, a row for each."""
    rotated = [(np.arange(COLOURS) + shift) % COLOURS for shift in range(COLOURS)]
    tables = zip(*(_recolouring(colouring, device) for colouring in rotated), strict=True)
    return tuple(torch.stack(rows) for rows in tables)


def _recolouring(colouring: np.ndarray, device: torch.device) -> tuple[torch.Tensor, ...]:
    """Return the sources of bits, the new ids of moves, and the sources of moves."""
    bits, moves = recolouring_tensors(colouring, device)
    return bits, moves, moves.argsort()
