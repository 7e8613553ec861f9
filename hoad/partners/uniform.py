"""The model that knows nothing: all legal moves are alike."""

import numpy as np

from hoad.agents.rules.rule_list import rule_list_agent
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen
from hoad.partners.model import Ensemble, PartnerModel


class Uniform(PartnerModel):
    """Expects every legal move with the same probability, whatever the partner did."""

    name = "uniform"

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        """Learn nothing (see :meth:`PartnerModel.learn`)."""

    def expected(self, games: Seen) -> np.ndarray:
        return games.choices.uniform

    def ensemble(self) -> Ensemble:
        return Ensemble([rule_list_agent("uniform", [])], np.ones(1), 0.0)
