"""What a meta-agent believes before each game of its episodes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Beliefs:
    """What a meta-agent believed about a partner, before each game of an episode.

    Attributes:
        hypotheses: names.
        means: mean belief over the episodes, float64, shape ``(games, hypotheses)``.
        of_first_episode: belief in the first episode, likewise.
        in_partner: belief in the hypothesis that is the partner, float64, shape ``(episodes,
            games)``; NaN where no hypothesis is the partner.
        found: 1 where the partner is the single most likely hypothesis, else 0; likewise.
        estimates: the partner's features as estimated at the end of the episode, float64, shape
            ``(episodes, 2)``; NaN for beliefs that estimate none.

    Only the first two are known of tables that were played by older versions.
    """

    hypotheses: tuple[str, ...]
    means: np.ndarray
    of_first_episode: np.ndarray | None = None
    in_partner: np.ndarray | None = None
    found: np.ndarray | None = None
    estimates: np.ndarray | None = None


class BeliefRecorder:
    """Records the beliefs of a meta-agent, game by game.

    Args:
        hypotheses: names.
        partner: index of the hypothesis that is the partner; None if there is none.
    """

    def __init__(self, hypotheses: Sequence[str], partner: int | None = None) -> None:
        self._hypotheses = tuple(hypotheses)
        self._partner = partner
        self.begin()

    def begin(self) -> None:
        """Delete what was recorded."""
        self._means: list[np.ndarray] = []
        self._of_first: list[np.ndarray] = []
        self._in_partner: list[np.ndarray] = []
        self._found: list[np.ndarray] = []

    def record(self, beliefs: np.ndarray) -> None:
        """Record the beliefs before a game, shape ``(episodes, hypotheses)``."""
        self._means.append(beliefs.mean(axis=0))
        self._of_first.append(beliefs[0].copy())
        in_partner = found = np.full(len(beliefs), np.nan)
        if self._partner is not None:
            in_partner = beliefs[:, self._partner].copy()
            others = np.delete(beliefs, self._partner, axis=1)
            found = (in_partner > others.max(axis=1, initial=0)).astype(np.float64)
        self._in_partner.append(in_partner)
        self._found.append(found)

    def beliefs(self, estimates: np.ndarray | None = None) -> Beliefs:
        """Return what was recorded, with the estimates that the belief ended with."""
        if estimates is None:
            estimates = np.full((len(self._found[0]), 2), np.nan)
        return Beliefs(
            self._hypotheses,
            np.array(self._means),
            np.array(self._of_first),
            np.transpose(self._in_partner),
            np.transpose(self._found),
            estimates,
        )
