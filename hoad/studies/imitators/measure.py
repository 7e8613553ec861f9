"""Imitators compared with the agents that they imitate: accuracy, self-play and cross-play."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hoad.agents import Agent, get_agent
from hoad.agents.families import IMITATOR
from hoad.agents.follow import follow
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.core.paths import find_checkpoint
from hoad.core.progress import progress
from hoad.game.log import GameLogs, encode_turns
from hoad.game.stream import Purpose
from hoad.reports.output import Result, Started
from hoad.studies.crossplay import CrossPlay, cross_play
from hoad.studies.imitators.recipe import ImitatorsRecipe

if TYPE_CHECKING:
    from hoad.learning.measures import Measures


@dataclass(frozen=True)
class Imitation:
    """How well one imitator predicts its agent in test games, by number of transitions.

    Attributes:
        ceiling: accuracy of predicting the most probable move of the agent's true distribution,
            given memory and random slots; 1 without random choices. Networks exceed it by chance.
        metadata: of the network's training; empty if there is none.
    """

    transitions: int
    measures: "Measures"
    ceiling: float
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class ImitatorsResult(Result):
    """The measures of some imitators, by agent.

    ``pairs`` is cross-play of the agents and, after them, their imitators.
    """

    recipe: ImitatorsRecipe
    imitations: Mapping[str, Imitation]
    pairs: CrossPlay


def evaluate_imitators(recipe: ImitatorsRecipe, data: Path, threads: int = 1) -> ImitatorsResult:
    """Measure imitators on test games in ``data``; play cross-play of agents and imitators.

    The result does not depend on ``threads``. A missing imitator or file of games is a HoadError.
    """
    started = Started(recipe.seed)
    agents = progress(recipe.agents, "imitators", "agents")
    imitations = {agent: _measure(agent, data, recipe.test_games) for agent in agents}
    names = [*recipe.agents, *(IMITATOR + agent for agent in recipe.agents)]
    # Recordings use the seed itself, so that imitators may have been trained on its games.
    pairs = cross_play(names, recipe.games, other_seed(recipe.seed, Purpose.TABLE), threads)
    return ImitatorsResult(recipe, imitations, pairs, **started.ended())


def mode_accuracy(agent: Agent, logs: GameLogs) -> float:
    """Return the mean of the most probable move's probability over all decisions of both seats."""
    decisions = follow(agent, logs, np.ones((len(logs), 2), np.bool_))
    return float(np.concatenate([each.weights.max(axis=1) for each in decisions]).mean())


def _measure(agent: str, data: Path, most: int) -> Imitation:
    # torch takes seconds to import
    from hoad.learning.compute import best_device
    from hoad.learning.games import find_games
    from hoad.learning.imitator import split_for
    from hoad.learning.measures import measure
    from hoad.learning.policies import load_imitator
    from hoad.learning.training.metadata import read_metadata
    from hoad.learning.transitions import to_device

    network = load_imitator(agent).network
    logs = find_games(data, agent)
    metadata = read_metadata(find_checkpoint("imitator", agent))
    unseen = logs.select(split_for(metadata.get("recipe", {}), logs)["test"][:most])
    if not len(unseen):
        raise HoadError(f"{agent}: no test games among its {len(logs)}; record more")
    transitions = to_device(encode_turns(unseen), best_device())
    measures = measure(network, transitions, "float32")
    ceiling = mode_accuracy(get_agent(agent), unseen)
    return Imitation(len(transitions), measures, ceiling, metadata)
