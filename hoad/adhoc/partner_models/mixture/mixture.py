"""The mixture of partner models, weighted by how well each predicts games that it has not learned.

Two ways of mixing are mixed themselves. A regression (:mod:`.regression`) weighs the models'
log-probabilities together with what single rules and agents of the pool would do, and the traits
of each move (:mod:`.move_traits`). It finds, say, that the partner hints as the network expects and
discards as a rule does, which no single model says. A linear mixture of the regression, the models
and the uniform distribution is the result, so that a model that is right alone is followed alone.

No model is evaluated on what it learned. Copies of the models that learned the other parts predict
each part of the first games, or each seat of a single one; each further game is predicted before it
is learned.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import sparse

from hoad.adhoc.partner_models.choices import Choices, Seen, join_choices
from hoad.adhoc.partner_models.mixture.linear import (
    FOLDS,
    left_out_in_turn,
    mix_ensembles,
    shares_of,
)
from hoad.adhoc.partner_models.mixture.move_traits import TRAIT_OF, move_traits
from hoad.adhoc.partner_models.mixture.regression import (
    Inputs,
    Weights,
    find_precision,
    fit_weights,
    join_inputs,
    probabilities,
)
from hoad.adhoc.partner_models.mixture.rule_moves import RULES, rule_moves
from hoad.adhoc.partner_models.model import Ensemble, PartnerModel
from hoad.agents.agent import Agent
from hoad.game.log import GameLogs

_LEAST: Final = 1e-3
"""Smaller probabilities of a model count as this one in the regression."""

_PRIOR: Final = 0.1
"""Decisions that speak for each component before games are seen.

A partner that loses its lives early makes 100 decisions in ten games. Chosen among 1, .5, .2, .1,
.05 and .02 by the loss after ten games of 20 random lists that are in no study, and of `wtfwt`,
`fireflower`, `smartbot` and `infobot`, with none of them in the pool. Of lists in self-play it is
.380 with 1, .364 with .1 and .362 with .02, where the best model alone has .361; with `iggi` .404,
.389 and .388, and .386. Of the others it is 1.325, 1.320 and 1.319, but more doubt is better with
`iggi`: 1.689, 1.693 and 1.694.
"""

_TRAITS: Final = int(TRAIT_OF[-1]) + 1

_GUESS: Final = np.array([10.0, *[10.0] * _TRAITS, 1.0])
"""Of the precisions of the prior of the regression's weights: of rules, each trait, and the others.

That of rules was chosen among 1, 3, 10 and 30, as it was the precision of a fixed prior, without
traits: by the loss after ten games of each named agent, held out with its own knowledge, in
self-play and with five others (nats a move, 60 games each, seeds of their own): .349 and .590 with
1, .346 and .571 with 3, .345 and .557 with 10, .348 and .553 with 30.

