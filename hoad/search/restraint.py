"""How far search is held to moves that a model of the partner would make in the player's place.

A model predicts what follows moves that the partner itself makes. What follows other moves it has
never seen, and search looks for the moves of which it is most wrongly sure. So moves that the model
hardly considers are not tried (a support constraint, as in batch-constrained Q-learning, Fujimoto
et al. 2019), and less probable ones have to gain more (piKL, Jacob et al. 2022).
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Restraint:
    """How far a search is held to the moves of its blueprint, which predicts probabilities.

    Attributes:
        least: moves are tried that have at least this share of the largest probability.
        pull: points that a move has to gain if it is e times less probable than another one (the
            weight lambda of piKL).
    """

    least: float
    pull: float = 0.0

    def handicaps(self, expected: np.ndarray) -> np.ndarray:
        """Return the points, 0 or less, that count for each move; minus infinity: it is not tried.

        Float64, shape ``(MOVES,)``, as are the probabilities that are ``expected``.
        """
        found, highest = np.full(len(expected), -np.inf), expected.max()
        tried = (expected > 0) & (expected >= self.least * highest)
        found[tried] = self.pull * np.log(expected[tried] / highest)
        return found
