"""A linear mixture of partner models, weighted by how well each predicted games before learning.

All its hypotheses are those of its models, so it is rolled out as fast as they are. No model is
evaluated on what it learned. New models that learned the other parts predict each part of the first
games, or each seat of a single one; each further game is predicted before it is learned.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hoad.game.log import GameLogs
from hoad.partners.choices import Seen, join_seen
from hoad.partners.model import Ensemble, PartnerModel
from hoad.partners.positions import Asked

FOLDS: Final = 5
"""Parts that the first games are divided into; two take half the time and lose 0.01 nats a move."""

_PRIOR: Final = 1.0
"""Decisions that speak for each component before games are seen.

Prediction alone needs less (:class:`~.mixture.Mixture`). Hypotheses are rolled out in games with
others, which differ from the games learned.
"""

_ROUNDS: Final = 200


class LinearMixture(PartnerModel):
    """Mixes partner models and the uniform distribution.

    Args:
        models: functions that return a new model each, at least one.

    Attributes:
        models: those that have learned all games.
        shares: of the models and, last, of the uniform distribution, float64, sum 1.
        seconds: processor time that each of ``models`` took to learn.
    """

    name = "linear mixture"

    def __init__(self, models: Sequence[Callable[[], PartnerModel]]) -> None:
        self._make = tuple(models)
        self.models = [make() for make in models]
        self._expected = np.zeros((0, len(models) + 1))
        self.shares = np.full(len(models) + 1, 1 / (len(models) + 1))
        self.seconds = [0.0] * len(models)

    def learn(self, logs: GameLogs, seats: np.ndarray) -> None:
        if not len(logs):
            return
        seen = Seen(logs, seats)
        if not len(self._expected) and seen.has_folds:
            self._keep(*left_out_in_turn(self._make, seen))
        else:
            self._keep(seen, [model.expected(seen) for model in self.models])
        for index, model in enumerate(self.models):
            started = time.thread_time()
            model.learn(logs, seats)
            self.seconds[index] += time.thread_time() - started
        self.shares = shares_of(self._expected)

    def expected(self, games: Asked) -> np.ndarray:
        expected = [model.expected(games) for model in self.models]
        return np.einsum("c,cdm->dm", self.shares, _components(expected, games))

    def ensemble(self) -> Ensemble:
        return mix_ensembles([model.ensemble() for model in self.models], self.shares)

    def _keep(self, unseen: Seen, expected: Sequence[np.ndarray]) -> None:
        """Keep what the components give to moves in games that the models have not learned."""
        components = _components(expected, unseen)
        made = np.array([unseen.choices.made(weights) for weights in components])
        self._expected = np.concatenate([self._expected, made.T])


def left_out_in_turn(
    make: Sequence[Callable[[], PartnerModel]], seen: Seen
) -> tuple[Seen, list[np.ndarray]]:
    """Return some games fold by fold, and what new models expect that learned the other folds.

    A distribution for each model, ``(choices, MOVES)``, in the order of the games returned.
    """
    parts, expected = [], []
    for others, left_out in seen.folds(FOLDS):
        models = [make_model() for make_model in make]
        for model in models:
            model.learn(others.logs, others.seats)
        parts.append(left_out)
        expected.append([model.expected(left_out) for model in models])
    return join_seen(parts), [np.concatenate(each) for each in zip(*expected, strict=True)]


def _components(expected: Sequence[np.ndarray], games: Asked) -> np.ndarray:
    """Return the distributions of models, and the uniform one, ``(components, choices, MOVES)``."""
    return np.array([*expected, games.uniform])


def mix_ensembles(parts: Sequence[Ensemble], shares: np.ndarray) -> Ensemble:
    """Return the hypotheses of several ensembles; the last of the shares is that of noise."""
    agents = [agent for part in parts for agent in part.agents]
    kept = [
        share * (1 - part.noise) * part.probabilities
        for share, part in zip(shares, parts, strict=False)
    ]
    certain = np.concatenate(kept)
    return Ensemble(agents, certain / certain.sum(), float(1 - certain.sum()))


def shares_of(expected: np.ndarray, prior: float | np.ndarray = _PRIOR) -> np.ndarray:
    """Return the most probable shares of components, by expectation maximisation.

    Args:
        expected: what each gives to the moves made, shape ``(decisions, components)``.
        prior: decisions that speak for each component before games are seen, one number for all
            or shape ``(components,)``.
    """
    shares = np.full(expected.shape[1], 1 / expected.shape[1])
    for _ in range(_ROUNDS):
        joint = expected * shares
        total = (joint / joint.sum(1, keepdims=True)).sum(0) + prior
        shares = total / total.sum()
    return shares
