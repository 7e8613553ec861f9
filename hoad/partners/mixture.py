"""The mixture of partner models, weighted by how well each predicts games that it has not learned.

No model is evaluated on what it learned (:mod:`.shares`); each game after the first ones is
predicted before it is learned. One component is a regression (:mod:`.regression.softmax`) that
weighs the models' log-probabilities together with what single rules and agents of the pool would
do, and the traits of each move (:mod:`.regression.move_traits`). It finds, say, that the partner
hints as the network expects and discards as a rule does, which no single model says. A model that
is right alone is followed alone.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hoad.agents.agent import Agent
from hoad.partners.choices import Seen, join_seen
from hoad.partners.model import PartnerModel
from hoad.partners.positions import Asked
from hoad.partners.regression.inputs import regression_inputs
from hoad.partners.regression.learner import Prior, Regression
from hoad.partners.regression.softmax import Inputs
from hoad.partners.shares import left_out_in_turn, shares_of

COUNTS: Final = 0.1
"""Decisions that speak for each component before games are seen.

A partner that loses its lives early makes 100 decisions in ten games, so that these count. The
loss after ten games, nats a move, of 20 random lists that are in no study and of the four programs
`wtfwt`, `fireflower`, `smartbot` and `infobot`, with none of these in the pool:

======================  =====  =====  =====  ==========
decisions               1      0.1    0.02   best model
======================  =====  =====  =====  ==========
lists, self-play        .380   .364   .362   .361
lists, with iggi        .404   .389   .388   .386
programs, self-play     1.325  1.320  1.319  1.765
programs, with iggi     1.689  1.693  1.694  1.999
======================  =====  =====  =====  ==========
"""

REGRESSION_COUNTS: Final = 3.0
"""Decisions that speak for a regression with a learned prior before games are seen."""


class Mixture(PartnerModel):
    """Mixes partner models, the uniform distribution and a regression on them.

    Args:
        models: functions that return a new model each, at least one.
        agents: agents that are inputs of the regression besides all rules of the catalogue.
        counts: decisions that speak for each model before games are seen; None for as few as speak
            for the other components.
        prior: of the regression's weights of rules and traits. With it the regression is followed
            before games are seen.
        regresses: whether there is a regression; its inputs are those of games of two players.

    Attributes:
        models: those that have learned all games.
        agents: these agents.
        shares: of the models, the uniform distribution and the regression if there is one, float64,
            sum 1.
        seconds: processor time that each of ``models`` took to learn.
        unseen: the games learned, in the order in which their moves were predicted before they
            were learned; None before the first.
    """

    name = "mixture"

    def __init__(
        self,
        models: Sequence[Callable[[], PartnerModel]],
        agents: Sequence[Agent] = (),
        counts: Sequence[float | None] = (),
        prior: Prior | None = None,
        regresses: bool = True,
    ) -> None:
        self._make = tuple(models)
        self.models = [make() for make in models]
        self.agents = tuple(agents)
        self.seconds = [0.0] * len(models)
        # what models and the uniform distribution gave to moves before they were learned, float64,
        # shape (decisions, models + 1)
        self._expected = np.zeros((0, len(models) + 1))
        self.unseen: Seen | None = None
        self._regression = Regression(prior) if regresses else None
        all_counts = [*counts, *[None] * (len(models) + 1 - len(counts))]
        if regresses:
            all_counts.append(COUNTS if prior is None else REGRESSION_COUNTS)
        self._counts = np.array([COUNTS if count is None else count for count in all_counts])
        self.shares = self._counts / self._counts.sum()

    def learn(self, games: Seen) -> None:
        if not len(games.logs):
            return
        if not len(self._expected) and games.has_folds:
            self._keep(*left_out_in_turn(self._make, games))
        else:
            self._keep(games, [model.expected(games) for model in self.models])
        for index, model in enumerate(self.models):
            started = time.thread_time()
            model.learn(games)
            self.seconds[index] += time.thread_time() - started
        if len(self._expected):
            left_out = [self._regression.left_out] if self._regression else []
            components = np.column_stack([self._expected, *left_out])
            self.shares = shares_of(components, self._counts)

    def expected(self, games: Asked) -> np.ndarray:
        return self.mix([model.expected(games) for model in self.models], games)

    def mix(self, expected: Sequence[np.ndarray], games: Asked) -> np.ndarray:
        """Return what the mixture expects, given what each of its models does."""
        components = [*expected, games.uniform]
        if self._regression and self._regression.knows_something:
            components.append(self._regression.expected(self._inputs_of(expected, games)))
        shares = self.shares[: len(components)] / self.shares[: len(components)].sum()
        return np.einsum("c,cdm->dm", shares, np.array(components))

    def made_unseen(self, model: int) -> np.ndarray:
        """Return what one of the models gave to each move of :attr:`unseen`, float64."""
        return self._expected[:, model]

    def _keep(self, unseen: Seen, expected: Sequence[np.ndarray]) -> None:
        """Keep what is given to moves that no model has learned; the regression learns them."""
        made = [unseen.choices.made(weights) for weights in (*expected, unseen.uniform)]
        self._expected = np.concatenate([self._expected, np.transpose(made)])
        self.unseen = join_seen([self.unseen, unseen]) if self.unseen else unseen
        if self._regression:
            self._regression.learn(self._inputs_of(expected, unseen), unseen.choices)

    def _inputs_of(self, expected: Sequence[np.ndarray], games: Asked) -> Inputs:
        return regression_inputs(games, self.agents, expected)
