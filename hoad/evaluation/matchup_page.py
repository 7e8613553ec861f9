"""What match-ups tell, and how they compare with published ones, as a page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hoad.adhoc.matchups import GAMES, MatchUps
from hoad.adhoc.pool import Pool
from hoad.adhoc.published_matchups import read_published
from hoad.evaluation.matchup_check import QUANTITIES, Difference, as_measured, compare, measure
from hoad.evaluation.published import ACT_DIFFERENTLY
from hoad.evaluation.report.page import Block, Heading, Paragraph, Table
from hoad.evolution.elites import chromosome_of

_FIRST_SEAT_ONLY = frozenset(range(83, 105))


def summary(pool: Pool, match_ups: MatchUps) -> Iterator[Block]:
    """Yield who does best with the pool, and what that scores, for each seat."""
    rows = []
    for seat, words in enumerate(("first", "second")):
        scores = match_ups.scores(seat)
        best = int(scores.mean(axis=1).argmax())
        oracle = scores.max(axis=0)
        rows.append(
            [
                words,
                pool.label(best),
                f"{scores[best].mean():.3f}",
                f"{oracle.mean():.3f}",
                str(len(set(scores.argmax(axis=0).tolist()))),
                f"{scores.mean():.3f}",
            ]
        )
    heading = ["seat of the response", "generalist", "its score", "oracle's score"]
    yield Table([[*heading, "different responses", "mean of all"], *rows], numbers=False)


@dataclass(frozen=True)
class MatchUpCheck:
    """Our match-ups beside published ones.

    Attributes:
        population: its number.
        games: of each pair here.
        differences: by what they are compared with, group of pairs and quantity.
    """

    population: int
    games: int
    differences: Mapping[tuple[str, str, str], Difference]


def check_match_ups(
    pool: Pool, path: Path, number: int, games: int, seed: int, threads: int
) -> MatchUpCheck:
    """Compare our match-ups with the published ones, and with our own on other decks.

    Args:
        pool: the population.
        path: the published table.
        number: of the population there, from 1.
        games: of each pair here.
        seed: of our games; those on other decks have the next one.
        threads: that play.
    """
    published = read_published(path, number, pool)
    ours, others = (measure(pool.agents, games, seed + more, threads) for more in range(2))
    theirs = as_measured(published, ours.errors * np.sqrt(games / GAMES))
    differences = {
        (what, group, quantity): difference
        for what, other in (("published", theirs), ("other decks", others))
        for group, pairs in _groups(pool).items()
        for quantity, difference in zip(QUANTITIES, compare(ours, other, pairs), strict=True)
        if difference.pairs
    }
    return MatchUpCheck(number, games, differences)


def check_page(check: MatchUpCheck) -> Iterator[Block]:
    """Yield how far our match-ups are from the published ones, and from our own."""
    yield Heading(f"Match-ups beside the published ones: population {check.population}")
    yield Paragraph(
        f"{check.games} games of each pair, response in the first seat; features are the "
        "hypothesis's. z is the difference in standard errors of the difference, where games are "
        "taken to be spread there as here. All pairs of a program are on the same decks, whose "
        "luck moves all z together: hence our own match-ups on other decks below. Apart are pairs "
        "with rules 78 to 82, where the published program ends games, and pairs whose hypothesis "
        "has rules 83 to 104, which never hint in the second seat, here as there."
    )
    heading = ["compared with", "pairs with", "of the hypothesis", "pairs", "mean difference"]
    heading += ["mean absolute", "mean z", "SD of z", "|z| > 1.96", "largest z"]
    rows = [[*words, *_numbers(found)] for words, found in check.differences.items()]
    yield Table([heading, *rows], numbers=False)


def _numbers(found: Difference) -> list[str]:
    return [
        str(found.pairs),
        f"{found.mean_difference:+z.3f}",
        f"{found.absolute_difference:.3f}",
        f"{found.mean_z:+z.2f}",
        f"{found.spread_z:.2f}",
        f"{found.beyond:.1%}",
        f"{found.largest_z:+z.1f}",
    ]


def _groups(pool: Pool) -> dict[str, np.ndarray]:
    """Return which pairs are in each group, bool, shape ``(agents, agents)``."""
    rules = [set(chromosome_of(name)) for name in pool.agents]
    ending = np.array([bool(own & ACT_DIFFERENTLY) for own in rules])
    silent = np.array([bool(own & _FIRST_SEAT_ONLY) for own in rules])
    with_ending = ending[:, None] | ending
    with_silent = ~with_ending & silent
    return {
        "none of these rules": ~with_ending & ~with_silent,
        "rules 83 to 104": with_silent,
        "rules 78 to 82": with_ending,
    }
