"""Match-ups played here beside those that Canaan et al. 2022 published.

Each difference is divided by its standard error, which makes a z: of spread 1 if both programs
play the same game. Standard errors are those of our games, for as many games there. All pairs of
a program are on the same decks, so lucky decks move all of its scores together; the same is done
with our own games on other decks, to show what z look like if there is no difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.pool import agents_of
from hoad.agents.behaviour import HINTS, KNOWN, OPPORTUNITIES, PLAYS, count_behaviour
from hoad.agents.play import play
from hoad.core.progress import progress
from hoad.core.workers import work
from hoad.game.log import replay

QUANTITIES: Final = ("score", "communicativeness", "information per play")
"""Of a response in the first seat with a hypothesis, whose features they are, in the second."""


@dataclass(frozen=True)
class Measured:
    """Means and their standard errors, float64, shape ``(responses, hypotheses, 3)``.

    The last axis is `QUANTITIES`; not a number where undefined.
    """

    means: np.ndarray
    errors: np.ndarray


@dataclass(frozen=True)
class Difference:
    """How far apart two sets of match-ups are in one quantity.

    Attributes:
        pairs: how many.
        mean_difference: first minus second.
        absolute_difference: mean of its size.
        mean_z: mean of the differences in standard errors.
        spread_z: their standard deviation.
        beyond: share of the pairs that are further apart than 1.96 standard errors.
        largest_z: the largest of them by size.
    """

    pairs: int
    mean_difference: float
    absolute_difference: float
    mean_z: float
    spread_z: float
    beyond: float
    largest_z: float


def measure(agents: Sequence[str], games: int, seed: int, threads: int) -> Measured:
    """Play every ordered pair.

    Args:
        agents: names.
        games: of each pair.
        seed: of the games.
        threads: that play; the result does not depend on it.
    """
    items = [(tuple(agents), response, games, seed) for response in range(len(agents))]
    rows = []
    with progress(len(items), "match-ups to compare", "responses") as bar:
        for row in work(_measure_row, items, threads):
            rows.append(row)
            bar.update()
    means, errors = np.array(rows).transpose(2, 0, 1, 3)
    return Measured(means, errors)


def _measure_row(names: tuple[str, ...], response: int, games: int, seed: int) -> np.ndarray:
    """Return means and errors of one response, shape ``(hypotheses, 2, 3)``."""
    agents = agents_of(names)
    row = np.zeros((len(agents), 2, len(QUANTITIES)))
    for hypothesis, agent in enumerate(agents):
        logs = play([agents[response], agent], games, seed)
        scores = replay(logs).scores
        counts = count_behaviour(logs)[:, 1].astype(np.float64)
        row[hypothesis] = np.transpose(
            [
                (scores.mean(), scores.std(ddof=1) / np.sqrt(games)),
                _ratio(counts[:, HINTS], counts[:, OPPORTUNITIES]),
                _ratio(counts[:, KNOWN], 2 * counts[:, PLAYS]),
            ]
        )
    return row


def _ratio(parts: np.ndarray, wholes: np.ndarray) -> tuple[float, float]:
    """Return the ratio of sums over independent games, and its standard error."""
    total = wholes.sum()
    if total == 0:
        return np.nan, np.nan
    ratio = parts.sum() / total
    return ratio, float(np.sqrt(((parts - ratio * wholes) ** 2).sum()) / total)


def as_measured(match_ups: MatchUps, errors: np.ndarray) -> Measured:
    """Return match-ups whose standard errors are known from elsewhere."""
    shown = match_ups.expected_features(0)
    return Measured(np.concatenate([match_ups.scores(0)[..., None], shown], axis=2), errors)


def compare(first: Measured, second: Measured, pairs: np.ndarray) -> list[Difference]:
    """Compare two sets of match-ups.

    Args:
        first: one set.
        second: the other.
        pairs: which pairs count, bool, shape ``(responses, hypotheses)``.

    Returns:
        For each of `QUANTITIES`. Pairs in which it is undefined, or the same in all games of
        both, are left out.
    """
    return [_compare(first, second, pairs, index) for index in range(len(QUANTITIES))]


def _compare(first: Measured, second: Measured, pairs: np.ndarray, index: int) -> Difference:
    differences = (first.means - second.means)[..., index]
    errors = np.hypot(first.errors[..., index], second.errors[..., index])
    usable = pairs & (errors > 0) & ~np.isnan(differences)
    off = differences[usable]
    z = off / errors[usable]
    if not len(z):
        return Difference(0, *[float("nan")] * 6)
    return Difference(
        len(z),
        float(off.mean()),
        float(np.abs(off).mean()),
        float(z.mean()),
        float(z.std()),
        float((np.abs(z) > 1.96).mean()),
        float(z[np.abs(z).argmax()]),
    )
