"""Scores of ad-hoc play while a model is being trained: a few games in both seats."""

from collections.abc import Sequence

import numpy as np
import torch

from hoad.agents.agent import Agent
from hoad.agents.games import play
from hoad.game.log import join_logs, replay
from hoad.learning.policies import PolicyAgent


def adhoc_scores(
    partner: Agent, networks: Sequence[torch.nn.Module], games: int, seed: int
) -> dict[str, float]:
    """Return the mean lenient and strict score of networks with a partner.

    The games are divided evenly among networks and seats; each has at least one.
    """
    share = max(1, games // (2 * len(networks)))
    players = [PolicyAgent("learner", network) for network in networks]
    logs = [
        play(seats, share, seed, first_game=number * share)
        for number, player in enumerate(players)
        for seats in ((partner, player), (player, partner))
    ]
    outcomes = replay(join_logs(logs))
    return {"lenient": float(np.mean(outcomes.scores)), "strict": float(np.mean(outcomes.strict))}
