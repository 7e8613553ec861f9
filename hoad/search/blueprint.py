"""A blueprint: the agent of a list with the best expected score with a partner."""

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


def best_response(
    agents: Sequence[Agent], partner: Agent, score: Score = "strict", seed: int = POOL_SEED
) -> Agent:
    """Return the agent with the best expected score with a partner; ties go to the first."""
    first = scores_with(partner, agents, FIRST_GAMES, seed, score=score).mean(axis=0)
    finalists = [agents[index] for index in np.argsort(-first, kind="stable")[:FINALISTS]]
    scores = scores_with(partner, finalists, GAMES, seed, score=score).mean(axis=0)
    return finalists[int(scores.argmax())]
