"""The blueprint: of several agents the one with the best expected score with a partner model."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.seeds import POOL_SEED
from hoad.agents.agent import Agent
from hoad.agents.play import play
from hoad.game.log import replay

FIRST_GAMES: Final = 24
"""Games of each agent in each seat; the hypotheses share them by their probabilities."""

FINALISTS: Final = 4
GAMES: Final = 72
"""Games of the best `FINALISTS` agents in each seat."""


def rank_responses(agents: Sequence[Agent], model: Ensemble) -> list[Agent]:
    """Return the agents by their expected strict score with a partner; ties keep their order.

    All agents play with the same hypotheses on the same decks, in both seats. Random moves of the
    partner are left out.
    """
    found = by_expected_score(agents, model, FIRST_GAMES)
    return by_expected_score(found[:FINALISTS], model, GAMES) + found[FINALISTS:]


def by_expected_score(agents: Sequence[Agent], model: Ensemble, games: int) -> list[Agent]:
    """Return the agents by their expected strict score, in ``games`` games in each seat."""
    scores = np.array([_expected_score(agent, model, games) for agent in agents])
    return [agents[index] for index in np.argsort(-scores, kind="stable")]


def _expected_score(agent: Agent, model: Ensemble, games: int) -> float:
    drawn = model.thinned(games)
    counts = np.rint(drawn.probabilities * games).astype(int).tolist()
    return sum(
        replay(play(seats, count, POOL_SEED + index)).strict.sum() / (2 * games)
        for index, (other, count) in enumerate(zip(drawn.agents, counts, strict=True))
        for seats in ([agent, other], [other, agent])
    )
