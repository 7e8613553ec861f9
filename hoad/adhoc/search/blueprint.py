"""Blueprints: of several agents those with the best expected scores with a partner."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hoad.adhoc.matchups import Score
from hoad.adhoc.seeds import POOL_SEED
from hoad.agents.agent import Agent
from hoad.agents.play import play
from hoad.game.log import replay

FIRST_GAMES: Final = 24
"""Games of each agent in each seat."""

FINALISTS: Final = 4
GAMES: Final = 72
"""Games of the best `FINALISTS` agents in each seat."""


def best_responses(
    agents: Sequence[Agent], partner: Agent, score: Score = "strict", seed: int = POOL_SEED
) -> dict[Agent, float]:
    """Return the agents with the best expected scores with a partner, best first, and the scores.

    They are at most `FINALISTS`.
    """
    first = expected_scores(agents, partner, FIRST_GAMES, score, seed)
    finalists = [agents[index] for index in np.argsort(-first, kind="stable")[:FINALISTS]]
    scores = expected_scores(finalists, partner, GAMES, score, seed)
    return {finalists[index]: float(scores[index]) for index in np.argsort(-scores, kind="stable")}


def expected_scores(
    agents: Sequence[Agent],
    partner: Agent,
    games: int,
    score: Score = "strict",
    seed: int = POOL_SEED,
) -> np.ndarray:
    """Return the mean score of each agent in ``games`` games in each seat, float64.

    All agents play on the same decks.
    """
    seats = [([agent, partner], [partner, agent]) for agent in agents]
    logs = [[play(one, games, seed) for one in both] for both in seats]
    return np.array([[getattr(replay(one), score).mean() for one in both] for both in logs]).mean(1)
