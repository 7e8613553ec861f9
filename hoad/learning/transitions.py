"""Transitions as tensors on the device of the training."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from hoad.game.log import Transitions


@dataclass(frozen=True)
class TransitionTensors:
    """Transitions of games of two players.

    Attributes:
        observations: packed, uint8, shape ``(transitions, 83)``.
        legal: legal moves as bit sets, int64, shape ``(transitions,)``.
        actions: the moves made, int64, shape ``(transitions,)``.
    """

    observations: torch.Tensor
    legal: torch.Tensor
    actions: torch.Tensor

    def __len__(self) -> int:
        """Return the number of transitions."""
        return len(self.actions)

    def rows(self, rows: slice | torch.Tensor) -> "TransitionTensors":
        """Return some of the transitions."""
        return TransitionTensors(self.observations[rows], self.legal[rows], self.actions[rows])

    def split(self, size: int) -> Iterator["TransitionTensors"]:
        """Yield the transitions in order, ``size`` at a time; the last batch may be smaller."""
        for start in range(0, len(self), size):
            yield self.rows(slice(start, start + size))


def to_device(transitions: Transitions, device: torch.device) -> TransitionTensors:
    """Return the transitions as tensors; observations stay packed."""
    return TransitionTensors(
        torch.from_numpy(transitions.observations).to(device),
        torch.from_numpy(transitions.legal).to(device),
        torch.from_numpy(transitions.actions.astype(np.int64)).to(device),
    )


def join_tensors(parts: Sequence[TransitionTensors]) -> TransitionTensors:
    """Return the transitions of all ``parts`` in order."""
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return TransitionTensors(*map(torch.cat, columns))
