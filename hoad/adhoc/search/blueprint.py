"""Blueprints: of several agents those with the best expected scores with a partner."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hoad.adhoc.seeds import POOL_SEED
from hoad.agents.agent import Agent
from hoad.agents.play import play
from hoad.game.log import replay

FIRST_GAMES: Final = 24
"""Games of each agent in each seat."""

FINALISTS: Final = 4
GAMES: Final = 72
"""Games of the best `FINALISTS` agents in each seat."""


def best_responses(agents: Sequence[Agent], partner: Agent) -> dict[Agent, float]:
    """Return the agents with the best expected scores with a partner, best first, and the scores.

    They are at most `FINALISTS`.
    """
    first = expected_scores(agents, partner, FIRST_GAMES)
    finalists = [agents[index] for index in np.argsort(-first, kind="stable")[:FINALISTS]]
    scores = expected_scores(finalists, partner, GAMES)
    return {finalists[index]: float(scores[index]) for index in np.argsort(-scores, kind="stable")}


def expected_scores(agents: Sequence[Agent], partner: Agent, games: int) -> np.ndarray:
    """Return the mean strict score of each agent in ``games`` games in each seat, float64.

    All agents play on the same decks.
    """
    return np.array([_expected_score(agent, partner, games) for agent in agents])


def _expected_score(agent: Agent, partner: Agent, games: int) -> float:
    both = [play(seats, games, POOL_SEED) for seats in ([agent, partner], [partner, agent])]
    return float(np.mean([replay(logs).strict.mean() for logs in both]))
