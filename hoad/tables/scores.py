"""The cells of a table, and their scores: means, intervals and tests over cells."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np

from hoad.adhoc_player import Beliefs, Episodes
from hoad.players.roster import TablePartner
from hoad.reports.statistics import (
    Comparison,
    Estimate,
    estimate,
    group_means,
    holm,
    means_by_game,
    paired_test,
    welch_test,
)
from hoad.tables.meta_training import MetaTraining

ALL_PARTNERS: Final = "all partners"
"""The row of means over all partners of an ad-hoc table."""

SEATS: Final = {"both": (0, 1), "partner first": (1,), "player first": (0,)}
"""By name, the seats of the player of which games are counted."""

Row = TypeVar("Row", bound=Hashable)


class CellKey(NamedTuple):
    """Which cell of a table: the partner, and the name of the player in the recipe.

    ``knows`` names the pool that the player has learned from; it is empty in tables in which all
    players learn from the same agents.
    """

    knows: str
    partner: TablePartner
    player: str


@dataclass(frozen=True)
class Cell:
    """The games of one player with one partner.

    Attributes:
        repetitions: the repetition of each episode, ints from 0, shape ``(episodes,)`` (see
            :meth:`hoad.adhoc_player.AdhocPlayer.repetitions`).
        made_with: :func:`hoad.core.provenance.provenance`, and perhaps ``commits``, several.
        seconds: wall time of the games and of learning, divided by the number of workers.
        trainings: of the player's meta-models, as far as they are known.
    """

    episodes: Episodes
    repetitions: np.ndarray
    made_with: Mapping[str, Any]
    seconds: float = 0.0
    beliefs: Beliefs | None = None
    trainings: tuple[MetaTraining, ...] = ()

    def scores(self, score: str, seat: str = "both") -> np.ndarray:
        """Return the scores of the games in which the player had this seat, one of `SEATS`.

        Float64, ``(episodes, games)``; the score is one of
        :data:`hoad.reports.statistics.SCORES`.
        """
        scores: np.ndarray = getattr(self.episodes, score)
        return scores[:, np.isin(self.episodes.seats, SEATS[seat])].astype(np.float64)


FEWEST_TO_TEST: Final = 5
"""Repetitions from which on reports say which players are not significantly worse than the best."""


class Comparisons(NamedTuple):
    """The difference between two players over the partners of a row, and three tests of it.

    Attributes:
        paired: pairs are repetitions on the same decks, of the player that has fewer.
        welch: over the repetitions of each.
        by_partner: paired; pairs are the means with each partner. Only this test says something
            about partners that are not in the table.
        difference: mean and interval of the pairs' differences.
    """

    paired: Comparison
    welch: Comparison
    by_partner: Comparison
    difference: Estimate


@dataclass(frozen=True)
class Finding:
    """How often, and how soon, a belief finds partners that are among its hypotheses.

    Attributes:
        belief: mean belief in the partner before each game, shape ``(games,)``.
        found: share of episodes with the partner as the single most likely hypothesis, likewise.
        ever: share of the episodes in which that is so before the last game.
        soon: median of the first game, counted from 1, from which on that is so; of those episodes.
    """

    belief: np.ndarray
    found: np.ndarray
    ever: float
    soon: float


def find_partners(beliefs: Sequence[Beliefs]) -> Finding | None:
    """Return how beliefs about several partners found them, over all of their episodes.

    None without beliefs, or if a partner is none of the hypotheses.
    """
    if not beliefs or any(np.isnan(of_partner.found).any() for of_partner in beliefs):
        return None
    was_found = np.array([of_partner.found for of_partner in beliefs], dtype=np.bool_)
    until_the_end = np.flip(np.cumprod(np.flip(was_found, -1), axis=-1), -1).sum(-1)
    first = was_found.shape[-1] - until_the_end[until_the_end > 0] + 1
    soon = float(np.median(first)) if len(first) else np.nan
    belief = np.array([of_partner.in_partner for of_partner in beliefs]).mean(axis=(0, 1))
    return Finding(belief, was_found.mean(axis=(0, 1)), float((until_the_end > 0).mean()), soon)


@dataclass(frozen=True)
class ScoreTable(Generic[Row]):
    """The scores of all cells: the same episodes, decks and seats in each.

    ``rows`` has the cells that each row is the mean over: what players know, and the partner.
    """

    rows: Mapping[Row, Sequence[tuple[str, TablePartner]]]
    players: tuple[str, ...]
    cells: Mapping[CellKey, Cell]

    def cells_of(self, row: Row, player: str) -> list[Cell]:
        """Return the cells of a row, in order."""
        return [self.cells[CellKey(*place, player)] for place in self.rows[row]]

    def scores(self, row: Row, player: str, score: str, seat: str = "both") -> np.ndarray:
        """Return the scores (see :meth:`Cell.scores`), means over the partners of a row."""
        scores = [cell.scores(score, seat) for cell in self.cells_of(row, player)]
        return np.mean(scores, axis=0)

    def repetitions(self, player: str) -> np.ndarray:
        """Return the repetition of each episode, which is the same for all partners."""
        return self.cells_of(next(iter(self.rows)), player)[0].repetitions

    def over_repetitions(self, row: Row, player: str, score: str, seat: str = "both") -> Estimate:
        """Return mean and interval, where the means of repetitions are the independent values."""
        scores = self.scores(row, player, score, seat)
        return estimate(group_means(scores, self.repetitions(player)))

    def over_games(self, row: Row, player: str, score: str, seat: str = "both") -> Estimate:
        """Return mean and interval, as if each game were independent of the others."""
        return estimate(self.scores(row, player, score, seat))

    def by_game(self, row: Row, player: str, score: str) -> list[Estimate]:
        """Return mean and interval, over repetitions, of each game number in an episode."""
        return means_by_game(self.scores(row, player, score), self.repetitions(player))

    def best(self, row: Row, players: Sequence[str], score: str) -> tuple[str, set[str]]:
        """Return the best of some players, and those that are not significantly worse.

        The tests are paired, over repetitions, with Holm's correction for their number, at 5 %.
        Players with fewer than `FEWEST_TO_TEST` repetitions, with which hardly any difference is
        significant, are not returned.
        """
        means = {p: self.over_repetitions(row, p, score).mean for p in players}
        best = max(means, key=means.__getitem__)
        others = [player for player in players if player != best]
        p = holm([self.compare(row, best, other, score).paired.p for other in others])
        close = {other for other, value in zip(others, p, strict=True) if not value < 0.05}
        return best, {other for other in close if self.can_compare(best, other)}

    def can_compare(self, *players: str) -> bool:
        """Return whether players have enough repetitions for a test to find a difference."""
        return all(len(np.unique(self.repetitions(p))) >= FEWEST_TO_TEST for p in players)

    def pairs(self) -> list[tuple[str, str]]:
        """Return every two players."""
        return list(combinations(self.players, 2))

    def compare(self, row: Row, first: str, second: str, score: str) -> Comparisons:
        """Compare two players over the partners of a row."""
        both = (first, second)
        scores = [self.scores(row, player, score) for player in both]
        groups = [self.repetitions(player) for player in both]
        coarser = min(groups, key=lambda repetitions: int(repetitions.max()))
        pairs = [group_means(values, coarser) for values in scores]
        means = map(group_means, scores, groups)
        by_partner = [
            np.array([group_means(cell.scores(score), own).mean() for cell in cells])
            for cells, own in zip((self.cells_of(row, p) for p in both), groups, strict=True)
        ]
        tests = paired_test(*pairs), welch_test(*means), paired_test(*by_partner)
        return Comparisons(*tests, estimate(pairs[0] - pairs[1]))
