"""Partner models that are made of the agents of a pool, each with some share of random moves."""

from collections.abc import Sequence
from copy import copy
from typing import Final

import numpy as np

from hoad.agents.agent import Agent
from hoad.partners.choices import Choices, Seen
from hoad.partners.model import Ensemble, PartnerModel
from hoad.partners.positions import Asked

NOISES: Final = np.array([0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0])
"""Shares of moves that are any legal move, equally probable before games are seen."""


_NEGLIGIBLE: Final = 1e-9  # agents with less belief count as impossible, and are not asked


class PoolPosterior(PartnerModel):
    """The posterior over the agents of a pool and their noise, by each move that was made.

    Args:
        agents: the pool, at least one; equally probable before games are seen.
    """

    name = "pool"

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = tuple(agents)
        self._evidence = np.zeros((len(agents), len(NOISES)))

    def __deepcopy__(self, memo: object) -> "PoolPosterior":
        """Return a model that learns on its own; agents do not change, and are shared."""
        other = copy(self)
        other._evidence = self._evidence.copy()
        return other

    def learn(self, games: Seen) -> None:
        for index, agent in enumerate(self.agents):
            made = games.choices.made(games.weights_of(agent))
            self._evidence[index] += log_likelihoods(games.choices, made)

    def expected(self, games: Asked) -> np.ndarray:
        belief = self.belief()
        weights: np.ndarray = (belief * NOISES).sum() * games.uniform
        for agent, share in zip(self.agents, (belief * (1 - NOISES)).sum(1), strict=True):
            if share > 0:
                weights += share * games.weights_of(agent)
        return weights

    def ensemble(self) -> Ensemble:
        """Return the hypotheses that the model believes in now, for rollouts."""
        belief = self.belief()
        believed = np.flatnonzero(belief.sum(1) > 0)
        agents = [self.agents[index] for index in believed]
        return Ensemble(agents, belief[believed].sum(1), float((belief * NOISES).sum()))

    def belief(self) -> np.ndarray:
        """Return the probability of each agent with each noise, ``(agents, NOISES)``, sum 1."""
        belief = np.exp(self._evidence - self._evidence.max())
        belief /= belief.sum()
        belief[belief.sum(1) < _NEGLIGIBLE] = 0
        return belief / belief.sum()


class Nearest(PoolPosterior):
    """The agent of a pool that most likely made the moves; ties go to the first."""

    name = "nearest"

    def belief(self) -> np.ndarray:
        """Return the posterior over the noise of that agent; 0 for the others."""
        belief = super().belief()
        nearest = np.zeros_like(belief)
        best = belief.sum(1).argmax()
        nearest[best] = belief[best] / belief[best].sum()
        return nearest


def log_likelihoods(choices: Choices, made: np.ndarray) -> np.ndarray:
    """Return the log-probability of the moves with each noise, shape ``(NOISES,)``.

    ``made`` is the weight that an agent gives to each move that was made, ``(choices,)``.
    """
    any_legal = choices.made(choices.uniform)
    mixed = (1 - NOISES) * made[:, None] + NOISES * any_legal[:, None]
    return np.log(mixed).sum(0)
