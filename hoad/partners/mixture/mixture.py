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
from scipy import sparse

from hoad.agents.agent import Agent
from hoad.game.log import GameLogs
from hoad.partners.choices import Choices, Seen, join_choices
from hoad.partners.mixture.linear import FOLDS, LinearMixture, shares_of
from hoad.partners.mixture.move_traits import TRAIT_OF, move_traits
from hoad.partners.mixture.regression import (
    Inputs,
    Weights,
    find_precision,
    fit_weights,
    join_inputs,
    probabilities,
)
from hoad.partners.mixture.rule_moves import RULES, rule_moves
from hoad.partners.model import PartnerModel

_LEAST: Final = 1e-3
"""Smaller probabilities of a model count as this one in the regression."""

_PRIOR: Final = 0.1
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

_TRAITS: Final = int(TRAIT_OF[-1]) + 1

_GUESS: Final = np.array([10.0, *[10.0] * _TRAITS, 1.0])
"""Guesses of the precisions of the regression's weights: of rules, each trait, and all others.

That of rules is the best of four by the mean loss of all named agents, each held out with its own
knowledge, without traits (nats a move, 60 games in self-play and 60 with each of five others):

======================  ====  ====  ====  ====
precision of rules      1     3     10    30
======================  ====  ====  ====  ====
self-play               .349  .346  .345  .348
with others             .590  .571  .557  .553
======================  ====  ====  ====  ====

Traits, and the search for precisions by evidence, were added for the four programs above:

======================  ==============  ==================  ===========
loss of four programs   without traits  precisions of 10    by evidence
======================  ==============  ==================  ===========
self-play               1.465           1.331               1.303
with iggi               1.741           1.664               1.618
======================  ==============  ==================  ===========
"""


class Mixture(LinearMixture):
    """Mixes partner models, the uniform distribution and a regression on them.

    Args:
        models: functions that return a new model each, at least one.
        agents: agents that are inputs of the regression besides all rules of the catalogue.
        prior: decisions that speak for each model before games are seen; None for as few as speak
            for the other components.

    Attributes:
        all_shares: of the models, the uniform distribution and the regression, float64, sum 1.
            ``shares`` and ``ensemble`` are those of the linear mixture: the regression has no
            hypotheses that could be rolled out.
    """

    name = "mixture"

    def __init__(
        self,
        models: Sequence[Callable[[], PartnerModel]],
        agents: Sequence[Agent] = (),
        prior: Sequence[float | None] = (),
    ) -> None:
        super().__init__(models)
        self._agents = tuple(agents)
        self._choices: Choices | None = None
        self._inputs: Inputs | None = None
        self._weights: Weights | None = None
        counts = [*prior, *[None] * (len(models) + 2 - len(prior))]
        self._prior = np.array([_PRIOR if count is None else count for count in counts])
        self.all_shares = self._prior / self._prior.sum()

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        super().learn(logs, seats)
        self._fit()

    def expected(self, games: Seen) -> np.ndarray:
        return self.mix([model.expected(games) for model in self.models], games)

    def mix(self, expected: Sequence[np.ndarray], games: Seen) -> np.ndarray:
        """Return what the mixture expects, given what each of its models does."""
        components = [*expected, games.choices.uniform]
        if self._weights is not None:
            components.append(probabilities(self._inputs_of(expected, games), self._weights))
        shares = self.all_shares[: len(components)] / self.all_shares[: len(components)].sum()
        mixed: np.ndarray = np.einsum("c,cdm->dm", shares, np.array(components))
        return mixed

    def _keep(self, unseen: Seen, expected: Sequence[np.ndarray]) -> None:
        """Keep what the regression has to learn of moves that the models have not learned."""
        super()._keep(unseen, expected)
        choices, inputs = unseen.choices, self._inputs_of(expected, unseen)
        if self._choices is not None and self._inputs is not None:
            choices = join_choices([self._choices, choices])
            inputs = join_inputs(self._inputs, inputs)
        self._choices, self._inputs = choices, inputs

    def _fit(self) -> None:
        """Fit the regression, and the shares of all components."""
        choices, inputs = self._choices, self._inputs
        if choices is None or inputs is None or not len(choices):
            return
        precision = _precision(inputs, choices)
        self._weights = fit_weights(inputs, choices.actions, precision)
        regression = _regression_left_out(inputs, choices, precision)
        made = np.column_stack([self._expected, regression])
        self.all_shares = shares_of(made, self._prior)

    def _inputs_of(self, expected: Sequence[np.ndarray], games: Seen) -> Inputs:
        legal = games.choices.legal
        columns = [np.log(np.maximum(weights, _LEAST))[legal] for weights in expected]
        columns += [games.weights_of(agent)[legal] for agent in self._agents]
        parts = [games.once("rules and traits", lambda: _rules_and_traits(games))]
        parts.append(sparse.csr_array(np.array(columns, np.float32).T))
        return Inputs(sparse.hstack(parts, format="csr"), legal)


def _rules_and_traits(games: Seen) -> sparse.csr_array:
    """Return the inputs that follow from the games alone."""
    rules, traits = (of(games.logs, games.seats) for of in (rule_moves, move_traits))
    parts = [sparse.csr_array(rules), sparse.csr_array(traits, dtype=np.float32)]
    return sparse.hstack(parts, format="csr")


def _precision(inputs: Inputs, choices: Choices) -> np.ndarray:
    """Return the precision of the prior of each weight, those of the rules first."""
    groups = np.full(inputs.values.shape[1], len(_GUESS) - 1)
    groups[: RULES + len(TRAIT_OF)] = [*[0] * RULES, *(TRAIT_OF + 1)]
    return find_precision(inputs, choices.actions, groups, _GUESS)


def _regression_left_out(inputs: Inputs, choices: Choices, precision: np.ndarray) -> np.ndarray:
    """Return what a regression that learned other games gives to the moves made, by decision.

    All of them have the precisions that were found with all games: some fifty numbers, which say
    too little of a single game to matter.
    """
    given = np.zeros(len(choices))
    for fold in range(FOLDS):
        out = choices.games % FOLDS == fold
        if not out.any():
            continue
        weights = fit_weights(inputs.select(~out), choices.actions[~out], precision)
        found = probabilities(inputs.select(out), weights)
        given[out] = found[np.arange(out.sum()), choices.actions[out]]
    return given
