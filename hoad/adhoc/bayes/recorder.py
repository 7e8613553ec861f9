"""What a meta-agent believes before each game of its episodes."""

from collections.abc import Sequence

import numpy as np

from hoad.adhoc.player import Beliefs


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
