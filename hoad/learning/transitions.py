"""Transitions in batches, and as tensors on the device of the training."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from hoad.game.log import Transitions, join_transitions


@dataclass(frozen=True)
class TransitionTensors:
    """Transitions of games of two players."""

    observations: torch.Tensor  # packed, uint8, shape (transitions, 83)
    legal: torch.Tensor  # legal moves as bit sets, int64, shape (transitions,)
    actions: torch.Tensor  # the moves made, int64, shape (transitions,)

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


class MoveSampler:
    """An endless iterator over batches of one player's moves and added ones, with replacement.

    A batch is a function of its number and ``seed``. ``own_moves`` of it are the player's.
    """

    def __init__(
        self, own: Transitions, added: Transitions, batch_size: int, own_moves: int, seed: int
    ) -> None:
        self._parts, self._counts = (own, added), (own_moves, batch_size - own_moves)
        self._seed, self._number = seed, 0

    def __next__(self) -> Transitions:
        """Return the next batch."""
        draw = np.random.default_rng((self._seed, self._number))
        self._number += 1
        pieces = [
            part.select(draw.integers(len(part.actions), size=count))
            for part, count in zip(self._parts, self._counts, strict=True)
            if count
        ]
        return join_transitions(pieces)

    def state_dict(self) -> dict[str, int]:
        """Return the position in the stream."""
        return {"number": self._number}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Continue at a position of a sampler of the same moves and settings."""
        self._number = state["number"]
