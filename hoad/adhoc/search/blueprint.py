"""The blueprint: of several agents the one with the best expected score with a partner model."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.seeds import POOL_SEED
from hoad.agents.agent import Agent
from hoad.agents.play import play
from hoad.game.log import replay

GAMES: Final = 96
"""Games of an agent in each seat, with the hypotheses by their probabilities."""

FINALISTS: Final = 6
"""Agents that play all games; the others drop out after a quarter of them."""


def ranked(agents: Sequence[Agent], model: Ensemble) -> list[Agent]:
    """Return the agents by their expected strict score with a partner; ties keep their order.

    All agents play with the same hypotheses on the same decks, in both seats. Random moves of the
    partner are left out.
    """
    for games, kept in ((GAMES // 4, len(agents)), (GAMES, FINALISTS)):
        scores = np.array([_expected_score(agent, model, games) for agent in agents[:kept]])
        order = np.argsort(-scores, kind="stable")
        agents = [*(agents[index] for index in order), *agents[kept:]]
    return list(agents)


def _expected_score(agent: Agent, model: Ensemble, games: int) -> float:
    return sum(
        probability * replay(play(seats, count, POOL_SEED + index)).strict.mean() / 2
        for index, (other, probability) in enumerate(
            zip(model.agents, model.probabilities, strict=True)
        )
        if (count := round(games * probability))
        for seats in ([agent, other], [other, agent])
    )
