"""Shares of partner models by what each predicts before it learns; their hypotheses together.

No model is evaluated on what it learned. New models that learned the other parts predict each part
of the first games, or each seat of a single one.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hoad.partners.choices import FOLDS, Seen, join_seen
from hoad.partners.model import Ensemble, PartnerModel

_COUNTS: Final = 1.0
"""Decisions that speak for each component before games are seen.

Prediction alone needs less (:class:`~.mixture.Mixture`). Hypotheses are rolled out in games with
others, which differ from the games learned.
"""

_ROUNDS: Final = 200


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
            model.learn(others)
        parts.append(left_out)
        expected.append([model.expected(left_out) for model in models])
    return join_seen(parts), [np.concatenate(each) for each in zip(*expected, strict=True)]


def mix_ensembles(parts: Sequence[Ensemble], shares: np.ndarray) -> Ensemble:
    """Return the hypotheses of several ensembles; the last of the shares is that of noise."""
    agents = [agent for part in parts for agent in part.agents]
    kept = [
        share * (1 - part.noise) * part.probabilities
        for share, part in zip(shares, parts, strict=False)
    ]
    certain = np.concatenate(kept)
    return Ensemble(agents, certain / certain.sum(), float(1 - certain.sum()))


def shares_of(expected: np.ndarray, counts: float | np.ndarray = _COUNTS) -> np.ndarray:
    """Return the most probable shares of components, by expectation maximisation.

    Args:
        expected: what each gives to the moves made, shape ``(decisions, components)``.
        counts: decisions that speak for each component before games are seen, one number for all
            or shape ``(components,)``.
    """
    shares = np.full(expected.shape[1], 1 / expected.shape[1])
    for _ in range(_ROUNDS):
        joint = expected * shares
        total = (joint / joint.sum(1, keepdims=True)).sum(0) + counts
        shares = total / total.sum()
    return shares
