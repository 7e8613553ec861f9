"""The inputs of the regression: rules, traits of the move, log-probabilities of models, agents."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import sparse

from hoad.agents.agent import Agent
from hoad.partners.positions import Asked, refuse_other_players
from hoad.partners.regression.move_traits import TRAIT_OF, move_traits
from hoad.partners.regression.rule_moves import RULES, rule_moves
from hoad.partners.regression.softmax import Inputs

_LEAST: Final = 1e-3
"""Smaller probabilities of a model count as this one in the regression."""

_TRAITS: Final = int(TRAIT_OF[-1]) + 1

GUESS: Final = np.array([10.0, *[10.0] * _TRAITS, 1.0])
"""Guesses of the precisions of the regression's weights: of rules, each trait, and all others.

That of rules is the best of four by the mean loss of all named agents, each held out with its own
knowledge, without traits (nats a move, 60 games in self-play and 60 with each of five others):

======================  ====  ====  ====  ====
precision of rules      1     3     10    30
======================  ====  ====  ====  ====
self-play               .349  .346  .345  .348
with others             .590  .571  .557  .553
======================  ====  ====  ====  ====

Traits, and the search for precisions by evidence, were added for the programs `wtfwt`,
`fireflower`, `smartbot` and `infobot`:

======================  ==============  ==================  ===========
loss of four programs   without traits  precisions of 10    by evidence
======================  ==============  ==================  ===========
self-play               1.465           1.331               1.303
with iggi               1.741           1.664               1.618
======================  ==============  ==================  ===========
"""

FIXED: Final = RULES + len(TRAIT_OF)
"""The number of inputs that follow from the position alone: rules, then values of traits."""


def regression_inputs(
    games: Asked, agents: Sequence[Agent], expected: Sequence[np.ndarray] = ()
) -> Inputs:
    """Return the inputs of the legal moves: rules, traits, models, agents.

    ``expected`` is what models expect at the decisions, float64, shape ``(decisions, MOVES)`` each.
    """
    legal = games.legal
    columns = [log_probabilities(weights, legal) for weights in expected]
    columns += [games.weights_of(agent)[legal] for agent in agents]
    parts = [rules_and_traits(games)]
    if columns:
        parts.append(sparse.csr_array(np.array(columns, np.float32).T))
    return Inputs(sparse.hstack(parts, format="csr"), legal)


def input_groups(count: int) -> np.ndarray:
    """Return the group of each of ``count`` inputs, int64: an index into ``GUESS``."""
    groups = np.full(count, len(GUESS) - 1)
    groups[:FIXED] = [*[0] * RULES, *(TRAIT_OF + 1)]
    return groups


def log_probabilities(expected: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Return the logarithms of what a model expects of each legal move, float64.

    ``expected`` and ``legal`` have the shape ``(decisions, MOVES)``.
    """
    return np.log(np.maximum(expected, _LEAST))[legal]


def rules_and_traits(games: Asked) -> sparse.csr_array:
    """Return the inputs of the legal moves that follow from the position alone, float32.

    They are those of games of two players; a HoadError for others.
    """
    refuse_other_players(games, 2)
    return games.once("rules and traits", lambda: _rules_and_traits(games.states))


def _rules_and_traits(states: np.ndarray) -> sparse.csr_array:
    rules, traits = rule_moves(states), move_traits(states)
    parts = [sparse.csr_array(rules), sparse.csr_array(traits, dtype=np.float32)]
    return sparse.hstack(parts, format="csr")
