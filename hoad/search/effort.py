"""How much a search computes for a decision: rollouts, particles and steps of its belief."""

from dataclasses import dataclass
from typing import Final

from hoad.core.errors import HoadError


@dataclass(frozen=True)
class Effort:
    """How much a search computes, and what for.

    Attributes:
        rollouts: most rollouts for a decision, over all moves; there is at least one round.
        round: rollouts after which the worse moves drop out.
        drop: a move drops out if it is worse than the best by this many standard errors. The
            error is that of the mean so far against the mean after all rollouts.
        particles: particles of the belief.
        draws: hands drawn at first for each particle, from all of which they are resampled.
        steps: Metropolis moves of each particle before it is used again; twice as many at first.
        strict: whether strict scores count, not lenient ones.

    Raises:
        HoadError: there are no rollouts or no particles.
    """

    rollouts: int = 8_000
    round: int = 640
    drop: float = 2.0
    particles: int = 320
    draws: int = 4
    steps: int = 8
    strict: bool = True

    def __post_init__(self) -> None:
        for name in ("rollouts", "round", "particles", "draws"):
            if getattr(self, name) < 1:
                raise HoadError(f"a search with {name} = {getattr(self, name)}: at least 1")


LEARNED_EFFORT: Final = Effort(rollouts=800, round=160, particles=80)
"""What a decision of a player with learned models computes."""

LOGIT_EFFORT: Final = Effort(rollouts=240, round=80, particles=48, steps=4)
"""The same where the partner is mostly a conditional logit, which takes longer to ask."""

ORACLE_EFFORT: Final = Effort(rollouts=3_000, round=400, particles=200)
"""What a decision of search-oracle computes."""

NETWORK_EFFORT: Final = Effort(rollouts=240, round=120, particles=40, draws=8, steps=2)
"""The same with a partner that is a network, which takes long to ask."""
