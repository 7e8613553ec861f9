"""The report of :mod:`hoad.evaluation.diversity.measure`."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final

from hoad.evaluation.diversity.measure import Diversity
from hoad.evaluation.published import (
    PUBLISHED_AGREEMENT,
    PUBLISHED_CROSS_PLAY,
    PUBLISHED_FEATURES,
    PUBLISHED_HAMMING,
)
from hoad.evaluation.report.output import how_it_was_made
from hoad.evaluation.report.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.evaluation.report.plots import Panel, Series, draw_lines

_LABELS: Final = {
    "hamming": "rules that differ",
    "agreement": "share of moves alike",
    "score": "mean lenient score",
}
"""The measures in tables and figures."""

_KINDS: Final = {"within": "of one population", "between": "of two populations"}

_PUBLISHED_GRID: Final = (20, 20)

Means = Mapping[str, Mapping[str, Mapping[int, float]]]
"""Means of measures by distance, see :meth:`Diversity.by_distance`."""


def report(found: Diversity) -> Report:
    """Return the measures of corresponding elites and of all pairs by distance of their niches.

    A row for each kind of pairs, distance and measure.
    """
    by_distance, corresponding = found.by_distance(), _corresponding(found)
    blocks = [Paragraph(_introduction(found)), *_corresponding_blocks(found, corresponding)]
    blocks += [
        Heading("By distance of the niches"),
        Paragraph(
            "Manhattan distance; within: two elites of one population, between: elites of two "
            f"populations. Scores of all ordered pairs, {found.pair_games:,} games each."
        ),
        Table(_distance_cells(by_distance)),
        Figure(
            "by_distance.png",
            "Measures of pairs of elites by distance of their niches.",
            lambda: draw_lines(_distance_panels(by_distance)),
        ),
    ]
    rows = [
        {"pairs": kind, "distance": distance, "measure": measure, "mean": mean}
        for kind, measures in by_distance.items()
        for measure, means in measures.items()
        for distance, mean in means.items()
    ]
    return Report(
        "Diversity of populations",
        blocks,
        rows,
        _facts(found) | {"corresponding": corresponding, "by_distance": by_distance},
        list(how_it_was_made(found.made_with, found.seed, {"games": found.seconds})),
    )


def _introduction(found: Diversity) -> str:
    length = max(len(e.chromosome) for one in found.populations for e in one.elites)
    return (
        "Corresponding elites are elites of two populations with the same niche. Cross-play: "
        f"{found.games:,} games in each order, lenient. Rules that differ: positions out of "
        f"{length}. Moves alike: expected share of {found.decisions:,} decisions, recorded in "
        f"{found.state_games:,} self-play games of each elite of {found.names[0]}, in which both "
        "elites make the same move; a random rule counts with the probability that both draw the "
        "same move."
    )


def _corresponding(found: Diversity) -> list[dict[str, Any]]:
    """Return the means over the corresponding elites of each pair of populations."""
    return [
        {
            "populations": [found.names[a], found.names[b]],
            "pairs": len(found.corresponding(a, b)[0]),
            "score": found.corresponding_scores[a, b],
            "hamming": found.mean("hamming", a, b),
            "agreement": found.mean("agreement", a, b),
        }
        for a, b in combinations(range(len(found.names)), 2)
    ]


def _corresponding_blocks(found: Diversity, means: Sequence[Mapping[str, Any]]) -> list[Block]:
    names, blocks = found.names, list[Block]()
    if len(names) > 1:
        rows = [
            [
                " – ".join(one["populations"]),
                str(one["pairs"]),
                f"{one['score']:.2f}",
                f"{one['hamming']:.2f}",
                f"{one['agreement']:.1%}",
            ]
            for one in means
        ]
        heading = ["populations", "pairs", "cross-play", "rules that differ", "moves alike"]
        blocks += [Heading("Corresponding elites"), Table([heading, *rows])]
    if len(names) > 2 and len(found.unanimity):
        text = (
            f"Moves alike in all {len(names)} populations, in the {len(found.unanimity)} niches "
            f"that all have: {found.unanimity.mean():.1%}."
        )
        blocks.append(Paragraph(text))
    if len(names) > 1 and all(
        (one.grid, one.features) == (_PUBLISHED_GRID, PUBLISHED_FEATURES)
        for one in found.populations
    ):
        blocks.append(Paragraph(_published()))
    scores = zip(names, found.corresponding_scores, strict=True)
    cells = [[name, *(f"{score:.2f}" for score in row)] for name, row in scores]
    blocks.append(Heading("Cross-play of corresponding elites"))
    return [*blocks, Table([["population", *names], *cells])]


def _published() -> str:
    scores, runs = PUBLISHED_CROSS_PLAY, range(3)
    return (
        "Canaan et al. 2020, three runs of 20 × 20 niches: cross-play "
        f"{_listed(scores[a][b] for a, b in combinations(runs, 2))} (runs 1-2, 1-3, 2-3), "
        f"self-play {_listed(scores[a][a] for a in runs)}; rules that differ "
        f"{_listed(PUBLISHED_HAMMING.values())} of 15 (computed from the published rules); moves "
        f"alike {PUBLISHED_AGREEMENT:.0%}, which is the value of the published elites when all "
        "three runs are compared at once."
    )


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def _distance_cells(by_distance: Means) -> list[list[str]]:
    columns = list(product(by_distance, _LABELS))
    means = [by_distance[kind][measure] for kind, measure in columns]
    distances = sorted({distance for column in means for distance in column})
    rows = [
        [str(d), *(f"{column[d]:.2f}" if d in column else "-" for column in means)]
        for d in distances
    ]
    return [["distance", *(f"{kind}: {_LABELS[measure]}" for kind, measure in columns)], *rows]


def _distance_panels(by_distance: Means) -> list[Panel]:
    return [
        Panel(
            "Manhattan distance of the niches",
            label,
            [
                Series(_KINDS[kind], list(means[measure]), list(means[measure].values()), index)
                for index, (kind, means) in enumerate(by_distance.items())
                if means[measure]
            ],
            y_range=(0, None),
        )
        for measure, label in _LABELS.items()
    ]


def _facts(found: Diversity) -> dict[str, Any]:
    return {
        "populations": found.names,
        "games": found.games,
        "pair_games": found.pair_games,
        "state_games": found.state_games,
        "decisions": found.decisions,
        "unanimity": {
            "niches": len(found.unanimity),
            "mean": float(found.unanimity.mean()) if len(found.unanimity) else None,
        },
        "seed": found.seed,
        "seconds": found.seconds,
        "made_with": found.made_with,
        "corresponding_scores": found.corresponding_scores,
    }
