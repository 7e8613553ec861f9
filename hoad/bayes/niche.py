"""Belief from the niche that the partner seems to belong to (Canaan et al. 2020).

The partner's features are estimated from all games with it; the belief is in the hypotheses with
such features in self-play. That agents behave differently with other partners is ignored.
"""

import numpy as np

from hoad.agents.behaviour import COUNTS, OBSERVABLE, OPPORTUNITIES, count_behaviour, features_of
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.pool import Pool
from hoad.core.errors import HoadError
from hoad.evolution.map_elites import niches_of
from hoad.game.log import GameLogs


class NicheBelief(PartnerBelief):
    """Certain of the hypotheses of the niche that the partner's behaviour falls into.

    The belief is uniform where that niche is empty, and until the partner has had more turns with a
    hint token than the threshold. A feature that is not defined yet counts as 0, as in the
    published program. The pool holds the hypotheses.

    Raises:
        HoadError: a hypothesis has no niche, or one by features that a partner does not see.
    """

    def __init__(self, pool: Pool, threshold: int = 0) -> None:
        if pool.grid is None or pool.features is None or None in pool.niches:
            raise HoadError("niche: agents outside of a population have no niche; leave them out")
        if pool.features != OBSERVABLE:
            raise HoadError(
                f"niche: the population's features are {' and '.join(pool.features)}; partners "
                f"are known by {' and '.join(OBSERVABLE)}: leave niche out"
            )
        self.hypotheses = len(pool.niches)
        self._grid = pool.grid
        self._niches = np.array(pool.niches, dtype=np.int64) @ (pool.grid[1], 1)
        self._threshold = threshold
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self._counts = np.zeros((episodes, COUNTS), np.int64)

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        self._counts += count_behaviour(logs)[:, 1 - seat]

    @property
    def estimates(self) -> np.ndarray:
        """The partner's features as they seem, float64, shape ``(episodes, 2)``."""
        return np.nan_to_num(features_of(self._counts))

    @property
    def probabilities(self) -> np.ndarray:
        seen = niches_of(self.estimates, self._grid)
        fits = seen[:, None] == self._niches
        confident = self._counts[:, OPPORTUNITIES] > self._threshold
        fits[~confident | ~fits.any(1)] = True
        return fits / fits.sum(1, keepdims=True)
