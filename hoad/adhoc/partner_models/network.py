"""Partner models that are a meta-model: as it is, or adapted to the partner's games."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from hoad.adhoc.partner_models.choices import Seen, choices_of
from hoad.adhoc.partner_models.model import Ensemble, PartnerModel
from hoad.agents.agent import MOVES, Agent, Batch
from hoad.agents.follow import Decisions
from hoad.game.log import GameLogs, Transitions
from hoad.learning.maml.recoloured import adapt_recoloured, recoloured_probabilities
from hoad.learning.networks import MetaModel
from hoad.learning.policies import encode_views, load_meta_model

STEPS: Final = 30
"""Inner steps of low-shot, at the rate of meta-training."""

TEMPERATURES: Final = {"zero-shot": 1.5, "low-shot": 1.2}


class ZeroShot(PartnerModel):
    """The softmax of the meta-model ``maml:HELD_OUT``, whatever the partner did."""

    name = "zero-shot"

    def __init__(self, held_out: str) -> None:
        self._model, self._metadata = load_meta_model(held_out)

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        """Learn nothing (see :meth:`PartnerModel.learn`)."""

    def predict(self, logs: GameLogs, seats: np.ndarray) -> Iterator[Decisions]:
        choices, temperature = choices_of(logs, seats), TEMPERATURES[self.name]
        if len(choices):
            given = choices.observations, choices.legal, temperature
            yield choices.decisions(recoloured_probabilities(self.network(), *given))

    def ensemble(self) -> Ensemble:
        agent = _SoftmaxAgent(self.name, self.network())
        return Ensemble([agent], np.ones(1), 0.0)

    def network(self) -> MetaModel:
        """Return the network that predicts."""
        return self._model


class LowShot(ZeroShot):
    """The meta-model adapted to all games learned, in all colours (see `adapt_recoloured`)."""

    name = "low-shot"

    def __init__(self, held_out: str, seed: int = 0) -> None:
        super().__init__(held_out)
        self._seed = seed
        self._seen: Seen | None = None
        self._adapted: MetaModel | None = None

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        seen = Seen(logs, seats)
        self._seen = self._seen.and_further(logs, seats) if self._seen else seen
        self._adapted = None

    def network(self) -> MetaModel:
        """Return the adapted network; it adapts when it is first asked after a game."""
        if self._adapted is None:
            self._adapted = self._adapt()
        return self._adapted

    def _adapt(self) -> MetaModel:
        if self._seen is None:
            return self._model
        choices = choices_of(self._seen.logs, self._seen.seats)
        if not len(choices):
            return self._model
        legal = choices.legal @ (1 << np.arange(MOVES))
        games = Transitions(choices.observations, legal, choices.actions, choices.games)
        rate = self._metadata["facts"]["inner_rate"]
        return adapt_recoloured(self._model, games, rate, STEPS, self._seed)


class _SoftmaxAgent(Agent):
    """Plays what the model of this name predicts."""

    def __init__(self, name: str, network: MetaModel) -> None:
        self.name, self._network = name, network

    def weights(self, batch: Batch) -> np.ndarray:
        """Return the predicted distribution (see :meth:`Agent.weights`)."""
        observations, legal = encode_views(batch.states, batch.seat)
        allowed = (legal[:, None] >> np.arange(MOVES) & 1).astype(np.bool_)
        temperature = TEMPERATURES[self.name]
        return recoloured_probabilities(self._network, observations, allowed, temperature)
