"""Beliefs about the partner, one for each episode: distributions over hypotheses.

Evidence is its behaviour, by features (:mod:`.features`) or histograms (:mod:`.histograms`), its
niche (:mod:`.niche`) or its moves (:mod:`.moves`).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from hoad.adhoc_player import Beliefs
from hoad.game.log import GameLogs


class PartnerBelief(ABC):
    """Beliefs over hypotheses in some episodes.

    Attributes:
        size: how many hypotheses there are.
        learns: whether games change the belief.
    """

    size: int
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
        self.size = len(distribution)
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

    def __init__(self, size: int) -> None:
        super().__init__(np.full(size, 1 / size))


def normalised(log_weights: np.ndarray) -> np.ndarray:
    """Return the distributions, in rows, that are proportional to weights of these logarithms."""
    weights = np.exp(log_weights - log_weights.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def log_normalised(log_weights: np.ndarray) -> np.ndarray:
    """Return the logarithms of what `normalised` returns; one weight of each row is finite."""
    below_highest = log_weights - log_weights.max(1, keepdims=True)
    return below_highest - np.log(np.exp(below_highest).sum(1, keepdims=True))


class BeliefRecorder:
    """Records the beliefs of a meta-agent, game by game.

    ``partner`` is the index of the hypothesis that is the partner; None if there is none.
    """

    def __init__(self, hypotheses: Sequence[str], partner: int | None = None) -> None:
        self._hypotheses = tuple(hypotheses)
        self._partner = partner
        self.begin()

    def begin(self) -> None:
        """Delete what was recorded."""
        self._recorded: list[np.ndarray] = []

    def record(self, beliefs: np.ndarray) -> None:
        """Record the beliefs before a game, shape ``(episodes, hypotheses)``."""
        self._recorded.append(beliefs.copy())

    def beliefs(self, estimates: np.ndarray | None = None) -> Beliefs:
        """Return what was recorded, with the estimates that the belief ended with."""
        beliefs = np.array(self._recorded)  # shape (games, episodes, hypotheses)
        games, episodes, _ = beliefs.shape
        first = beliefs[:, 0].copy()  # copies: thousands of cells of a table keep them
        in_partner = is_likeliest = np.full((episodes, games), np.nan)
        if self._partner is not None:
            in_partner = beliefs[..., self._partner].T.copy()
            others = np.delete(beliefs, self._partner, axis=2).max(axis=2, initial=0).T
            is_likeliest = (in_partner > others).astype(np.float64)
        if estimates is None:
            estimates = np.full((episodes, 2), np.nan)
        means = np.array([before.mean(axis=0) for before in beliefs])
        return Beliefs(self._hypotheses, means, first, in_partner, is_likeliest, estimates)
