"""Agreement: how often recorded moves are those that an agent would have made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np

from hoad.agents.agent import MOVES
from hoad.agents.follow import follow
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.core.workers import work
from hoad.evaluation.report.page import text_table
from hoad.game.log import GameLogs, encode_turns
from hoad.replay.recorded import RecordedGames, read_recorded

if TYPE_CHECKING:
    import torch

LOGGED: Final = "logged"
"""Stands for whoever the logs name."""

_TIE: Final = 1e-12
_BLOCK: Final = 1_000


@runtime_checkable
class GivesLogits(Protocol):
    """An agent that plays the most probable legal move of a network's softmax."""

    def logits(self, observations: np.ndarray) -> "torch.Tensor":
        """Return the logits of all moves for packed observations, shape ``(games, moves)``."""


@dataclass(frozen=True)
class Agreement:
    """Counts over the decisions of the seats that were held against an agent.

    A network is asked for its softmax over the legal moves.

    Attributes:
        decisions: recorded moves.
        possible: moves of positive probability.
        modal: moves within 1e-12 of the most probable one.
        log_probability: sum of the logarithms of the possible moves' probabilities, in nats.
        unmasked_modal: moves that a network finds most probable of all moves, illegal ones
            included; None for agents that are no networks.
    """

    decisions: int = 0
    possible: int = 0
    modal: int = 0
    log_probability: float = 0.0
    unmasked_modal: int | None = None

    def __add__(self, other: "Agreement") -> "Agreement":
        """Return the sums; ``unmasked_modal`` is that of the networks among the agents."""
        unmasked = [
            part for part in (self.unmasked_modal, other.unmasked_modal) if part is not None
        ]
        return Agreement(
            self.decisions + other.decisions,
            self.possible + other.possible,
            self.modal + other.modal,
            self.log_probability + other.log_probability,
            sum(unmasked) if unmasked else None,
        )

    def as_mapping(self, agent: str) -> dict[str, Any]:
        """Return what is written as JSON."""
        mean = self.log_probability / self.possible if self.possible else None
        result = {
            "agent": agent,
            "decisions": self.decisions,
            "possible": self.possible,
            "modal": self.modal,
            "mean_log_probability": mean,
        }
        if self.unmasked_modal is not None:
            result["unmasked_modal"] = self.unmasked_modal
        return result


def measure_agreement(
    name: str, files: Sequence[Path], every_seat: bool = False, threads: int = 1
) -> dict[str, Agreement]:
    """Hold recorded games against an agent.

    Args:
        name: of the agent; or ``logged``: each seat is held against the game's chromosome where
            the log has one, else against the agent that the log names.
        files: JSON Lines or HDF5 files of two-player games.
        every_seat: hold every seat against the agent, not only those recorded under its name
            (``logged`` asks about every seat anyway).
        threads: number of threads; the result does not depend on it.

    Returns:
        For each agent asked (just one unless ``logged``), the agreement.

    Raises:
        HoadError: an agent is unknown; no seat bears the name (the names found are listed); or a
            file is refused (see :func:`hoad.replay.recorded.read_recorded`).
    """
    if name != LOGGED:
        get_agent(name)  # an unknown name is refused before files are read
    found: dict[str, Agreement] = {}
    names_seen: set[str] = set()
    for path in files:
        games = read_recorded(path)
        names_seen |= set(games.names.flat)
        for asked, seats in _questions(name, games, every_seat).items():
            found[asked] = found.get(asked, Agreement()) + _measure(asked, games, seats, threads)
    if not found:
        raise HoadError(
            f"no seat is recorded under the name {name}; the logs name "
            f"{', '.join(sorted(names_seen))}; ask for one of them or give --every-seat"
        )
    return found


def _questions(name: str, games: RecordedGames, every_seat: bool) -> dict[str, np.ndarray]:
    """Return whom to ask about which seats: bool, shape ``(games, 2)``, by name of the agent."""
    if name == LOGGED:
        chromosomes = games.chromosomes[:, None]
        logged = np.where(chromosomes == "", games.names, chromosomes)
        return {asked: logged == asked for asked in np.unique(logged).tolist()}
    if every_seat:
        return {name: np.ones(games.names.shape, np.bool_)}
    seats = games.names == name
    return {name: seats} if seats.any() else {}


def _measure(name: str, games: RecordedGames, seats: np.ndarray, threads: int) -> Agreement:
    logs = games.logs
    blocks = np.array_split(np.arange(len(logs)), -(-len(logs) // _BLOCK))
    items = ((name, logs.select(block), seats[block]) for block in blocks)
    total = Agreement()
    with progress(len(logs), f"{name} in {games.path.name}", "games") as bar:
        for block, part in zip(blocks, work(_hold, items, threads), strict=True):
            total += part
            bar.update(len(block))
    return total


def _hold(name: str, logs: GameLogs, seats: np.ndarray) -> Agreement:
    agent = get_agent(name)
    if isinstance(agent, GivesLogits):
        return _hold_network(agent, logs, seats)
    decisions = follow(agent, logs, seats)
    return sum((_count(each.weights, each.actions) for each in decisions), Agreement())


def _hold_network(network: GivesLogits, logs: GameLogs, seats: np.ndarray) -> Agreement:
    """Ask a network, which remembers nothing, for all decisions at once."""
    transitions = encode_turns(logs)
    turns = np.arange(len(transitions.actions)) - logs.offsets[transitions.games]
    asked = seats[transitions.games, turns % seats.shape[1]]
    logits = network.logits(transitions.observations[asked]).double().cpu().numpy()
    actions = transitions.actions[asked]
    legal = (transitions.legal[asked, None] >> np.arange(MOVES) & 1).astype(np.bool_)
    counts = _count(_softmax(np.where(legal, logits, -np.inf)), actions)
    unmasked = int((logits.argmax(axis=1) == actions).sum())
    return counts + Agreement(unmasked_modal=unmasked)


def _softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _count(weights: np.ndarray, actions: np.ndarray) -> Agreement:
    """Compare moves, uint8 ``(decisions,)``, with distributions, ``(decisions, moves)``."""
    given = weights[np.arange(len(actions)), actions]
    possible = given > 0
    return Agreement(
        decisions=len(actions),
        possible=int(possible.sum()),
        modal=int((given >= weights.max(axis=1, initial=0.0) - _TIE).sum()),
        log_probability=float(np.log(given[possible]).sum()),
    )


def total_agreement(found: Mapping[str, Agreement]) -> Agreement:
    """Return the sums over all agents asked."""
    return sum(found.values(), Agreement())


def agreement_table(found: Mapping[str, Agreement]) -> str:
    """Return a table for a terminal: a row an agent asked."""
    heading = [
        "agent",
        "decisions",
        "possible",
        "modal",
        "unmasked modal",
        "mean log probability of possible",
    ]
    return text_table([heading, *(_row(name, counts) for name, counts in found.items())])


def _row(name: str, counts: Agreement) -> list[str]:
    mean = counts.as_mapping(name)["mean_log_probability"]
    return [
        name,
        f"{counts.decisions:,}",
        _share(counts.possible, counts.decisions),
        _share(counts.modal, counts.decisions),
        "-" if counts.unmasked_modal is None else _share(counts.unmasked_modal, counts.decisions),
        "-" if mean is None else f"{mean:.4f}",
    ]


def _share(count: int, decisions: int) -> str:
    return f"{count:,} ({count / max(decisions, 1):.2%})"
