"""Agreement: how often recorded moves are the moves of an agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np

from hoad.agents.follow import follow, turns_of_seats
from hoad.agents.registry import get_agent, refuse_code
from hoad.core.errors import HoadError
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.game.log import GameLogs
from hoad.game.moves import legal_flags
from hoad.replay.dataset import Dataset
from hoad.replay.formats.convert import read_games_of_two
from hoad.reports.page import Report, Table

if TYPE_CHECKING:
    import torch

LOGGED: Final = "logged"
"""Stands for the agents that the logs name."""

_TIE: Final = 1e-12
_BLOCK: Final = 1_000


@runtime_checkable
class Policy(Protocol):
    """An agent that plays the most probable legal move of a network's softmax."""

    def outputs(self, observations: np.ndarray) -> "torch.Tensor":
        """Return the logits of all moves for packed observations, shape ``(games, moves)``."""

    def probabilities_of(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return the softmax over the legal moves, which networks without a policy lack."""


@dataclass(frozen=True)
class Agreement:
    """Counts over the recorded decisions that were compared with an agent.

    A network's distribution is its softmax over the legal moves.

    Attributes:
        decisions: recorded moves.
        possible: moves of positive probability.
        modal: moves within 1e-12 of the most probable one.
        log_probability: sum of the logarithms of the possible moves' probabilities, in nats.
        unmasked_modal: moves that are a network's most probable of all moves, including illegal
            ones; None for agents that are not networks.
    """

    decisions: int = 0
    possible: int = 0
    modal: int = 0
    log_probability: float = 0.0
    unmasked_modal: int | None = None

    def __add__(self, other: "Agreement") -> "Agreement":
        """Return the sums; ``unmasked_modal`` is the sum over networks."""
        sums: dict[str, Any] = {}
        for key, value in vars(self).items():
            counts = [count for count in (value, getattr(other, key)) if count is not None]
            sums[key] = sum(counts) if counts else None
        return Agreement(**sums)

    def as_mapping(self, agent: str) -> dict[str, Any]:
        """Return the counts and the mean log-probability, for JSON."""
        counts = {"agent": agent, **vars(self)}
        total, unmasked = counts.pop("log_probability"), counts.pop("unmasked_modal")
        counts["mean_log_probability"] = total / self.possible if self.possible else None
        return counts if unmasked is None else counts | {"unmasked_modal": unmasked}


def measure_agreement(
    name: str, files: Sequence[Path], every_seat: bool = False, threads: int = 1
) -> dict[str, Agreement]:
    """Return the agreement of recorded games with an agent, by agent (one unless ``logged``).

    Args:
        name: of the agent; or ``logged``: each seat is compared with the game's chromosome where
            the log has one, else with the agent that the log names.
        files: JSON Lines or HDF5 files of two-player games.
        every_seat: compare every seat with the agent, not only seats recorded under its name
            (``logged`` always compares every seat).
        threads: number of threads; the result does not depend on it.

    Raises:
        HoadError: an agent is unknown, or a log names a program of its own; no seat has the name
            (the names found are listed); or a file is refused
            (see :func:`hoad.replay.formats.convert.read_games`).
    """
    if name != LOGGED:
        get_agent(name)  # an unknown name is refused before files are read
    by_agent: dict[str, Agreement] = {}
    names_seen: set[str] = set()
    for path in files:
        games = read_games_of_two(path, "agreement")
        names_seen |= set(games.names.flat)
        compared = _seats(name, games, every_seat)
        if name == LOGGED:
            for agent in compared:
                refuse_code(agent, path)
        for agent, seats in compared.items():
            more = _measure(agent, path, games.logs, seats, threads)
            by_agent[agent] = by_agent.get(agent, Agreement()) + more
    if not by_agent:
        raise HoadError(
            f"no seat is recorded under the name {name}; the logs name "
            f"{', '.join(sorted(names_seen))}; name one of them or give --every-seat"
        )
    return by_agent


def _seats(name: str, games: Dataset, every_seat: bool) -> dict[str, np.ndarray]:
    """Return the seats to compare with each agent: bool, shape ``(games, 2)``, by agent."""
    if name == LOGGED:
        logged = games.names.astype(object)
        for game, note in enumerate(games.notes):
            if "chromosome" in note:
                logged[game] = f"rules:{','.join(map(str, note['chromosome']))}"
        return {agent: logged == agent for agent in sorted(set(logged.flat))}
    if every_seat:
        return {name: np.ones(games.names.shape, np.bool_)}
    seats = games.names == name
    return {name: seats} if seats.any() else {}


def _measure(name: str, path: Path, logs: GameLogs, seats: np.ndarray, threads: int) -> Agreement:
    blocks = np.array_split(np.arange(len(logs)), -(-len(logs) // _BLOCK))
    items = ((name, logs.select(block), seats[block]) for block in blocks)
    sizes = [len(block) for block in blocks]
    parts = counted(work(_compare, items, threads), sizes, f"{name} in {path.name}", "games")
    return sum(parts, Agreement())


def _compare(name: str, logs: GameLogs, seats: np.ndarray) -> Agreement:
    agent = get_agent(name)
    if isinstance(agent, Policy):
        return _compare_network(agent, logs, seats)
    counts = (_count(each.weights, each.actions) for each in follow(agent, logs, seats))
    return sum(counts, Agreement())


def _compare_network(network: Policy, logs: GameLogs, seats: np.ndarray) -> Agreement:
    """Compare all decisions at once, because a network has no memory."""
    turns = turns_of_seats(logs, seats)
    logits = network.outputs(turns.observations).double().cpu().numpy()
    masked = np.where(legal_flags(turns.legal), logits, -np.inf)
    weights = np.exp(masked - masked.max(axis=1, keepdims=True))
    counts = _count(weights / weights.sum(axis=1, keepdims=True), turns.actions)
    return replace(counts, unmasked_modal=int((logits.argmax(axis=1) == turns.actions).sum()))


def _count(weights: np.ndarray, actions: np.ndarray) -> Agreement:
    """Compare moves, uint8 ``(decisions,)``, with distributions, ``(decisions, moves)``."""
    of_recorded = weights[np.arange(len(actions)), actions]
    possible = of_recorded[of_recorded > 0]
    modal = int((of_recorded >= weights.max(axis=1, initial=0.0) - _TIE).sum())
    return Agreement(len(actions), len(possible), modal, float(np.log(possible).sum()))


def total_agreement(by_agent: Mapping[str, Agreement]) -> Agreement:
    """Return the sums over all agents."""
    return sum(by_agent.values(), Agreement())


def report(name: str, by_agent: Mapping[str, Agreement]) -> Report:
    """Return the agreement of recorded moves with an agent, or with all agents that logs name."""
    heading = ["agent", "decisions", "possible", "modal", "unmasked modal"]
    cells, rows = [[*heading, "mean log probability of possible"]], []
    for agent, counts in by_agent.items():
        row = {**counts.as_mapping(agent), "unmasked_modal": counts.unmasked_modal}
        shares = (counts.possible, counts.modal, counts.unmasked_modal)
        shown = [_share(count, counts.decisions) for count in shares]
        mean = row["mean_log_probability"]
        shown.append("-" if mean is None else f"{mean:.4f}")
        cells.append([agent, f"{counts.decisions:,}", *shown])
        rows.append(row)
    facts = total_agreement(by_agent).as_mapping(name)
    return Report(f"Agreement of recorded moves with {name}", [Table(cells)], rows, facts)


def _share(count: int | None, decisions: int) -> str:
    return "-" if count is None else f"{count:,} ({count / max(decisions, 1):.2%})"
