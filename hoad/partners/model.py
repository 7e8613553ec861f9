"""The interface of partner models, and the model that knows nothing.

A partner model is a distribution over the moves of a partner, given what the partner sees, that is
learned from games. The hypotheses of pool, program and logit are agents, which can play on from any
state: these models return them as an ensemble.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.agents.agent import Agent
from hoad.partners.choices import Seen
from hoad.partners.positions import Asked
from hoad.partners.resampling import systematic

HYPOTHESES: Final = 24
"""Hypotheses of a model that play on in rollouts, or are asked for a move; more take more time."""


@dataclass(frozen=True)
class Ensemble:
    """What the partner may be: agents, and how probable each of them is.

    Attributes:
        agents: the hypotheses. Compiled agents are rolled out in compiled code.
        probabilities: of the hypotheses, float64, shape ``(agents,)``, sum 1.
        noise: share of the partner's moves that are drawn from all legal moves instead, 0 to 1.
    """

    agents: Sequence[Agent]
    probabilities: np.ndarray
    noise: float

    @classmethod
    def of(cls, agent: Agent, noise: float = 0.0) -> "Ensemble":
        """Return the ensemble of one agent."""
        return cls([agent], np.ones(1), noise)

    def thinned(self, count: int) -> "Ensemble":
        """Return ``count`` of the hypotheses, as evenly as possible.

        Those that are drawn more than once are more probable.
        """
        drawn, times = np.unique(systematic(self.probabilities, count), return_counts=True)
        return Ensemble([self.agents[index] for index in drawn], times / count, self.noise)


class PartnerModel(ABC):
    """A distribution over a partner's moves.

    Attributes:
        name: in tables and in the JSON of ``evaluate.py predict``.
    """

    name: str

    @abstractmethod
    def learn(self, games: Seen) -> None:
        """Learn from further games; those learned before count as well."""

    @abstractmethod
    def expected(self, games: Asked) -> np.ndarray:
        """Return the model's distribution at every decision of the partner in unseen games.

        Nothing is learned from these games. Float64, shape ``(decisions, moves)``; rows sum to 1
        over the legal moves.
        """


class Uniform(PartnerModel):
    """Expects every legal move with the same probability, whatever the partner did."""

    name = "uniform"

    def learn(self, games: Seen) -> None:
        """Learn nothing (see :meth:`PartnerModel.learn`)."""

    def expected(self, games: Asked) -> np.ndarray:
        return games.uniform
