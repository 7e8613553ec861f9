"""A player that plays as its model of the partner: what the partner would do in its place."""

from collections.abc import Callable
from typing import Final

import numpy as np

from hoad.adhoc.partner_models.model import Ensemble, PartnerModel
from hoad.adhoc.player import Support, TrialPlayer
from hoad.agents.agent import MOVES, Agent, Batch
from hoad.agents.follow import memory_at
from hoad.game.log import GameLogs

HYPOTHESES: Final = 24
"""Hypotheses of the model that are asked at each move."""


class ModelAgent(Agent):
    """Makes the move that is the most probable one of an ensemble; ties go to the first."""

    def __init__(self, name: str, ensemble: Ensemble) -> None:
        self.name = name
        self.plays_as = tuple(agent.name for agent in ensemble.agents)
        self.fair = all(agent.fair for agent in ensemble.agents)
        self._ensemble = ensemble

    def weights(self, batch: Batch) -> np.ndarray:
        """Give all weight to the most probable move (see :meth:`Agent.weights`)."""
        mixed, found = np.zeros((2, len(batch.states), MOVES))
        asked = zip(self._ensemble.agents, self._ensemble.probabilities, strict=True)
        for agent, probability in asked:
            one = agent.in_seat(batch.seat)
            memory = memory_at(one, batch.states, batch.seat)
            given = Batch(batch.states, batch.seat, memory, batch.streams)
            mixed += probability * one.weights(given)
        found[np.arange(len(mixed)), mixed.argmax(1)] = 1.0
        return found


class ModelPlayer(TrialPlayer):
    """Plays as a partner model that learns from the support; ``make`` returns a new model."""

    def __init__(self, name: str, support: Support, make: Callable[[], PartnerModel]) -> None:
        super().__init__(name, support)
        self._make = make

    def learn(self, logs: GameLogs, seed: int, trial: int) -> Agent:
        model = self._make()
        model.learn(logs, np.ones((len(logs), 2), np.bool_))
        return ModelAgent(self.name, model.ensemble().thinned(HYPOTHESES))
