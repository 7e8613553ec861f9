"""Cross-play: every agent with every agent, in both seats, on the same decks.

Scores, and what each seat did: the behaviour by which Canaan et al. 2022 tell agents apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from hoad.agents import get_agent, play
from hoad.agents.behaviour import COUNTS, count_behaviour
from hoad.core.progress import progress
from hoad.core.workers import work
from hoad.evaluation.report.page import numbered_matrix, text_table
from hoad.game.log import replay

_BLOCK: Final = 1_000
"""Games that a worker plays at a time."""

NOT_FAIR: Final = "* sees its own hand: not a fair player"
"""What the mark in :attr:`CrossPlay.labels` means."""


@dataclass(frozen=True)
class CrossPlay:
    """Scores of all ordered pairs; in the arrays, row = first player, column = second player.

    Attributes:
        agents: names.
        fair: whether each agent sees only what its player may see.
        games: games of each pair.
        lenient: mean lenient scores, float64, shape ``(agents, agents)``.
        strict: mean strict scores.
        lenient_sem: standard errors of those means; not a number where there is one game only.
        strict_sem: likewise.
        behaviour: sums over the games of :func:`hoad.agents.behaviour.count_behaviour`, int64,
            shape ``(agents, agents, 2, COUNTS)``: first player, second player, seat, count.
    """

    agents: tuple[str, ...]
    fair: tuple[bool, ...]
    games: int
    lenient: np.ndarray
    strict: np.ndarray
    lenient_sem: np.ndarray
    strict_sem: np.ndarray
    behaviour: np.ndarray

    @property
    def labels(self) -> tuple[str, ...]:
        """The agents' names, with a star behind those who are not fair."""
        pairs = zip(self.agents, self.fair, strict=True)
        return tuple(name if fair else f"{name}*" for name, fair in pairs)

    def as_mapping(self) -> dict[str, Any]:
        """Return what is written as JSON: agents, number of games and the four matrices."""
        hidden = ("behaviour", "fair")
        return {key: value for key, value in vars(self).items() if key not in hidden}

    def as_text(self) -> str:
        """Return both matrices as tables for a terminal."""
        parts = [
            f"{score} score, mean of {self.games:,} games ± standard error; "
            f"row = first player\n\n{text_table(self.rows(score))}"
            for score in ("lenient", "strict")
        ]
        return "\n\n".join(parts if all(self.fair) else [*parts, NOT_FAIR])

    def rows(self, score: str) -> list[list[str]]:
        """Return the matrix of lenient or strict scores as cells of text, with a heading."""
        means, errors = getattr(self, score), getattr(self, f"{score}_sem")
        cells = [list(map(_cell, *row)) for row in zip(means, errors, strict=True)]
        return numbered_matrix("first \\ second", self.labels, cells)


def cross_play(names: Sequence[str], games: int, seed: int, threads: int = 1) -> CrossPlay:
    """Let every agent play with every agent, itself included.

    Args:
        names: of the agents.
        games: of each ordered pair; all pairs have the same decks.
        seed: of the games.
        threads: number of threads; the result does not depend on it.

    Raises:
        HoadError: an agent is unknown.
    """
    agents = [get_agent(name) for name in names]
    pairs = list(product(names, repeat=2))
    items = [
        (pair, min(_BLOCK, games - start), seed, start)
        for pair in pairs
        for start in range(0, games, _BLOCK)
    ]
    parts = []
    with progress(len(pairs) * games, "cross-play", "games") as bar:
        for part in work(_play_block, items, threads):
            parts.append(part)
            bar.update(part[0].shape[1])
    score_blocks, counts = zip(*parts, strict=True)
    # Shape (score, first, second, game).
    scores = np.concatenate(score_blocks, axis=1).reshape(2, len(agents), len(agents), games)
    (lenient, strict), (lenient_sem, strict_sem) = scores.mean(axis=3), _standard_errors(scores)
    return CrossPlay(
        tuple(names),
        tuple(agent.fair for agent in agents),
        games,
        lenient,
        strict,
        lenient_sem,
        strict_sem,
        np.stack(counts).reshape(len(agents), len(agents), -1, 2, COUNTS).sum(axis=2),
    )


def _play_block(
    pair: Sequence[str], games: int, seed: int, first_game: int
) -> tuple[np.ndarray, np.ndarray]:
    """Play some games.

    Returns:
        Lenient and strict scores, uint8, shape ``(2, games)``, and the sums of what each seat
        did, int64, shape ``(2, COUNTS)``.
    """
    logs = play([get_agent(name) for name in pair], games, seed, first_game)
    outcomes = replay(logs)
    return np.stack([outcomes.scores, outcomes.strict]), count_behaviour(logs).sum(0)


def _standard_errors(scores: np.ndarray) -> np.ndarray:
    games = scores.shape[-1]
    if games == 1:
        return np.full(scores.shape[:-1], np.nan)
    return scores.std(axis=-1, ddof=1) / np.sqrt(games)


def _cell(mean: float, error: float) -> str:
    return f"{mean:.2f}" if np.isnan(error) else f"{mean:.2f} ± {error:.2f}"
