"""The table of meta-agents: trained on each pool, they meet the agents of each pool."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hoad.evaluation.meta_agents_players import GENERALIST, ORACLE_NAME
from hoad.evaluation.statistics import Comparison, Estimate, estimate, paired, welch


@dataclass(frozen=True)
class PoolBeliefs:
    """What a meta-agent that learns believed about each partner.

    Attributes:
        means: mean over the episodes before each game, float64, shape ``(partners, games,
            hypotheses)``.
        of_first_episode: likewise, of the first episode only.
        in_partner: belief in the partner, float32, shape ``(partners, episodes, games)``; not a
            number where no hypothesis is the partner.
        found: 1 where nobody else was as likely, else 0; likewise.
        estimates: the features as they seemed at the end, shape ``(partners, episodes, 2)``; not
            a number for beliefs that estimate none.
    """

    means: np.ndarray
    of_first_episode: np.ndarray
    in_partner: np.ndarray
    found: np.ndarray
    estimates: np.ndarray


@dataclass(frozen=True)
class MetaCell:
    """The games of one meta-agent with the partners of one pool.

    Attributes:
        lenient: scores, uint8, shape ``(partners, episodes, games)``.
        strict: likewise.
        beliefs: None if it does not learn.
    """

    lenient: np.ndarray
    strict: np.ndarray
    beliefs: PoolBeliefs | None

    def episode_means(self, score: str = "lenient") -> np.ndarray:
        """Return the mean over partners and games of each episode, the independent values."""
        found: np.ndarray = getattr(self, score).mean(axis=(0, 2))
        return found

    def by_game(self) -> np.ndarray:
        """Return the mean lenient score over partners of each game, ``(episodes, games)``."""
        found: np.ndarray = self.lenient.mean(axis=0)
        return found


@dataclass(frozen=True)
class MetaAgentTable:
    """All cells: the same episodes, decks and seats in each.

    Attributes:
        pools: names of the pools.
        players: names of the meta-agents.
        cells: by training pool, pool of the partners (both by index) and player.
    """

    pools: tuple[str, ...]
    players: tuple[str, ...]
    cells: Mapping[tuple[int, int, str], MetaCell]

    @property
    def scenarios(self) -> list[tuple[int, int]]:
        """All pairs of a training pool and a pool of partners."""
        pools = range(len(self.pools))
        return [(trained, met) for trained in pools for met in pools]

    def score(self, scenario: tuple[int, int], player: str, score: str = "lenient") -> Estimate:
        """Return mean and interval over the episodes."""
        return estimate(self.cells[*scenario, player].episode_means(score))

    def compare(
        self, scenario: tuple[int, int], first: str, second: str
    ) -> tuple[Estimate, Comparison, Comparison]:
        """Compare two players over the episodes.

        Returns:
            The mean difference with its paired interval, the paired test, and Welch's.
        """
        means = [self.cells[*scenario, player].episode_means() for player in (first, second)]
        return estimate(means[0] - means[1]), paired(*means), welch(*means)

    def comparisons(self) -> Iterator[tuple[tuple[int, int], str, str]]:
        """Yield every scenario with every two players."""
        for scenario in self.scenarios:
            for first, second in combinations(self.players, 2):
                yield scenario, first, second

    def over_scenarios(self, player: str, own_pool: bool) -> np.ndarray:
        """Return mean lenient scores of an episode's games, ``(episodes, games)``.

        Args:
            player: the meta-agent.
            own_pool: over the scenarios in which it meets the pool that it was trained on, or
                over the others.
        """
        chosen = [pair for pair in self.scenarios if (pair[0] == pair[1]) == own_pool]
        return np.mean([self.cells[*pair, player].by_game() for pair in chosen], axis=0)

    def gap_covered(self, player: str, pair: tuple[int, int] | None = None) -> float:
        """Return which part of the way from the generalist to the oracle a player goes.

        Args:
            player: the meta-agent.
            pair: the scenario; None for the sum over those of a pool with itself.

        Returns:
            1 for the oracle; not a number if oracle or generalist do not play.
        """
        if not {GENERALIST, ORACLE_NAME} <= set(self.players):
            return float("nan")
        pairs = [pair] if pair else [(pool, pool) for pool in range(len(self.pools))]
        generalist, oracle, mean = (
            sum(self.score(pair, who).mean for pair in pairs)
            for who in (GENERALIST, ORACLE_NAME, player)
        )
        return (mean - generalist) / (oracle - generalist) if oracle != generalist else np.nan
