"""Reports on matchups: their summary, and their comparison with published ones.

Each difference from a published matchup is divided by its standard error, which gives a z: of
standard deviation 1 if both programs play the same game. Standard errors are those of our games,
for as many games there. All pairs of a program share their decks, so lucky decks move all scores
together; hence our own games on other decks show the z of programs that do not differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from hoad.agents.behaviour import HINTS, KNOWN, OPPORTUNITIES, PLAYS, count_behaviour
from hoad.agents.games import play
from hoad.bayes.matchups import Matchups, read_published
from hoad.bayes.pool import Pool, agents_of
from hoad.bayes.settings import MATCHUP_GAMES
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.evolution.population import chromosome_of
from hoad.game.log import replay
from hoad.reports.page import Block, Heading, Paragraph, Table
from hoad.reports.published import ACT_DIFFERENTLY
from hoad.reports.statistics import ratio_of_sums

QUANTITIES: Final = ("score", "communicativeness", "information per play")
"""Of a response in the first seat with a hypothesis in the second; features are the latter's."""


class Measured(NamedTuple):
    """Means and their standard errors, float64, shape ``(responses, hypotheses, 3)``.

    The last axis is `QUANTITIES`; not a number where undefined.
    """

    means: np.ndarray
    errors: np.ndarray


@dataclass(frozen=True)
class Difference:
    """How far apart two sets of matchups are in one quantity, over ``pairs`` pairs.

    Attributes:
        mean_difference, absolute_difference: means of first minus second, and of its size.
        mean_z, spread_z: mean and standard deviation of the differences in standard errors.
        beyond: share of the pairs that are further apart than 1.96 standard errors.
        largest_z: the largest difference in standard errors by size.
    """

    pairs: int
    mean_difference: float
    absolute_difference: float
    mean_z: float
    spread_z: float
    beyond: float
    largest_z: float


def measure(agents: Sequence[str], games: int, seed: int, threads: int) -> Measured:
    """Play ``games`` games of every ordered pair; the result does not depend on the threads."""
    items = [(tuple(agents), response, games, seed) for response in range(len(agents))]
    rows = work(_measure_row, items, threads)
    bar = counted(rows, [1] * len(items), "matchups to compare", "responses")
    return Measured(*np.array(list(bar)).transpose(2, 0, 1, 3))


def _measure_row(names: tuple[str, ...], response: int, games: int, seed: int) -> np.ndarray:
    """Return means and errors of one response, shape ``(hypotheses, 2, 3)``."""
    agents = agents_of(names)
    row = np.zeros((len(agents), 2, len(QUANTITIES)))
    for hypothesis, agent in enumerate(agents):
        logs = play([agents[response], agent], games, seed)
        scores = replay(logs).scores
        counts = count_behaviour(logs)[:, 1].astype(np.float64)
        score = (scores.mean(), scores.std(ddof=1) / np.sqrt(games))
        hints = ratio_of_sums(counts[:, HINTS], counts[:, OPPORTUNITIES])
        known = ratio_of_sums(counts[:, KNOWN], 2 * counts[:, PLAYS])
        row[hypothesis] = np.transpose([score, hints, known])
    return row


def as_measured(matchups: Matchups, errors: np.ndarray) -> Measured:
    """Return matchups with standard errors that are known from elsewhere."""
    shown = matchups.expected_features(0)
    return Measured(np.concatenate([matchups.scores(0)[..., None], shown], axis=2), errors)


def compare(first: Measured, second: Measured, pairs: np.ndarray) -> list[Difference]:
    """Return the differences of two sets of matchups in each of `QUANTITIES`.

    Only ``pairs`` count, bool, shape ``(responses, hypotheses)``. Pairs in which a quantity is
    undefined, or the same in all games of both, are left out.
    """
    differences, errors = first.means - second.means, np.hypot(first.errors, second.errors)
    usable = pairs[..., None] & (errors > 0) & ~np.isnan(differences)
    return [
        _difference(differences[..., index][chosen], errors[..., index][chosen])
        for index, chosen in enumerate(np.moveaxis(usable, -1, 0))
    ]


def _difference(off: np.ndarray, errors: np.ndarray) -> Difference:
    z = off / errors
    if not len(z):
        return Difference(0, *[float("nan")] * 6)
    beyond, largest = (np.abs(z) > 1.96).mean(), z[np.abs(z).argmax()]
    measures = (off.mean(), np.abs(off).mean(), z.mean(), z.std(), beyond, largest)
    return Difference(len(z), *map(float, measures))


