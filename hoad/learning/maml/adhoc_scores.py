"""Ad-hoc scores while a model is being trained: a few games, both seats."""

from collections.abc import Sequence

import numpy as np
import torch

from hoad.agents.agent import Agent
from hoad.agents.play import play
from hoad.game.log import join_logs, replay
from hoad.learning.policies import PolicyAgent


def meet(
    partner: Agent, networks: Sequence[torch.nn.Module], games: int, seed: int
) -> dict[str, float]:
    """Return the mean lenient and strict score of networks with a partner.

    Args:
        partner: whom they meet.
        networks: they share the games out evenly.
        games: of all networks together, rounded down to the same number for each network and seat,
            but at least one.
        seed: of the decks and of the partner's random moves.
    """
    share = max(1, games // (2 * len(networks)))
    logs = []
    for number, network in enumerate(networks):
        player = PolicyAgent("learner", network)
        for seats in ((partner, player), (player, partner)):
            logs.append(play(seats, share, seed, first_game=number * share))
    outcomes = replay(join_logs(logs))
    return {"lenient": float(np.mean(outcomes.scores)), "strict": float(np.mean(outcomes.strict))}
