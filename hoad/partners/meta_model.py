"""Partner models that are a meta-model: as it is, or adapted to the partner's games."""

from typing import Final

import numpy as np

from hoad.game.log import Transitions
from hoad.game.moves import legal_bits
from hoad.learning.maml.all_colours import adapt_recoloured, recoloured_probabilities
from hoad.learning.networks import MetaModel
from hoad.learning.policies import inner_rate, load_meta_model
from hoad.partners.choices import Choices, Seen, join_choices
from hoad.partners.model import PartnerModel
from hoad.partners.positions import Asked

STEPS: Final = 30
"""Inner steps of low-shot, at the rate of meta-training.

Chosen among 10, 30, 60 and 100, with the rate of meta-training and twice that, with and without
permuted colours, and Adam with two rates, a penalty on the distance from the start or the last four
blocks alone, by the mean loss on simplebot, holmesbot, outer, piers and rainbow. The loss on each
agent K is that of ``maml:K`` after ten games of K, so no model ever saw what it predicts. For each
of these agents, the others choose the same.
"""

_GROWN: Final = 1.5
"""The meta-model is adapted again once it has so many times as many decisions: it takes long."""

TEMPERATURES: Final = {
    "zero-shot": {"outer": 1.35, "rainbow": 1.2, "": 1.5},
    "low-shot": {"simplebot": 1.1, "iggi": 1.1, "piers": 1.1, "": 1.0},
}
"""The temperature by the name of the meta-model in its metadata; "" stands for all others.

For ``maml:H``, the seven agents of its meta-training choose, each predicted by its own ``maml:K``.
"""


class ZeroShot(PartnerModel):
    """The softmax of the meta-model ``maml:HELD_OUT``, whatever the partner did.

    Without a ``temperature``, it is that of ``TEMPERATURES``.

    Attributes:
        start: the meta-model.
        temperature: of the softmax.
    """

    name = "zero-shot"

    def __init__(self, held_out: str, temperature: float | None = None) -> None:
        self.start, self._metadata = load_meta_model(held_out)
        temperatures = TEMPERATURES[self.name]
        name = self._metadata["name"]  # of the network, which a file has too
        self.temperature = temperature or temperatures.get(name, temperatures[""])

    def learn(self, games: Seen) -> None:
        """Learn nothing (see :meth:`PartnerModel.learn`)."""

    def expected(self, games: Asked) -> np.ndarray:
        if not len(games.legal):
            return games.uniform
        return recoloured_probabilities(
            self.network(), games.observations, games.legal, self.temperature
        )

    def network(self) -> MetaModel:
        """Return the network that predicts."""
        return self.start


class LowShot(ZeroShot):
    """The meta-model adapted to the games learned, in all colours (see `adapt_recoloured`).

    Single games after the first ones count once they are half as many.
    """

    name = "low-shot"

    def __init__(self, held_out: str, temperature: float | None = None) -> None:
        super().__init__(held_out, temperature)
        self._choices: Choices | None = None
        self._adapted: MetaModel | None = None
        self._adapted_to = 0  # decisions

    def learn(self, games: Seen) -> None:
        further = games.choices
        self._choices = join_choices([self._choices, further]) if self._choices else further
        if len(self._choices) >= _GROWN * self._adapted_to:
            self._adapted = None

    def network(self) -> MetaModel:
        """Return the adapted network; it adapts when it is first asked after a game."""
        if self._adapted is None:
            self._adapted = self._adapt()
        return self._adapted

    def _adapt(self) -> MetaModel:
        choices = self._choices
        if not choices:
            return self.start
        self._adapted_to = len(choices)
        legal = legal_bits(choices.legal)
        games = Transitions(choices.observations, legal, choices.actions, choices.games)
        rate = inner_rate(self._metadata)
        adapted = adapt_recoloured(self.start, games, rate, STEPS, seed=0)
        predicted = recoloured_probabilities(adapted, choices.observations, choices.legal, 1.0)
        # A few moves at random can make the inner steps diverge: then nothing was learned.
        return adapted if np.isfinite(predicted).all() else self.start
