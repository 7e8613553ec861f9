"""Seeds of games beside those of a run, so that nothing is learned from the games of the test."""

from typing import Final

import numpy as np

from hoad.game.stream import start_stream

SUPPORT: Final = 253
MATCH_UPS: Final = 252
ORACLE: Final = 251
"""What the games are for: each purpose has a random stream of its own, as seats have."""


def other_seed(seed: int, purpose: int, number: int = 0) -> int:
    """Return a seed that differs by run, purpose and number (0 to 2**63 - 1)."""
    return int(start_stream(seed, number, purpose) >> np.uint64(1))
