"""The blueprint: of several agents the one with the best expected score with a partner."""

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


def rank_responses(agents: Sequence[Agent], partner: Agent) -> list[Agent]:
    """Return the agents by their expected strict score with a partner; ties keep their order.

    All agents play on the same decks, in both seats.
    """
    found = by_expected_score(agents, partner, FIRST_GAMES)
    return by_expected_score(found[:FINALISTS], partner, GAMES) + found[FINALISTS:]


def by_expected_score(agents: Sequence[Agent], partner: Agent, games: int) -> list[Agent]:
    """Return the agents by their expected strict score, in ``games`` games in each seat."""
    scores = np.array([_expected_score(agent, partner, games) for agent in agents])
    return [agents[index] for index in np.argsort(-scores, kind="stable")]


def _expected_score(agent: Agent, partner: Agent, games: int) -> float:
    both = [play(seats, games, POOL_SEED) for seats in ([agent, partner], [partner, agent])]
    return float(np.mean([replay(logs).strict.mean() for logs in both]))
