"""The report of :mod:`hoad.studies.diversity.measure`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any, Final

from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.published import (
    PUBLISHED_AGREEMENT,
    PUBLISHED_CROSS_PLAY,
    PUBLISHED_FEATURES,
    PUBLISHED_HAMMING,
)
from hoad.studies.diversity.measure import Diversity

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


def report(result: Diversity) -> Report:
    """Return the measures of corresponding elites and of all pairs by distance of their niches.

    A row for each kind of pairs, distance and measure.
    """
    by_distance, corresponding = result.by_distance(), _corresponding(result)
    text = (
        "Manhattan distance; within: two elites of one population, between: elites of two "
        f"populations. Scores of all ordered pairs, {result.pair_games:,} games each."
    )
    caption = "Measures of pairs of elites by distance of their niches."
    blocks = [
        Paragraph(_introduction(result)),
        *_corresponding_blocks(result, corresponding),
        Heading("By distance of the niches"),
        Paragraph(text),
        Table(_distance_cells(by_distance)),
        Figure("by_distance.png", caption, partial(_draw_by_distance, by_distance)),
    ]
    rows = [
        {"pairs": kind, "distance": distance, "measure": measure, "mean": mean}
        for kind, measures in by_distance.items()
        for measure, means in measures.items()
        for distance, mean in means.items()
    ]
    keys = ("games", "pair_games", "state_games", "decisions", "corresponding_scores")
    niches, unanimity = len(result.unanimity), result.unanimity
    facts = {key: getattr(result, key) for key in keys} | {
        "populations": result.names,
        "unanimity": {"niches": niches, "mean": float(unanimity.mean()) if niches else None},
        "corresponding": corresponding,
        "by_distance": by_distance,
    }
    return result.report("Diversity of populations", blocks, rows, facts)


def _introduction(result: Diversity) -> str:
    length = max(len(e.chromosome) for population in result.populations for e in population.elites)
    return (
        "Corresponding elites are elites of two populations with the same niche. Cross-play: "
        f"{result.games:,} games in each order, lenient. Rules that differ: positions out of "
        f"{length}. Moves alike: expected share of {result.decisions:,} decisions, recorded in "
        f"{result.state_games:,} self-play games of each elite of {result.names[0]}, in which both "
        "elites make the same move; a random rule counts with the probability that both draw the "
        "same move."
    )


def _corresponding(result: Diversity) -> list[dict[str, Any]]:
    """Return the means over the corresponding elites of each pair of populations."""
    means = []
    for a, b in combinations(range(len(result.names)), 2):
        names, pairs = [result.names[a], result.names[b]], len(result.corresponding(a, b)[0])
        measures = {key: result.mean(key, a, b) for key in ("hamming", "agreement")}
        score = result.corresponding_scores[a, b]
        means.append({"populations": names, "pairs": pairs, "score": score, **measures})
    return means


def _corresponding_blocks(result: Diversity, means: Sequence[Mapping[str, Any]]) -> list[Block]:
    names, blocks = result.names, list[Block]()
    if len(names) > 1:
        rows = [["populations", "pairs", "cross-play", "rules that differ", "moves alike"]]
        for pair in means:
            measures = "{pairs} {score:.2f} {hamming:.2f} {agreement:.1%}".format(**pair)
            rows.append([" – ".join(pair["populations"]), *measures.split()])
        blocks += [Heading("Corresponding elites"), Table(rows)]
    if len(names) > 2 and len(result.unanimity):
        text = (
            f"Moves alike in all {len(names)} populations, in the {len(result.unanimity)} niches "
            f"that all have: {result.unanimity.mean():.1%}."
        )
        blocks.append(Paragraph(text))
    niches = (result.populations[0].grid, result.populations[0].features)  # the same in all
    if len(names) > 1 and niches == (_PUBLISHED_GRID, PUBLISHED_FEATURES):
        blocks.append(Paragraph(_published()))
    scores = zip(names, result.corresponding_scores, strict=True)
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
    rows = [["distance", *(f"{kind}: {_LABELS[measure]}" for kind, measure in columns)]]
    for d in sorted({distance for column in means for distance in column}):
        rows.append([str(d), *(f"{column[d]:.2f}" if d in column else "-" for column in means)])
    return rows


def _draw_by_distance(by_distance: Means) -> Any:
    panels = []
    for measure, label in _LABELS.items():
        lines = [
            Series(_KINDS[kind], list(means[measure]), list(means[measure].values()))
            for kind, means in by_distance.items()
            if means[measure]
        ]
        panels.append(Panel("Manhattan distance of the niches", label, lines, y_range=(0, None)))
    return draw_lines(panels)
