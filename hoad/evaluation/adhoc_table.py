"""The ad-hoc table: a row a held-out partner, a column a player, all on the same decks."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from hoad.adhoc.session import Session
from hoad.evaluation.statistics import (
    Comparison,
    Estimate,
    by_game,
    estimate,
    group_means,
    paired,
    welch,
)

SEATS: Final = {"both": (0, 1), "partner first": (1,), "player first": (0,)}
"""Which seats of the ad-hoc player count."""

ALL_PARTNERS: Final = "all partners"
"""Stands for the mean over the rows."""

ALL_BUT_RAINBOW: Final = "all but rainbow"
"""Stands for the mean without Rainbow: everybody's is a network of their own, another partner."""


@dataclass(frozen=True)
class Cell:
    """The games of one player with one partner.

    Attributes:
        session: the games.
        repetitions: of what each episode is part: its trial for players that learn the partner
            anew in each trial, else itself; ints from 0, shape ``(episodes,)``.
    """

    session: Session
    repetitions: np.ndarray

    def scores(self, score: str, seat: str = "both") -> np.ndarray:
        """Return the scores of the games in which the player had this seat.

        Args:
            score: one of `SCORES`.
            seat: one of `SEATS`.

        Returns:
            float64, shape ``(episodes, games)``.
        """
        wanted = np.isin(self.session.seats, SEATS[seat])
        found: np.ndarray = getattr(self.session, score)[:, wanted]
        return found.astype(np.float64)


class Comparisons(NamedTuple):
    """How two players compare over all partners, by three tests of the same difference.

    Attributes:
        paired: pairs are repetitions on the same decks, of whichever player has fewer.
        welch: over the repetitions of each.
        by_partner: paired; pairs are the means with each partner. Unlike the other two it tells
            something about partners that are not in the table.
    """

    paired: Comparison
    welch: Comparison
    by_partner: Comparison


@dataclass(frozen=True)
class AdhocTable:
    """All cells: the same episodes, decks and seats in each.

    Attributes:
        partners: rows.
        players: columns.
        cells: by partner and player.
    """

    partners: tuple[str, ...]
    players: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]

    @property
    def rows(self) -> tuple[str, ...]:
        """The partners; if there are several, then also their mean, and that without Rainbow."""
        means = [ALL_PARTNERS] if len(self.partners) > 1 else []
        means += [ALL_BUT_RAINBOW] if len(self.partners) > 2 and "rainbow" in self.partners else []
        return (*self.partners, *means)

    def partners_of(self, row: str) -> tuple[str, ...]:
        """Return the partners whose mean a row is; of most rows it is one."""
        if row == ALL_BUT_RAINBOW:
            return tuple(partner for partner in self.partners if partner != "rainbow")
        return self.partners if row == ALL_PARTNERS else (row,)

    def scores(self, row: str, player: str, score: str, seat: str = "both") -> np.ndarray:
        """Return the scores (see :meth:`Cell.scores`), means over the partners of a row."""
        cells = [self.cells[partner, player] for partner in self.partners_of(row)]
        return np.mean([cell.scores(score, seat) for cell in cells], axis=0)

    def repetitions(self, player: str) -> np.ndarray:
        """Return of what each episode is part (see `Cell`), which no partner changes."""
        return self.cells[self.partners[0], player].repetitions

    def over_repetitions(self, row: str, player: str, score: str, seat: str = "both") -> Estimate:
        """Return mean and interval, where the means of repetitions are the independent values."""
        scores = self.scores(row, player, score, seat)
        return estimate(group_means(scores, self.repetitions(player)))

    def over_games(self, row: str, player: str, score: str, seat: str = "both") -> Estimate:
        """Return mean and interval, as if each game were independent of the others."""
        return estimate(self.scores(row, player, score, seat))

    def by_game(self, row: str, player: str, score: str) -> list[Estimate]:
        """Return mean and interval, over repetitions, of each game number in an episode."""
        return by_game(self.scores(row, player, score), self.repetitions(player))

    def comparisons(self, score: str) -> dict[tuple[str, str], Comparisons]:
        """Compare every two players over all partners.

        Returns:
            The three tests, by the two players.
        """
        return {
            (first, second): self._compare(first, second, score)
            for first, second in combinations(self.players, 2)
        }

    def _compare(self, first: str, second: str, score: str) -> Comparisons:
        scores = [self.scores(ALL_PARTNERS, player, score) for player in (first, second)]
        groups = [self.repetitions(player) for player in (first, second)]
        coarser = min(groups, key=lambda repetitions: int(repetitions[-1]))
        pairs = [group_means(values, coarser) for values in scores]
        means = [group_means(values, own) for values, own in zip(scores, groups, strict=True)]
        by_partner = [
            np.array([self.scores(partner, player, score).mean() for partner in self.partners])
            for player in (first, second)
        ]
        return Comparisons(paired(*pairs), welch(*means), paired(*by_partner))
