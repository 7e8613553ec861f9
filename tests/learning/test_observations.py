import numpy as np
import torch

from hoad.game.log import Transitions
from hoad.learning.observations import unpack


def test_bits_are_those_of_numpy(transitions: Transitions) -> None:
    packed = transitions.observations
    expected = np.unpackbits(packed, axis=1)[:, :658]
    for dtype in (torch.float32, torch.bfloat16):
        bits = unpack(torch.from_numpy(packed), dtype)
        assert bits.dtype == dtype
        assert np.array_equal(bits.float().numpy(), expected)