def summary(pool: Pool, matchups: Matchups) -> Iterator[Block]:
    """Yield the agent that plays best with the pool, and its score, for each seat."""
    rows = []
    for seat, words in enumerate(("first", "second")):
        scores = matchups.scores(seat)
        best = int(scores.mean(axis=1).argmax())
        means = [f"{values.mean():.3f}" for values in (scores[best], scores.max(axis=0), scores)]
        different = str(len(np.unique(scores.argmax(axis=0))))
        rows.append([words, pool.label(best), *means[:2], different, means[2]])
    heading = ["seat of the response", "generalist", "its score", "oracle's score"]
    yield Table([[*heading, "different responses", "mean of all"], *rows], numbers=False)


@dataclass(frozen=True)
class MatchupCheck:
    """Our matchups, ``games`` of each pair, compared with those of a published population.

    The differences are by what is compared with ours, group of pairs and quantity.
    """

    population: int
    games: int
    differences: Mapping[tuple[str, str, str], Difference]


def check_matchups(
    pool: Pool, path: Path, number: int, games: int, seed: int, threads: int
) -> MatchupCheck:
    """Compare our matchups with the published ones, and with our own on other decks.

    ``path`` and ``number`` are those of :func:`read_published`; ``games`` are those of each
    pair; our games on other decks have the seed after ``seed``.
    """
    published = read_published(path, number, pool)
    ours, others = (measure(pool.agents, games, seed + more, threads) for more in range(2))
    theirs = as_measured(published, ours.errors * np.sqrt(games / MATCHUP_GAMES))
    differences = {
        (what, group, quantity): difference
        for what, other in (("published", theirs), ("other decks", others))
        for group, pairs in _groups(pool).items()
        for quantity, difference in zip(QUANTITIES, compare(ours, other, pairs), strict=True)
        if difference.pairs
    }
    return MatchupCheck(number, games, differences)


def check_facts(check: MatchupCheck) -> dict[str, Any]:
    """Return the same, for JSON."""
    differences = [
        {"compared_with": what, "pairs_with": group, "quantity": quantity} | asdict(difference)
        for (what, group, quantity), difference in check.differences.items()
    ]
    return {"population": check.population, "games": check.games, "differences": differences}


def check_page(check: MatchupCheck) -> Iterator[Block]:
    """Yield how far our matchups are from the published ones, and from our own."""
    yield Heading(f"Matchups compared with the published ones: population {check.population}")
    yield Paragraph(
        f"Each pair plays {check.games} games. The response sits in the first seat; the features "
        "are those of the hypothesis. z is the difference in standard errors of the difference; "
        "the published scores are assumed to have the same spread as ours. All pairs of a program "
        "play the same decks, so chance moves all z together: our own matchups on other decks, "
        "below, show how much. Listed apart are pairs with rules 78 to 82, where the published "
        "program ends games, and pairs whose hypothesis has rules 83 to 104, which never hint in "
        "the second seat in either program."
    )
    heading = ["compared with", "pairs with", "of the hypothesis", "pairs", "mean difference"]
    heading += ["mean absolute", "mean z", "SD of z", "|z| > 1.96", "largest z"]
    cells = ["{pairs}", "{mean_difference:+z.3f}", "{absolute_difference:.3f}", "{mean_z:+z.2f}"]
    cells += ["{spread_z:.2f}", "{beyond:.1%}", "{largest_z:+z.1f}"]
    rows = [
        [*words, *(cell.format(**vars(difference)) for cell in cells)]
        for words, difference in check.differences.items()
    ]
    yield Table([heading, *rows], numbers=False)


def _groups(pool: Pool) -> dict[str, np.ndarray]:
    """Return which pairs are in each group, bool, ``(agents, agents)``."""
    rules = [set(chromosome_of(name)) for name in pool.agents]
    ending = np.array([bool(own & ACT_DIFFERENTLY) for own in rules])
    silent = np.array([bool(own & {*range(83, 105)}) for own in rules])
    with_ending = ending[:, None] | ending
    with_silent = ~with_ending & silent
    return {
        "none of these rules": ~with_ending & ~with_silent,
        "rules 83 to 104": with_silent,
        "rules 78 to 82": with_ending,
    }
