"""The mixture of partner models, weighted by how well each predicts games that it has not learned.

It is a linear mixture (:mod:`.linear`) with one more component, a regression (:mod:`.regression`)
that weighs the models' log-probabilities together with what single rules and agents of the pool
would do, and the traits of each move (:mod:`.move_traits`). It finds, say, that the partner hints
as the network expects and discards as a rule does, which no single model says. A model that is
right alone is followed alone.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hoad.agents.agent import Agent
from hoad.game.log import GameLogs
from hoad.partners.choices import Seen, join_seen
from hoad.partners.mixture.inputs import regression_inputs
from hoad.partners.mixture.learner import Prior, Regression
from hoad.partners.mixture.linear import LinearMixture, shares_of
from hoad.partners.mixture.regression import Inputs
from hoad.partners.model import PartnerModel
from hoad.partners.positions import Asked

PRIOR: Final = 0.1
"""Decisions that speak for each component before games are seen.

A partner that loses its lives early makes 100 decisions in ten games, so that the prior counts. The
loss after ten games, nats a move, of 20 random lists that are in no study and of the four programs
`wtfwt`, `fireflower`, `smartbot` and `infobot`, with none of these in the pool:

======================  =====  =====  =====  ==========
prior                   1      0.1    0.02   best model
======================  =====  =====  =====  ==========
lists, self-play        .380   .364   .362   .361
lists, with iggi        .404   .389   .388   .386
programs, self-play     1.325  1.320  1.319  1.765
programs, with iggi     1.689  1.693  1.694  1.999
======================  =====  =====  =====  ==========
"""

REGRESSION_COUNTS: Final = 3.0
"""Decisions that speak for a regression with a learned prior before games are seen."""


class Mixture(LinearMixture):
    """Mixes partner models, the uniform distribution and a regression on them.

    Args:
        models: functions that return a new model each, at least one.
        agents: agents that are inputs of the regression besides all rules of the catalogue.
        prior: decisions that speak for each model before games are seen; None for as few as speak
            for the other components.
        of_weights: the prior of the regression's weights of rules and traits. With it the
            regression is followed before games are seen.

    Attributes:
        agents: these agents.
        all_shares: of the models, the uniform distribution and the regression, float64, sum 1.
            ``shares`` and ``ensemble`` are those of the linear mixture: the regression has no
            hypotheses that could be rolled out.
        unseen: the games learned, in the order in which their moves were predicted before they
            were learned; None before the first.
    """

    name = "mixture"

    def __init__(
        self,
        models: Sequence[Callable[[], PartnerModel]],
        agents: Sequence[Agent] = (),
        prior: Sequence[float | None] = (),
        of_weights: Prior | None = None,
    ) -> None:
        super().__init__(models)
        self.agents = tuple(agents)
        self.unseen: Seen | None = None
        self._regression = Regression(of_weights)
        counts = [*prior, *[None] * (len(models) + 1 - len(prior))]
        counts.append(PRIOR if of_weights is None else REGRESSION_COUNTS)
        self._prior = np.array([PRIOR if count is None else count for count in counts])
        self.all_shares = self._prior / self._prior.sum()

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        super().learn(logs, seats)
        if len(self._regression.left_out):
            components = [self._expected, self._regression.left_out]
            self.all_shares = shares_of(np.column_stack(components), self._prior)

    def expected(self, games: Asked) -> np.ndarray:
        return self.mix([model.expected(games) for model in self.models], games)

    def mix(self, expected: Sequence[np.ndarray], games: Asked) -> np.ndarray:
        """Return what the mixture expects, given what each of its models does."""
        components = [*expected, games.uniform]
        if self._regression.knows_something:
            components.append(self._regression.expected(self._inputs_of(expected, games)))
        shares = self.all_shares[: len(components)] / self.all_shares[: len(components)].sum()
        return np.einsum("c,cdm->dm", shares, np.array(components))

    def made_unseen(self, model: int) -> np.ndarray:
        """Return what one of the models gave to each move of :attr:`unseen`, float64."""
        return self._expected[:, model]

    def _keep(self, unseen: Seen, expected: Sequence[np.ndarray]) -> None:
        """Let the regression learn from moves that the models have not learned."""
        super()._keep(unseen, expected)
        self.unseen = join_seen([self.unseen, unseen]) if self.unseen else unseen
        self._regression.learn(self._inputs_of(expected, unseen), unseen.choices)

    def _inputs_of(self, expected: Sequence[np.ndarray], games: Asked) -> Inputs:
        return regression_inputs(games, self.agents, expected)
