"""What a learner sees: an array, or a mapping with the array and the action mask."""

from collections.abc import Sequence

import numpy as np
from gymnasium.spaces import Box, Dict, Space

from hoad.core.errors import HoadError
from hoad.game.moves import MOVES
from hoad.game.observation import OBSERVATION_BITS

Observation = np.ndarray | dict[str, np.ndarray]


def space_of(keys: Sequence[str] | None) -> Space:
    """Return the space of a game's observations; a HoadError unless there are two keys, or None."""
    if keys is None:
        return Box(0, 1, (OBSERVATION_BITS,), np.uint8)
    if isinstance(keys, str) or len(set(keys)) != 2 or len(keys) != 2:
        raise HoadError(f"environment: keys={keys!r}: expected two names, or None")
    bits = Box(0, 1, (OBSERVATION_BITS,), np.float32)
    return Dict({keys[0]: bits, keys[1]: Box(0, 1, (MOVES,), np.int8)})


def observed(bits: np.ndarray, mask: np.ndarray, keys: Sequence[str] | None) -> Observation:
    """Return the bits; with keys a mapping with the bits as float32, and a copy of the mask."""
    return bits if keys is None else {keys[0]: bits.astype(np.float32), keys[1]: mask.copy()}
