"""Cross-play: every agent with every agent, in both seats, on the same decks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
from joblib import Parallel, delayed

from hoad.agents import Agent, get_agent, play
from hoad.evaluation.text_table import text_table
from hoad.game.log import replay
from hoad.progress import progress

_BLOCK: Final = 1_000
"""Games that a thread plays at a time."""


@dataclass(frozen=True)
class CrossPlay:
    """Scores of all ordered pairs; in the arrays, row = first player, column = second player.

    Attributes:
        agents: names.
        games: games of each pair.
        lenient: mean lenient scores, float64, shape ``(agents, agents)``.
        strict: mean strict scores.
        lenient_sem: standard errors of those means; not a number where there is one game only.
        strict_sem: likewise.
    """

    agents: tuple[str, ...]
    games: int
    lenient: np.ndarray
    strict: np.ndarray
    lenient_sem: np.ndarray
    strict_sem: np.ndarray

    def as_mapping(self) -> dict[str, Any]:
        """Return what is written as JSON."""
        return dict(vars(self))

    def as_text(self) -> str:
        """Return both matrices as tables for a terminal."""
        parts = [
            f"{kind} score, mean of {self.games:,} games ± standard error; "
            f"row = first player\n\n{_matrix(self.agents, means, errors)}"
            for kind, means, errors in (
                ("lenient", self.lenient, self.lenient_sem),
                ("strict", self.strict, self.strict_sem),
            )
        ]
        return "\n\n".join(parts)


def cross_play(names: Sequence[str], games: int, seed: int, threads: int = 1) -> CrossPlay:
    """Let every agent play with every agent, itself included.

    Args:
        names: of the agents.
        games: of each ordered pair; all pairs have the same decks.
        seed: of the games.
        threads: on which the result does not depend.

    Raises:
        HoadError: an agent is unknown.
    """
    agents = [get_agent(name) for name in names]
    pairs = list(product(agents, repeat=2))
    items = [(pair, start) for pair in pairs for start in range(0, games, _BLOCK)]
    calls = (
        delayed(_scores)(pair, min(_BLOCK, games - start), seed, start) for pair, start in items
    )
    found = Parallel(threads, require="sharedmem", return_as="generator")(calls)
    with progress(len(pairs) * games, "cross-play", "games") as bar:
        blocks = []
        for block in found:
            blocks.append(block)
            bar.update(block.shape[1])
    # Shape (score, first, second, game).
    scores = np.concatenate(blocks, axis=1).reshape(2, len(agents), len(agents), games)
    means, errors = scores.mean(axis=3), _standard_errors(scores)
    return CrossPlay(tuple(names), games, means[0], means[1], errors[0], errors[1])


def _scores(pair: Sequence[Agent], games: int, seed: int, first_game: int) -> np.ndarray:
    """Return lenient and strict scores of some games, uint8, shape ``(2, games)``."""
    outcomes = replay(play(pair, games, seed, first_game))
    return np.stack([outcomes.scores, outcomes.strict])


def _standard_errors(scores: np.ndarray) -> np.ndarray:
    games = scores.shape[-1]
    if games == 1:
        return np.full(scores.shape[:-1], np.nan)
    return scores.std(axis=-1, ddof=1) / np.sqrt(games)


def _matrix(names: Sequence[str], means: np.ndarray, errors: np.ndarray) -> str:
    """Return one matrix; its columns are numbered, because names can be long."""
    heading = ["first \\ second", *(f"[{number}]" for number in range(1, len(names) + 1))]
    rows = [
        [f"[{number}] {name}", *map(_cell, mean, error)]
        for number, (name, mean, error) in enumerate(zip(names, means, errors, strict=True), 1)
    ]
    return text_table([heading, *rows])


def _cell(mean: float, error: float) -> str:
    return f"{mean:.2f}" if np.isnan(error) else f"{mean:.2f} ± {error:.2f}"