Traits were added, and the search for all precisions by evidence chosen, by the loss of `wtfwt`,
`fireflower`, `smartbot` and `infobot`, with none of them in the pool. In self-play it is 1.465
without traits, 1.331 with precisions of 10 and 1.303 by evidence; with `iggi` 1.741, 1.664 and
1.618. More traits (the worth of each of the other's cards with the value of a hint, how long ago a
card was touched, the hints before) changed it by less than .01 and were left out.
"""


@dataclass(frozen=True)
class _Unseen:
    """What was expected at decisions before they were learned.

    Attributes:
        choices: the decisions.
        inputs: those of the regression.
        expected: the models' weights of the moves made, float64, shape ``(decisions, models)``.
    """

    choices: Choices
    inputs: Inputs
    expected: np.ndarray

    @property
    def components(self) -> np.ndarray:
        """What models and the uniform distribution give to the moves made, by decision."""
        return np.column_stack([self.expected, self.choices.made(self.choices.uniform)])

    def and_further(self, other: "_Unseen") -> "_Unseen":
        expected = np.concatenate([self.expected, other.expected])
        choices = join_choices([self.choices, other.choices])
        return _Unseen(choices, join_inputs(self.inputs, other.inputs), expected)


class Mixture(PartnerModel):
    """Mixes partner models.

    Args:
        models: functions that return a new model each, at least one.
        agents: agents that are inputs of the regression besides all rules of the catalogue.
    """

    name = "mixture"

    def __init__(
        self, models: Sequence[Callable[[], PartnerModel]], agents: Sequence[Agent] = ()
    ) -> None:
        self._make, self._agents = tuple(models), tuple(agents)
        self.models = [make() for make in models]
        self.seconds = [0.0] * len(models)
        """Processor time that each of ``models`` took to learn, without its copies."""
        self._unseen: _Unseen | None = None
        self._weights: Weights | None = None
        self.shares = np.full(len(models) + 2, 1 / (len(models) + 2))
        """Of the models, the uniform distribution and the regression, sum 1."""

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        seen = Seen(logs, seats)
        if not (self._unseen and len(self._unseen.choices)) and seen.has_folds:
            self._keep(*left_out_in_turn(self._make, seen))
        else:
            self._keep(seen, [model.expected(seen) for model in self.models])
        for index, model in enumerate(self.models):
            started = time.thread_time()
            model.learn(logs, seats)
            self.seconds[index] += time.thread_time() - started
        self._weigh()

    def expected(self, games: Seen) -> np.ndarray:
        return self.mix([model.expected(games) for model in self.models], games)

    def mix(self, expected: Sequence[np.ndarray], games: Seen) -> np.ndarray:
        """Return what the mixture expects, given what each of its models does."""
        components = [*expected, games.choices.uniform]
        if self._weights is not None:
            components.append(probabilities(self._inputs(expected, games), self._weights))
        shares = self.shares[: len(components)] / self.shares[: len(components)].sum()
        mixed: np.ndarray = np.einsum("c,cdm->dm", shares, np.array(components))
        return mixed

    def ensemble(self) -> Ensemble:
        """Return the hypotheses of all models, with the models' shares without the regression.

        The regression has no hypotheses, and asks too much to be rolled out.
        """
        parts = [model.ensemble() for model in self.models]
        trust = shares_of(self._unseen.components) if self._unseen else self.shares[:-1]
        trust = trust / trust.sum()
        return mix_ensembles(parts, trust)

    def _keep(self, unseen: Seen, expected: Sequence[np.ndarray]) -> None:
        """Keep what the models expected in games that they had not learned."""
        made = np.array([unseen.choices.made(weights) for weights in expected]).T
        found = _Unseen(unseen.choices, self._inputs(expected, unseen), made)
        self._unseen = self._unseen.and_further(found) if self._unseen else found

    def _weigh(self) -> None:
        """Fit the regression, and the shares of the linear mixture."""
        unseen = self._unseen
        if unseen is None or not len(unseen.choices):
            return
        precision = _precision(unseen)
        self._weights = fit_weights(unseen.inputs, unseen.choices.actions, precision)
        regression = _regression_left_out(unseen, precision)
        self.shares = shares_of(np.column_stack([unseen.components, regression]), _PRIOR)

    def _inputs(self, expected: Sequence[np.ndarray], games: Seen) -> Inputs:
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


def _precision(unseen: _Unseen) -> np.ndarray:
    """Return the precision of the prior of each weight, those of the rules first."""
    inputs = unseen.inputs
    groups = np.full(inputs.values.shape[1], len(_GUESS) - 1)
    groups[: RULES + len(TRAIT_OF)] = [*[0] * RULES, *(TRAIT_OF + 1)]
    return find_precision(inputs, unseen.choices.actions, groups, _GUESS)


def _regression_left_out(unseen: _Unseen, precision: np.ndarray) -> np.ndarray:
    """Return what a regression that learned other games gives to the moves made, by decision.

    All of them have the precisions that were found with all games: some fifty numbers, which say
    too little of a single game to matter.
    """
    given = np.zeros(len(unseen.choices))
    for fold in range(FOLDS):
        out = unseen.choices.games % FOLDS == fold
        if not out.any():
            continue
        actions = unseen.choices.actions
        weights = fit_weights(unseen.inputs.select(~out), actions[~out], precision)
        found = probabilities(unseen.inputs.select(out), weights)
        given[out] = found[np.arange(out.sum()), actions[out]]
    return given
