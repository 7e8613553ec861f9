"""Loss and accuracy of networks that predict the moves of agents."""

import math
from dataclasses import dataclass
from typing import Final

import torch
from torch import nn
from torch.nn import functional

from hoad.learning.compute import autocast
from hoad.learning.network_inputs import mask_illegal, unpack
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
        masked_loss: cross entropy over the legal moves, in nats; nan where it was not measured.
    """

    loss: float
    accuracy: float
    masked_accuracy: float
    masked_loss: float = math.nan

    @property
    def ah2ac2_loss(self) -> float:
        """The cross entropy of AH2AC2 (Dizdarević et al. 2025, ``training/bc.py``).

        Its mean is over both players in every turn: the player that is not to move has one legal
        move, the no-op, with a loss of 0. So it is half of ``masked_loss``. AH2AC2's accuracy
        leaves these turns out: it is ``masked_accuracy``.
        """
        return self.masked_loss / 2


def cross_entropy(logits: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy of the moves made, in nats; illegal moves are not masked."""
    return functional.cross_entropy(logits.float(), actions)


def accuracy(logits: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    """Return the share of turns in which the most probable of all moves was made."""
    return (logits.argmax(dim=1) == actions).float().mean()


@torch.no_grad()
def measure(
    network: nn.Module,
    transitions: TransitionTensors,
    precision: Precision,
    confusion: torch.Tensor | None = None,
) -> Measures:
    """Measure the network, in evaluation mode, on these transitions (at least one).

    ``confusion``, int64, shape ``(20, 20)``, counts the turns by the move made (row) and the most
    probable legal move (column), which are added to it.
    """
    was_training = network.training
    network.eval()
    sums = torch.zeros(4, dtype=torch.float64)
    for batch in transitions.split(_CHUNK):
        with autocast(batch.actions.device, precision):
            logits = network(unpack(batch.observations)).float()
        values = [
            measured(each, batch.actions)
            for each in (logits, mask_illegal(logits, batch.legal))
            for measured in (cross_entropy, accuracy)
        ]
        if confusion is not None:
            predicted = mask_illegal(logits, batch.legal).argmax(dim=1)
            pairs = batch.actions * len(confusion) + predicted
            counts = torch.bincount(pairs, minlength=confusion.numel())
            confusion += counts.view_as(confusion).to(confusion.device)
        sums += torch.stack(values).double().cpu() * len(batch)
    network.train(was_training)
    loss, correct, masked_loss, masked_correct = (sums / len(transitions)).tolist()
    return Measures(loss, correct, masked_correct, masked_loss)
