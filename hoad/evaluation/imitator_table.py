"""How well imitators imitate, how they score, and how they do with others."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hoad.adhoc.seeds import TABLE, other_seed
from hoad.agents import Agent, get_agent
from hoad.agents.follow import follow
from hoad.core.errors import HoadError
from hoad.core.paths import find_checkpoint
from hoad.core.progress import progress
from hoad.evaluation.crossplay import CrossPlay, cross_play
from hoad.evaluation.imitator_recipe import ImitatorsRecipe
from hoad.game.log import GameLogs, encode_turns
from hoad.learning.compute import best_device
from hoad.learning.games import find_games
from hoad.learning.measures import Measures, measure
from hoad.learning.names import IMITATOR
from hoad.learning.policies import load_imitator
from hoad.learning.training.metadata import read_metadata
from hoad.learning.transitions import to_device
from hoad.replay.split import split_games


@dataclass(frozen=True)
class Imitation:
    """How well one imitator says what its agent does in games that it has not learned from.

    Attributes:
        transitions: decisions of those games.
        measures: of the network.
        ceiling: expected accuracy of whoever knows the agent's true distribution, memory and
            random slots included, and names its most probable move: what no network exceeds but
            by chance. 1 for an agent without random choices.
        card: what training left beside the network; empty if it left none.
    """

    transitions: int
    measures: Measures
    ceiling: float
    card: Mapping[str, Any]


@dataclass(frozen=True)
class ImitatorTable:
    """All that was measured and played.

    Attributes:
        recipe: what was asked for.
        imitations: by agent.
        pairs: cross-play of the agents and, after them, their imitators.
        seconds: wall time of it all.
    """

    recipe: ImitatorsRecipe
    imitations: Mapping[str, Imitation]
    pairs: CrossPlay
    seconds: float


def imitator_table(recipe: ImitatorsRecipe, data: Path, threads: int = 1) -> ImitatorTable:
    """Measure the imitators on test games and let everybody play with everybody.

    Args:
        recipe: whom to judge.
        data: folder with recorded games.
        threads: that play; the result does not depend on it.

    Raises:
        HoadError: an imitator or its agent's games are missing.
    """
    start = time.perf_counter()
    imitations = {
        agent: _imitation(agent, data, recipe.test_games)
        for agent in progress(recipe.agents, "imitators")
    }
    names = [*recipe.agents, *(IMITATOR + agent for agent in recipe.agents)]
    # Recordings play the seed's own games, which imitators have learned from.
    pairs = cross_play(names, recipe.games, other_seed(recipe.seed, TABLE), threads)
    return ImitatorTable(recipe, imitations, pairs, time.perf_counter() - start)


def mode_accuracy(agent: Agent, logs: GameLogs) -> float:
    """Return how often one is right, in the mean, who names the agent's most probable move.

    That is the mean of the largest weight over all decisions of both seats.
    """
    everybody = np.ones((len(logs), 2), np.bool_)
    largest = [decisions.weights.max(axis=1) for decisions in follow(agent, logs, everybody)]
    return float(np.concatenate(largest).mean())


def _imitation(agent: str, data: Path, most: int) -> Imitation:
    network = load_imitator(agent).network
    logs = find_games(data, agent)
    unseen = logs.select(split_games(logs)["test"][:most])
    if not len(unseen):
        raise HoadError(f"{agent}: no test games among its {len(logs)}; record more")
    transitions = to_device(encode_turns(unseen), best_device())
    measures = measure(network, transitions, "float32")
    ceiling = mode_accuracy(get_agent(agent), unseen)
    return Imitation(
        len(transitions), measures, ceiling, read_metadata(find_checkpoint("imitator", agent))
    )
