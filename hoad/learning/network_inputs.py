"""Packed observations and legal moves as the input of networks."""

from functools import lru_cache

import torch
from torch.nn import functional

from hoad.agents.agent import MOVES
from hoad.game.observation import OBSERVATION_BITS


def unpack(packed: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return the bits (0 or 1), shape ``(batch, 658)``, of observations, shape ``(batch, 83)``."""
    return unpack_bits(packed, dtype)[:, :OBSERVATION_BITS]


def unpack_bits(packed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return all bits of bytes, shape ``(batch, 8 * bytes)``, most significant bits first."""
    # Looking up eight bits at a time is twice as quick as shifting (measured on two cores).
    bits = functional.embedding(packed.int(), _table(packed.device, dtype))
    return bits.flatten(1)


def legal_mask(legal: torch.Tensor) -> torch.Tensor:
    """Return bit sets (int64, shape ``(batch,)``) as bools, shape ``(batch, 20)``."""
    return (legal[:, None] >> torch.arange(MOVES, device=legal.device) & 1).bool()


def mask_illegal(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Return the logits (or values) of moves with minus infinity for illegal ones."""
    return logits.masked_fill(~legal_mask(legal), -torch.inf)


@lru_cache
def _table(device: torch.device, dtype: torch.dtype) -> torch.Tensor:
    """The eight bits of each byte, shape ``(256, 8)``."""
    shifts = torch.arange(7, -1, -1)
    return (torch.arange(256)[:, None] >> shifts & 1).to(device, dtype)
