"""The mixture of partner models, weighted by how well each predicts games that it has not learned.

Two ways of mixing are mixed themselves. A regression (:mod:`.regression`) weighs the models'
log-probabilities together with what single rules and agents of the pool would do. It finds, say,
that the partner hints as the network expects and discards as a rule does, which no single model
says. A linear mixture of the regression, the models and the uniform distribution is the result, so
that a model that is right alone is followed alone.

No model is evaluated on what it learned. Copies of the models that learned the other parts predict
each part of the first games; each further game is predicted before it is learned.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.adhoc.partner_models.choices import (
    Choices,
    Seen,
    choices_of,
    in_order,
    join_choices,
)
from hoad.adhoc.partner_models.linear import FOLDS, by_folds, mix_ensembles, shares_of
from hoad.adhoc.partner_models.model import Ensemble, PartnerModel
from hoad.adhoc.partner_models.regression import (
    Inputs,
    fit_weights,
    join_inputs,
    probabilities,
)
from hoad.adhoc.partner_models.rule_moves import rule_moves
from hoad.agents.agent import Agent
from hoad.agents.follow import Decisions, follow
from hoad.game.log import GameLogs

_BLOCK: Final = 50
"""Games that are predicted together; the inputs of a game take 1 MB."""

_LEAST: Final = 1e-3
"""Smaller probabilities of a model count as this one in the regression."""


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
        self._unseen: _Unseen | None = None
        self._weights: np.ndarray | None = None
        self.shares = np.full(len(models) + 2, 1 / (len(models) + 2))
        """Of the models, the uniform distribution and the regression, sum 1."""

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        seen = Seen(logs, seats)
        if self._unseen is None and len(logs) > 1:
            by_folds(self._make, seen, self._evaluate)
        else:
            self._evaluate(self.models, seen)
        for model in self.models:
            model.learn(logs, seats)
        self._weigh()

    def predict(self, logs: GameLogs, seats: np.ndarray) -> Iterator[Decisions]:
        for start in range(0, len(logs), _BLOCK):
            games = np.arange(start, min(start + _BLOCK, len(logs)))
            some = Seen(logs, seats).select(games)
            choices = choices_of(some.logs, some.seats)
            expected = self._expected(self.models, some)
            components = [*expected, choices.uniform]
            if self._weights is not None:
                inputs = self._inputs(expected, choices, some)
                components.append(probabilities(inputs, self._weights))
            shares = self.shares[: len(components)] / self.shares[: len(components)].sum()
            mixed = np.einsum("c,cdm->dm", shares, np.array(components))
            yield Decisions(choices.games + start, choices.turns, mixed, choices.actions)

    def ensemble(self) -> Ensemble:
        """Return the hypotheses of all models, with the models' shares without the regression.

        The regression has no hypotheses, and asks too much to be rolled out.
        """
        parts = [model.ensemble() for model in self.models]
        trust = shares_of(self._unseen.components) if self._unseen else self.shares[:-1]
        trust = trust / trust.sum()
        return mix_ensembles(parts, trust)

    def _evaluate(self, models: Sequence[PartnerModel], unseen: Seen) -> None:
        """Keep what the models expect in games that they have not learned."""
        choices = choices_of(unseen.logs, unseen.seats)
        expected = self._expected(models, unseen)
        made = np.array([choices.made(weights) for weights in expected]).T
        found = _Unseen(choices, self._inputs(expected, choices, unseen), made)
        self._unseen = self._unseen.and_further(found) if self._unseen else found

    def _weigh(self) -> None:
        """Fit the regression, and the shares of the linear mixture."""
        unseen = self._unseen
        if unseen is None or not len(unseen.choices):
            return
        self._weights = fit_weights(unseen.inputs, unseen.choices.actions)
        regression = _left_out_in_turn(unseen)
        self.shares = shares_of(np.column_stack([unseen.components, regression]))

    def _expected(self, models: Sequence[PartnerModel], games: Seen) -> list[np.ndarray]:
        given = games.logs, games.seats
        return [in_order(model.predict(*given), *given) for model in models]

    def _inputs(self, expected: Sequence[np.ndarray], choices: Choices, games: Seen) -> Inputs:
        given = games.logs, games.seats
        columns = [np.log(np.maximum(weights, _LEAST))[choices.legal] for weights in expected]
        columns += [
            in_order(follow(agent, *given), *given)[choices.legal] for agent in self._agents
        ]
        found = [rule_moves(*given), np.array(columns, np.float32).T]
        return Inputs(np.concatenate(found, axis=1), choices.legal)


def _left_out_in_turn(unseen: _Unseen) -> np.ndarray:
    """Return what a regression that learned other games gives to the moves made, by decision."""
    given = np.zeros(len(unseen.choices))
    for fold in range(FOLDS):
        out = unseen.choices.games % FOLDS == fold
        actions = unseen.choices.actions
        weights = fit_weights(unseen.inputs.select(~out), actions[~out])
        found = probabilities(unseen.inputs.select(out), weights)
        given[out] = found[np.arange(out.sum()), actions[out]]
    return given
