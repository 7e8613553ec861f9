"""Blueprints: the agents of a list with the best expected scores with a partner."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.seeds import POOL_SEED
from hoad.bayes.matchups import scores_with
from hoad.bayes.settings import Score

FIRST_GAMES: Final = 24
"""Games of each agent in each seat."""

FINALISTS: Final = 4
GAMES: Final = 72
"""Games of the best `FINALISTS` agents in each seat."""


def best_responses(
    agents: Sequence[Agent], partner: Agent, score: Score = "strict", seed: int = POOL_SEED
) -> list[Agent]:
    """Return the agents with the best expected scores with a partner, at most `FINALISTS`.

    The best comes first.
    """
    first = scores_with(partner, agents, FIRST_GAMES, seed, score=score).mean(axis=0)
    finalists = [agents[index] for index in np.argsort(-first, kind="stable")[:FINALISTS]]
    scores = scores_with(partner, finalists, GAMES, seed, score=score).mean(axis=0)
    return [finalists[index] for index in np.argsort(-scores, kind="stable")]
