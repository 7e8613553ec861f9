"""How similar agents are: how often each makes the moves of another one in the other's games."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.follow import move_probabilities
from hoad.agents.games import play
from hoad.agents.registry import get_fair_agent
from hoad.agents.seeds import other_seed
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.game.stream import Purpose
from hoad.reports.output import Result, Started, six_digits
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, numbered_matrix
from hoad.reports.plots import draw_matrices


@dataclass(frozen=True)
class Similarity(Result):
    """The share of equal moves of agents.

    Attributes:
        agents: their names.
        games: self-play games of each.
        equal: mean probability that the agent of a column gives to the moves of the agent of a
            row in self-play, float64, shape ``(agents, agents)``.
    """

    agents: tuple[str, ...]
    games: int
    equal: np.ndarray


def measure_similarity(
    agents: Sequence[str], games: int, seed: int, threads: int = 1
) -> Similarity:
    """Measure how often agents make equal moves in the games of each of them.

    The result does not depend on ``threads``. It raises a HoadError if an agent is unknown, or sees
    more than its player may see.
    """
    started = Started(seed)
    for name in agents:
        get_fair_agent(name)
    items = [(tuple(agents), row, games, seed) for row in range(len(agents))]
    rows = counted(work(_row, items, threads), [1] * len(items), "similarity", "agents")
    return Similarity(tuple(agents), games, np.array(list(rows)), **started.ended())


def _row(names: tuple[str, ...], row: int, games: int, seed: int) -> np.ndarray:
    """Return the share of one agent's moves that each agent makes too, shape ``(agents,)``."""
    agents: list[Agent] = [get_fair_agent(name) for name in names]
    logs = play([agents[row]] * 2, games, other_seed(seed, Purpose.PARTNER))
    return np.array([move_probabilities(agent, logs).mean() for agent in agents])


def report(result: Similarity) -> Report:
    """Return the matrix of equal moves, with a heat map; a row for each pair."""
    cells = [[f"{value:.2f}" for value in row] for row in result.equal]
    text = (
        f"Each agent (row) plays {result.games:,} games with itself. In each of its turns, every "
        "agent (column) is asked for its move: the mean probability of the move that was made. "
        "With itself, less than 1 is the agent's own randomness."
    )
    labels, sides = (result.agents, result.agents), ("games of", "moves of")
    draw = partial(draw_matrices, {"equal moves": result.equal}, labels, sides, 1, decimals=2)
    caption = "Share of equal moves in the games of the agent of a row."
    figure = Figure("similarity.png", caption, draw)
    table = numbered_matrix("games of \\ moves of", result.agents, cells)
    blocks: list[Block] = [Paragraph(text), table, Heading("Heat map"), figure]
    pairs = zip(product(result.agents, repeat=2), result.equal.flat, strict=True)
    rows = [
        {"games_of": first, "moves_of": second, "equal": six_digits(float(equal))}
        for (first, second), equal in pairs
    ]
    facts = {"agents": result.agents, "games": result.games, "equal": result.equal}
    return result.report("Similarity of agents", blocks, rows, facts)
