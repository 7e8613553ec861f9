"""A player that moves as a model of its partner predicts."""

from collections.abc import Callable

import numpy as np

from hoad.adhoc_player import Support, TrialPlayer
from hoad.agents.agent import Agent
from hoad.game.log import GameLogs
from hoad.partners.agents import ModelAgent
from hoad.partners.model import PartnerModel


class ModelPlayer(TrialPlayer):
    """Plays as a partner model that learns from the support; ``make`` returns a new model."""

    def __init__(self, name: str, support: Support, make: Callable[[], PartnerModel]) -> None:
        super().__init__(name, support)
        self._make = make

    def learn(self, logs: GameLogs, seats: np.ndarray, seed: int, trial: int) -> Agent:
        model = self._make()
        model.learn(logs, seats)
        return ModelAgent(self.name, model)
