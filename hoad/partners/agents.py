"""Agents, and a player, that move as models of a partner predict."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hoad.adhoc_player import Support, TrialPlayer
from hoad.agents.agent import MOVES, Agent, Batch
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen
from hoad.partners.model import Ensemble, PartnerModel
from hoad.partners.positions import Positions, weights_at

SHARPNESS: Final = 2.0
"""Power of the probabilities of a predicted partner.

With 1, games with it promise too little: the partner seems to make blunders that are merely not
ruled out. With the most probable move alone, they promise too much.
"""


class ModelAgent(Agent):
    """Makes the move that a partner model, which may learn on, finds likeliest (ties: the first).

    The model knows the agents that it ``plays_as``, by name.
    """

    def __init__(self, name: str, model: PartnerModel, plays_as: Sequence[str] = ()) -> None:
        self.name, self.plays_as = name, tuple(plays_as)
        self._model = model

    def weights(self, batch: Batch) -> np.ndarray:
        """Give all weight to the most probable move (see :meth:`Agent.weights`)."""
        return np.eye(MOVES)[self.expected(batch).argmax(axis=1)]

    def expected(self, batch: Batch) -> np.ndarray:
        """Return what the model expects, float64, shape ``(games, MOVES)``."""
        return self._model.expected(Positions(batch.states, batch.seat))


class PredictedPartner(Agent):
    """A partner that moves as the hypotheses of an ensemble, at most 255 of them.

    One hypothesis holds in a whole game. It is drawn at the deal, with the other player's hand as
    seed, so that all players meet the same one on the same deck. Most partners are surer of their
    moves than those who predict them, so its probabilities are sharpened.
    """

    memory_size = 1

    def __init__(self, name: str, ensemble: Ensemble) -> None:
        self.name = name
        self.plays_as = tuple(agent.name for agent in ensemble.agents)
        self.fair = all(agent.fair for agent in ensemble.agents)
        self._ensemble = ensemble

    def weights(self, batch: Batch) -> np.ndarray:
        """Return powers (``SHARPNESS``) of what the hypotheses do (see :meth:`Agent.weights`)."""
        self._draw(batch.states, batch.seat, batch.memory)
        weights, held = np.zeros((len(batch.states), MOVES)), batch.memory[:, 0]
        for index in np.unique(held):
            rows, agent = np.flatnonzero(held == index), self._ensemble.agents[index - 1]
            weights[rows] = weights_at(agent, batch.states[rows], batch.seat)
        sharp = weights**SHARPNESS
        return sharp / sharp.sum(1, keepdims=True)

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        """Remember the hypothesis from the first move on (see :meth:`Agent.observe`)."""
        self._draw(states, seat, memory)

    def _draw(self, states: np.ndarray, seat: int, memory: np.ndarray) -> None:
        """Draw the hypotheses of games that have none; the memory holds their indices, from 1."""
        agents, probabilities = self._ensemble.agents, self._ensemble.probabilities
        for game in np.flatnonzero(memory[:, 0] == 0):
            draw = np.random.default_rng(states[game]["hands"][1 - seat].tolist())
            memory[game, 0] = 1 + draw.choice(len(agents), p=probabilities)


class ModelPlayer(TrialPlayer):
    """Plays as a partner model that learns from the support; ``make`` returns a new model."""

    def __init__(self, name: str, support: Support, make: Callable[[], PartnerModel]) -> None:
        super().__init__(name, support)
        self._make = make

    def learn(self, logs: GameLogs, seats: np.ndarray, seed: int, trial: int) -> Agent:
        model = self._make()
        model.learn(Seen(logs, seats))
        return ModelAgent(self.name, model)
