"""How agents behave with each other, and how they do by themselves, beside published figures."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.agents.behaviour import features_of
from hoad.evaluation.crossplay import CrossPlay, cross_play
from hoad.evaluation.published import ORIGINAL_SELF_PLAY, SELF, PublishedMatrix
from hoad.evaluation.statistics import SCORES

FEATURE_WORDS: Final = ("communicativeness", "information per play")
"""The features of :func:`hoad.agents.behaviour.features_of`, as tables and figures say it."""


@dataclass(frozen=True)
class BehaviourTable:
    """All that was played.

    Attributes:
        seed: of all games.
        pairs: every agent with every other.
        self_play: the agents whose originals are known, each by itself, in more games.
        seconds: wall time of the games.
    """

    seed: int
    pairs: CrossPlay
    self_play: tuple[CrossPlay, ...]
    seconds: float


@dataclass(frozen=True)
class Beside:
    """Our figures beside published ones, float64, shape ``(agents, partners)``."""

    source: str
    agents: tuple[str, ...]
    partners: tuple[str, ...]
    here: np.ndarray
    published: np.ndarray


@dataclass(frozen=True)
class BesideOriginal:
    """A mean self-play score beside that of the original program.

    Attributes:
        agent: name.
        score: ``lenient`` or ``strict``.
        games: that ours is the mean of.
        here: our mean.
        here_sem: its standard error.
        original: mean of the original program.
        original_games: that it is the mean of.
        standard_errors: difference, in standard errors of the difference.
    """

    agent: str
    score: str
    games: int
    here: float
    here_sem: float
    original: float
    original_games: int
    standard_errors: float


def behaviour_table(
    names: Sequence[str], games: int, self_play_games: int, seed: int, threads: int = 1
) -> BehaviourTable:
    """Play all the games.

    Args:
        names: of the agents.
        games: of each ordered pair.
        self_play_games: of each agent whose original is known, by itself.
        seed: of the games.
        threads: on which the result does not depend.

    Raises:
        HoadError: an agent is unknown.
    """
    start = time.perf_counter()
    pairs = cross_play(names, games, seed, threads)
    self_play = tuple(
        cross_play([name], self_play_games, seed, threads)
        for name in names
        if name in ORIGINAL_SELF_PLAY
    )
    return BehaviourTable(seed, pairs, self_play, time.perf_counter() - start)


def features_with_partners(pairs: CrossPlay) -> np.ndarray:
    """Return the features that each agent shows with each partner, over both seats.

    Float64, shape ``(agents, partners, 2)``; NaN where undefined.
    """
    moving_first = pairs.behaviour[:, :, 0]
    moving_second = pairs.behaviour[:, :, 1].swapaxes(0, 1)
    return features_of(moving_first + moving_second)


def beside(matrix: PublishedMatrix, names: Sequence[str], ours: np.ndarray) -> Beside:
    """Return our figures beside those that are published.

    Args:
        matrix: what is published.
        names: of our agents.
        ours: by agent and partner, shape ``(names, names)``.
    """
    rows = [row for row in matrix.rows if row in names]
    columns = [column for column in matrix.columns if column in names or column == SELF]
    index = {name: number for number, name in enumerate(names)}
    here = [
        [ours[index[row], index[row if column == SELF else column]] for column in columns]
        for row in rows
    ]
    there = [
        [matrix.values[matrix.rows.index(row)][matrix.columns.index(column)] for column in columns]
        for row in rows
    ]
    return Beside(matrix.source, tuple(rows), tuple(columns), np.array(here), np.array(there))


def beside_originals(self_play: Sequence[CrossPlay]) -> Iterator[BesideOriginal]:
    """Compare each agent's mean scores with those of its original.

    The standard error of an original's mean is ours for as many games: its scores are spread
    like ours if it is the same player.
    """
    for one in self_play:
        [agent] = one.agents
        original = ORIGINAL_SELF_PLAY[agent]
        for score in SCORES:
            mean, sem = getattr(one, score).item(), getattr(one, f"{score}_sem").item()
            published = getattr(original, score)
            both = sem * np.sqrt(1 + one.games / original.games)
            with np.errstate(divide="ignore"):  # few games can all have the same score
                off = 0.0 if mean == published else float(np.divide(mean - published, both))
            yield BesideOriginal(agent, score, one.games, mean, sem, published, original.games, off)
