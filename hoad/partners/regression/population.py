"""A regression that knows other strangers: its prior is learned from them (hierarchical Bayes).

Each stranger has weights of its own, drawn from a normal distribution that all strangers share. Its
means are the weights of a regression on the games of all of them. Its variances say how far single
strangers are from that. A new stranger starts at the means, and its games move the weights that
strangers differ in. Without any game, the model is what strangers do on average.

Nothing here is about people. The strangers may as well be agents.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from scipy import sparse

from hoad.agents.agent import Agent
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.partners.choices import Seen
from hoad.partners.model import PartnerModel
from hoad.partners.positions import Asked
from hoad.partners.program.firing import NUMBERS
from hoad.partners.regression import move_traits, relations
from hoad.partners.regression.inputs import log_probabilities, rules_and_traits
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.move_traits import TRAIT_OF
from hoad.partners.regression.relations import RELATION_OF, move_relations
from hoad.partners.regression.rule_moves import RULES
from hoad.partners.regression.softmax import (
    Inputs,
    WeightEstimates,
    fit_weights,
    join_inputs,
    log_odds,
    log_softmax,
    probabilities,
)

MOST_GAMES: Final = 30
"""Games of each other stranger that count, so that none of them counts much more than others."""

_SHARED: Final = 60.0
"""Precision of the prior of the means; 10, 30 and 100 made a difference of 0.01 nats."""

_GUESS: Final = 60.0
"""Guess of the precision of a stranger's weights around the means.

It counts as ``_DOUBTS`` weights that are determined, in each group of inputs.
"""

_DOUBTS: Final = 3.0

_EASE: Final = 0.5
"""The part of the precision found that counts for a new stranger.

