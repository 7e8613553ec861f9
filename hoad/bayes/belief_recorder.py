"""What a meta-agent believes before each game of its episodes."""

from collections.abc import Sequence

import numpy as np

from hoad.adhoc_player import Beliefs


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
