"""Loss and accuracy of networks that predict the moves of agents."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import nn
from torch.nn import functional

from hoad.learning.compute import autocast
from hoad.learning.observations import mask_illegal, unpack
from hoad.learning.recipes import Precision
from hoad.learning.transitions import TransitionTensors

_CHUNK: Final = 8_192


@dataclass(frozen=True)
class Measures:
    """Means over transitions.

    Attributes:
        loss: cross entropy of the moves made, in nats, over all 20 moves.
        accuracy: share of turns in which the most probable of all 20 moves was made.
        masked_accuracy: share of turns in which the most probable legal move was made.
    """

    loss: float
    accuracy: float
    masked_accuracy: float


def cross_entropy(logits: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy of the moves made, in nats; illegal moves are not masked."""
    return functional.cross_entropy(logits.float(), actions)


def accuracy(logits: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    """Return the share of turns in which the most probable of all moves was made."""
    return (logits.argmax(dim=1) == actions).float().mean()


@torch.no_grad()
def measure(network: nn.Module, transitions: TransitionTensors, precision: Precision) -> Measures:
    """Measure the network, in evaluation mode, on these transitions (at least one)."""
    was_training = network.training
    network.eval()
    sums = torch.zeros(3, dtype=torch.float64)
    for batch in transitions.split(_CHUNK):
        with autocast(batch.actions.device, precision):
            logits = network(unpack(batch.observations)).float()
        masked = accuracy(mask_illegal(logits, batch.legal), batch.actions)
        values = (cross_entropy(logits, batch.actions), accuracy(logits, batch.actions), masked)
        sums += torch.stack(values).double().cpu() * len(batch)
    network.train(was_training)
    return Measures(*(sums / len(transitions)).tolist())
