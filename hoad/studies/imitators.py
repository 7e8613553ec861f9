"""Imitators compared with the agents that they imitate: accuracy, self-play and cross-play."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
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
from hoad.reports.output import Result, Started, how_it_was_made, how_to_make_it_again
from hoad.reports.page import Block, Heading, Paragraph, Report, Table
from hoad.reports.published import IMITATOR_ACCURACY, IMITATOR_CROSS_PLAY, imitator_self_play
from hoad.reports.statistics import SCORES
from hoad.studies.crossplay import CrossPlay, cross_play
from hoad.studies.recipes import ImitatorsRecipe

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


def measure_imitators(recipe: ImitatorsRecipe, data: Path, threads: int = 1) -> ImitatorsResult:
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
    from hoad.learning.training.folder import read_metadata
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


def report(result: ImitatorsResult) -> Report:
    """Return accuracy, self-play and cross-play; a row for each ordered pair."""
    recipe, pairs = result.recipe, result.pairs
    imitators = slice(len(recipe.agents), None)
    thesis = IMITATOR_CROSS_PLAY.compare(recipe.agents, pairs.strict[imitators, imitators])
    text = "Strict scores: here / published / difference; row = first player."
    blocks = [*_accuracy(result), *_self_play(result)]
    blocks += thesis.section("Cross-play of imitators, compared with", text, decimals=1)
    text = f"Mean of {pairs.games:,} games ± 95 % interval; row = first player. All pairs play "
    text += "the same decks, which are disjoint from training decks."
    blocks += pairs.sections("Cross-play of agents and imitators", text)
    blocks += [Heading("Heat maps"), pairs.heat_maps()]
    values = recipe.model_dump(mode="json")
    facts: dict[str, Any] = {
        "recipe": values,
        "seconds": result.seconds,
        "imitators": {
            agent: asdict(imitation) | {"published_accuracy": IMITATOR_ACCURACY.get(agent)}
            for agent, imitation in result.imitations.items()
        },
        "cross_play": pairs.as_mapping(),
        "made_with": result.made_with,
    }
    seconds = {"measures and games": result.seconds}
    made = how_it_was_made(result.made_with, recipe.seed, seconds, values)
    title = "Imitators compared with the agents that they imitate"
    command, again = how_to_make_it_again("imitators", values)
    appendix = [*_networks(result), *made, *command]
    return Report(title, blocks, pairs.tidy_rows(), facts, appendix, again)


def _accuracy(result: ImitatorsResult) -> Iterator[Block]:
    yield Heading("Accuracy on test games")
    yield Paragraph(
        "Share of moves that are the network's first choice among all 20 moves, and among the "
        "legal moves. The ceiling is the accuracy of the agent's true distribution, given the "
        "agent's memory and slots; the imitator sees only the observation. The thesis splits its "
        "games by transition (table 2.1), so its training data include parts of its test "
        "games."
    )
    rows = [["agent", "decisions", "accuracy", "among legal", "ceiling", "thesis", "loss"]]
    for agent, imitation in result.imitations.items():
        measures = imitation.measures
        shares = (measures.accuracy, measures.masked_accuracy, imitation.ceiling)
        thesis = f"{IMITATOR_ACCURACY[agent]:.1%}" if agent in IMITATOR_ACCURACY else "-"
        cells = [f"{imitation.transitions:,}", *(f"{share:.2%}" for share in shares), thesis]
        rows.append([agent, *cells, f"{measures.loss:.4f}"])
    yield Table(rows)


def _self_play(result: ImitatorsResult) -> Iterator[Block]:
    yield Heading("Self-play")
    yield Paragraph(
        f"Mean of {result.pairs.games:,} games ± 95 % interval. The thesis reports strict scores "
        "of imitators (table 2.2)."
    )
    kinds = [f"{kind}, {score}" for kind in ("agent", "imitator") for score in SCORES]
    rows = [["agent", *kinds, "thesis, strict"]]
    count = len(result.recipe.agents)
    for index, agent in enumerate(result.recipe.agents):
        players = (index, index + count)
        scores = [result.pairs.cell(score, name, name) for name in players for score in SCORES]
        published = imitator_self_play(agent)
        rows.append([agent, *scores, "-" if published is None else f"{published:.1f}"])
    yield Table(rows)


def _networks(result: ImitatorsResult) -> Iterator[Block]:
    rows = [["agent", "steps", "best step", "trained at commits"]]
    for agent, imitation in result.imitations.items():
        cells = ["-", "-", "-"]
        if metadata := imitation.metadata:
            commits = metadata["made_with"]["commits"]
            steps, best = metadata["recipe"]["steps"], metadata["step"]
            cells = [f"{steps:,}", f"{best:,}", ", ".join(commits)]
        rows.append([agent, *cells])
    yield Heading("The networks")
    yield Table(rows)
