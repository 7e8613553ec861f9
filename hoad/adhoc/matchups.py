"""Match-ups: how every agent of a pool does, and behaves, with every other.

The offline knowledge of a meta-agent (Canaan et al. 2022, section V-A): each ordered pair of a
pool plays a number of games, of which the mean score and the behaviour of each seat are kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.adhoc.pool import agents_of
from hoad.adhoc.seeds import POOL_SEED
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.agents.play import play
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.core.workers import work
from hoad.game.log import replay

GAMES: Final = 400
"""Games of each ordered pair in the papers."""


@dataclass(frozen=True)
class MatchUps:
    """What is known of a pool of agents, all ordered by their names in ``agents``.

    Attributes:
        agents: names of the agents.
        lenient: mean lenient scores, float64, shape ``(agents, agents)``: row = first player.
        strict: mean strict scores, likewise.
        features: communicativeness and IPP that each seat shows, float64, shape
            ``(agents, agents, 2, 2)``: first player, second player, seat, feature. NaN where
            undefined.
    """

    agents: tuple[str, ...]
    lenient: np.ndarray
    strict: np.ndarray
    features: np.ndarray

    def scores(self, seat: int) -> np.ndarray:
        """Return lenient scores by (response in ``seat``, hypothesis in the other seat)."""
        return self.lenient if seat == 0 else self.lenient.T

    def expected_features(self, seat: int) -> np.ndarray:
        """Return the features that hypotheses show to responses sitting in ``seat``.

        Float64, shape ``(responses, hypotheses, 2)``.
        """
        if seat == 0:
            return self.features[:, :, 1]
        return self.features[:, :, 0].swapaxes(0, 1)

    def without_seats(self) -> "MatchUps":
        """Return what is known of pairs when the first player is drawn by lot (Canaan 2020)."""
        features = (self.features + self.features[:, :, ::-1].swapaxes(0, 1)) / 2
        return MatchUps(
            self.agents,
            (self.lenient + self.lenient.T) / 2,
            (self.strict + self.strict.T) / 2,
            features,
        )

    def select(self, indices: Sequence[int]) -> "MatchUps":
        """Return the match-ups of the agents with these indices among themselves."""
        chosen = np.ix_(indices, indices)
        return MatchUps(
            tuple(self.agents[index] for index in indices),
            self.lenient[chosen],
            self.strict[chosen],
            self.features[chosen],
        )


def play_match_ups(
    agents: Sequence[str], games: int = GAMES, seed: int = POOL_SEED, threads: int = 1
) -> MatchUps:
    """Let every ordered pair of agents play; all pairs play on the same decks.

    Args:
        agents: names of the agents.
        games: games of each pair.
        seed: seed of the games.
        threads: number of threads; the result does not depend on it.

    Raises:
        HoadError: an agent is unknown or makes an illegal move, or one is named twice.
    """
    rows = dict(play_rows(agents, range(len(agents)), games, seed, threads))
    return join_rows(agents, np.array([rows[first] for first in range(len(agents))]))


def play_rows(
    agents: Sequence[str], first: Iterable[int], games: int, seed: int, threads: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Play the pairs in which these agents move first, and yield agent after agent.

    Args:
        agents: names of all agents.
        first: indices of those who move first.
        games: as in :func:`play_match_ups`.
        seed: likewise.
        threads: likewise.

    Yields:
        The index, and what :func:`join_rows` wants of it.
    """
    names = tuple(agents)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise HoadError(f"match-ups: agent {twice} is named twice; name each agent once")
    agents_of(names)  # refuses unknown ones before anybody has played
    items = [(names, index, games, seed) for index in first]
    with progress(len(items) * len(names), "match-ups", "pairs") as bar:
        for item, row in zip(items, work(_play_row, items, threads), strict=True):
            yield item[1], row
            bar.update(len(names))


def join_rows(agents: Sequence[str], rows: np.ndarray) -> MatchUps:
    """Return the match-ups that consist of what each agent did as the first player.

    Args:
        agents: names.
        rows: float64, shape ``(agents, agents, 6)``: mean lenient and strict score, and the
            features of both seats.
    """
    features = rows[..., 2:].reshape(*rows.shape[:2], 2, 2)
    return MatchUps(tuple(agents), rows[..., 0], rows[..., 1], features)


def _play_row(names: tuple[str, ...], first: int, games: int, seed: int) -> np.ndarray:
    """Let one agent move first with everybody; return its row, shape ``(agents, 6)``."""
    agents = agents_of(names)
    row = np.zeros((len(agents), 6))
    for second, partner in enumerate(agents):
        logs = play([agents[first], partner], games, seed)
        outcomes = replay(logs)
        features = features_of(count_behaviour(logs).sum(0))
        row[second] = [outcomes.scores.mean(), outcomes.strict.mean(), *features.ravel()]
    return row