Chosen among .3, .5, .75, 1 and 2 by the loss after ten games or all but two: 1.374, 1.373, 1.375,
1.378 and 1.388 nats (docs/people.md says which people).
"""

_ROUNDS: Final = 2
_POOLED_ITERATIONS: Final = 50
_OWN_ITERATIONS: Final = 30

InputsOf = Callable[[Asked], Inputs]
"""What makes the inputs of games."""


class Difference(NamedTuple):
    """An input whose weight sets a stranger apart from others."""

    words: str  # what the stranger does more than others, or less
    deviations: float  # of the weight from the mean of the prior, in standard deviations of it
    nats: float  # a move, by which the loss on the games learned grows with the weight at the mean

    @property
    def compared(self) -> str:
        """How the stranger compares with others, in words."""
        return f"{'more' if self.deviations > 0 else 'less'}, {self.deviations:+.1f} SD"


@dataclass(frozen=True)
class Observed:
    """The decisions of one stranger."""

    inputs: Inputs  # of the legal moves
    actions: np.ndarray  # the moves made, shape (decisions,)


def fit_population(strangers: Sequence[Observed], groups: np.ndarray) -> Prior:
    """Return the prior that some strangers, at least one, suggest for a further one.

    Inputs of a group share their variance between strangers. It is found by evidence, as in
    :func:`~.softmax.find_precision`: the squared distances of the strangers' weights from the
    means, divided by the number of weights that their moves determine. ``groups`` has the group of
    each input, int64, shape ``(inputs,)``.
    """
    everybody, shared = join_observed(strangers), np.full(len(groups), _SHARED)
    means = fit_weights(
        everybody.inputs, everybody.actions, shared, iterations=_POOLED_ITERATIONS
    ).means
    precision = np.full(len(groups), _GUESS)
    for _ in range(_ROUNDS):
        squares, determined = np.zeros((2, groups.max() + 1))
        for stranger in strangers:
            own = fit_weights(
                stranger.inputs, stranger.actions, precision, means, iterations=_OWN_ITERATIONS
            )
            squares += np.bincount(groups, (own.means - means) ** 2)
            determined += np.bincount(groups, 1 - precision * own.variances)
        precision = ((determined + _DOUBTS) / (squares + _DOUBTS / _GUESS))[groups]
    return Prior(means, _EASE * precision)


class RelatingInputs:
    """Makes the inputs of games: rules, traits, relations, agents, and a network's log-odds.

    Args:
        agents: agents of a pool; each gives the weight of the move.
        networks: partner models that do not learn; each gives the logarithm of the move's
            probability.

    Attributes:
        groups: the group of each input, whose weights differ alike between strangers: all rules,
            each trait, each relation, all agents, and each network. Int64, shape ``(inputs,)``.
        words: what a stranger does who follows each input.
    """

    def __init__(self, agents: Sequence[Agent], networks: Sequence[PartnerModel]) -> None:
        self._agents, self._networks = tuple(agents), tuple(networks)
        self.words = (
            *(f"follows the rule: {CATALOGUE[number].words}" for number in NUMBERS),
            *move_traits.WORDS,
            *relations.WORDS,
            *(f"makes the moves of the agent {agent.name}" for agent in agents),
            *(f"makes the moves that the network {network.name} expects" for network in networks),
        )
        kinds: list[Sequence[int]] = [
            [0] * RULES,
            TRAIT_OF.tolist(),
            RELATION_OF.tolist(),
            [0] * len(agents),
            range(len(networks)),
        ]
        groups: list[int] = []
        for kind in kinds:
            first = max(groups, default=-1) + 1
            groups += [first + number for number in kind]
        self.groups = np.array(groups)

    def __call__(self, games: Asked) -> Inputs:
        return games.once((RelatingInputs, self._key), lambda: self._of(games))

    @property
    def _key(self) -> tuple[Hashable, ...]:
        return *self._agents, *self._networks

    def _of(self, games: Asked) -> Inputs:
        legal = games.legal
        relations = sparse.csr_array(move_relations(games.states), dtype=np.float32)
        columns = [games.weights_of(agent)[legal] for agent in self._agents]
        columns += [log_probabilities(network.expected(games), legal) for network in self._networks]
        shape = len(columns), int(legal.sum())
        further = sparse.csr_array(np.array(columns, np.float32).reshape(shape).T)
        parts = [rules_and_traits(games), relations, further]
        return Inputs(sparse.hstack(parts, format="csr"), legal)


class PopulationModel(PartnerModel):
    """A regression that starts from what other strangers do, and learns this one's games.

    Attributes:
        weights: of the inputs; before any game, those of the prior, as if they were certain.
    """

    name = "population"

    def __init__(self, prior: Prior, inputs_of: RelatingInputs) -> None:
        self._prior, self._inputs_of = prior, inputs_of
        self._seen: Observed | None = None
        self.weights = WeightEstimates(prior.means, np.zeros(len(prior.means)))

    def learn(self, games: Seen) -> None:
        observed = observe(games, self._inputs_of)
        if not len(observed.actions):
            return
        if self._seen is not None:
            observed = join_observed([self._seen, observed])
        self._seen = observed
        self.weights = fit_weights(
            observed.inputs, observed.actions, self._prior.precision, self._prior.means
        )

    def expected(self, games: Asked) -> np.ndarray:
        return probabilities(self._inputs_of(games), self.weights)

    def differences(self, most: int) -> list[Difference]:
        """Return what sets the stranger apart, at most so many inputs, the greatest ``nats`` first.

        The loss tells more than the distance of a weight from the mean, because it also depends on
        how often the input occurs. Of inputs with the same words the first counts. There are none
        before the first decision.
        """
        if self._seen is None:
            return []
        nats = _losses_without(self._seen, self.weights.means, self._prior.means)
        deviations = (self.weights.means - self._prior.means) * np.sqrt(self._prior.precision)
        found: dict[str, Difference] = {}
        for index in np.argsort(-nats, kind="stable").tolist():
            if len(found) == most or nats[index] <= 0:
                break
            words = self._inputs_of.words[index]
            found.setdefault(words, Difference(words, float(deviations[index]), float(nats[index])))
        return list(found.values())

    def nats_learned(self) -> float:
        """Return by how much the loss on the games learned is below that of the prior's means."""
        if self._seen is None:
            return 0.0
        losses = [loss_under(self._seen, each) for each in (self._prior.means, self.weights.means)]
        return losses[0] - losses[1]


def observe(games: Seen, inputs_of: InputsOf) -> Observed:
    """Return what a stranger did in games."""
    return Observed(inputs_of(games), games.choices.actions)


def join_observed(parts: Sequence[Observed]) -> Observed:
    """Return all decisions, of at least one part, in order."""
    inputs = join_inputs([part.inputs for part in parts])
    return Observed(inputs, np.concatenate([part.actions for part in parts]))


def loss_under(seen: Observed, weights: np.ndarray) -> float:
    """Return the mean loss of moves, at least one, under weights that are taken as certain."""
    made = seen.inputs.rows_of(seen.actions)
    return float(-log_softmax(seen.inputs, log_odds(seen.inputs, weights))[made].mean())


def _losses_without(seen: Observed, weights: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Return by how much the loss grows if one weight alone goes to its mean, by input, in nats."""
    inputs, made = seen.inputs, seen.inputs.rows_of(seen.actions)
    odds, columns = log_odds(inputs, weights), inputs.values.tocsc()
    losses = np.empty(len(weights))
    for index, (start, end) in enumerate(pairwise(columns.indptr)):
        without = odds.copy()
        apart = weights[index] - means[index]
        without[columns.indices[start:end]] -= apart * columns.data[start:end]
        losses[index] = -log_softmax(inputs, without)[made].mean()
    return losses - loss_under(seen, weights)
