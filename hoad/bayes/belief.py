"""Beliefs about the partner: distributions over hypotheses, one for each episode.

Evidence is its behaviour (:mod:`.features`), its niche (:mod:`.niche`) or its moves
(:mod:`.moves`).
"""

from abc import ABC, abstractmethod

import numpy as np

from hoad.game.log import GameLogs


class PartnerBelief(ABC):
    """Beliefs over hypotheses in some episodes.

    Attributes:
        hypotheses: how many hypotheses there are.
        learns: whether games change the belief.
    """

    hypotheses: int
    learns: bool = True

    @property
    def estimates(self) -> np.ndarray | None:
        """The partner's features, float64, shape ``(episodes, 2)``, if the belief estimates any."""
        return None

    @abstractmethod
    def begin(self, episodes: int) -> None:
        """Forget everything: uniform beliefs in all episodes (eq. 3)."""

    @abstractmethod
    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        """Take a game of each episode into account, in the order of episodes.

        The meta-agent sat in ``seat`` and played as these responses, int64, shape ``(episodes,)``.
        """

    @property
    @abstractmethod
    def probabilities(self) -> np.ndarray:
        """The beliefs, float64, shape ``(episodes, hypotheses)``; rows sum to 1."""


class FixedBelief(PartnerBelief):
    """Never changes from a distribution over hypotheses; a certain one makes an oracle."""

    learns = False

    def __init__(self, distribution: np.ndarray) -> None:
        self.hypotheses = len(distribution)
        self._distribution = distribution
        self._episodes = 0

    def begin(self, episodes: int) -> None:
        self._episodes = episodes

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        """Learn nothing."""

    @property
    def probabilities(self) -> np.ndarray:
        return np.tile(self._distribution, (self._episodes, 1))


class UniformBelief(FixedBelief):
    """Stays uniform: with it, the expected best response is the generalist."""

    def __init__(self, hypotheses: int) -> None:
        super().__init__(np.full(hypotheses, 1 / hypotheses))
