"""Seeds of an evaluation's games, so that nothing is learned from the games of the test.

Recordings and evolution play the games of their seed itself. A table of the same seed plays on
other decks, because its games have seeds of their own.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hoad.game.stream import Purpose

POOL_SEED: Final = 1_000_000_000
"""Default seed of the matchups of a pool: none of the decks of seeds 0, 1, 2 …

So the generalist of a pool, which may play anywhere, is not tested on the decks it was chosen on.
"""

TEST_SEED: Final = 2_000_000_000
"""Default seed of cross-play and behaviour: no decks of recordings either."""


def other_seed(seed: int, purpose: "Purpose", number: int = 0) -> int:
    """Return a seed that differs by run, purpose and number (0 to 2**63 - 1)."""
    from hoad.game.stream import start_stream  # compiled, and command lines read this module

    return int(start_stream(seed, number, int(purpose))) >> 1
