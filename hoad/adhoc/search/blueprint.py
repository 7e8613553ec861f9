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


def best_response(agents: Sequence[Agent], model: Ensemble) -> Agent:
    """Return the agent with the best expected strict score with a partner; ties go to the first.

    All agents play with the same hypotheses on the same decks, in both seats.
    """
    return agents[int(np.argmax([_expected_score(agent, model) for agent in agents]))]


def _expected_score(agent: Agent, model: Ensemble) -> float:
    return sum(
        probability * replay(play(seats, games, POOL_SEED + index)).strict.mean()
        for index, (other, probability) in enumerate(
            zip(model.agents, model.probabilities, strict=True)
        )
        if (games := round(GAMES * probability))
        for seats in ([agent, other], [other, agent])
    )
