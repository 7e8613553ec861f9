"""The model that knows nothing: all legal moves are alike."""

import numpy as np

from hoad.agents.rules.rule_list import rule_list_agent
from hoad.game.log import GameLogs
from hoad.partners.model import Ensemble, PartnerModel
from hoad.partners.positions import Asked


class Uniform(PartnerModel):
    """Expects every legal move with the same probability, whatever the partner did."""

    name = "uniform"

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        """Learn nothing (see :meth:`PartnerModel.learn`)."""

    def expected(self, games: Asked) -> np.ndarray:
        return games.uniform

    def ensemble(self) -> Ensemble:
        return Ensemble([rule_list_agent("uniform", [])], np.ones(1), 0.0)
