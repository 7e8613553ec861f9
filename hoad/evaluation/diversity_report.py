"""The diversity of populations as a page with a figure, as JSON and as CSV."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final

from hoad.core.files import make_folder
from hoad.evaluation.diversity import Diversity
from hoad.evaluation.population_figures import draw_by_distance
from hoad.evaluation.published import (
    PUBLISHED_AGREEMENT,
    PUBLISHED_CROSS_PLAY,
    PUBLISHED_FEATURES,
    PUBLISHED_HAMMING,
)
from hoad.evaluation.report.old import (
    Block,
    Heading,
    Paragraph,
    Table,
    csv_text,
    how_it_was_made,
    old_figure,
    write_report,
)

COLUMNS: Final = ("pairs", "distance", "measure", "mean")
"""Of the CSV file: pairs of one population or of two, by Manhattan distance of their niches."""

WORDS: Final = {
    "hamming": "rules that differ",
    "agreement": "share of moves alike",
    "score": "mean lenient score",
}
"""The measures as tables and figures say it."""

_PUBLISHED_GRID: Final = (20, 20)


def write_diversity_report(
    found: Diversity, made_with: Mapping[str, str | int], folder: Path
) -> Path:
    """Write page, figure, JSON and CSV into a folder; return the page.

    Args:
        found: what was measured.
        made_with: :func:`hoad.core.provenance.provenance`.
        folder: made if it is missing.

    Raises:
        HoadError: nothing can be written there.
    """
    make_folder(folder)
    picture = folder / "by_distance.png"
    draw_by_distance(found, WORDS, picture)
    page = [
        *diversity_page(found),
        old_figure(picture, "Pairs of elites, by how far their niches are from each other."),
        *how_it_was_made(made_with, found.seed, {"games": found.seconds}),
    ]
    numbers = as_mapping(found) | {"made_with": made_with}
    return write_report(folder, page, numbers, as_csv(found))


def diversity_page(found: Diversity) -> Iterator[Block]:
    """Yield the page without its figure, which a terminal shows too."""
    length = max(len(e.chromosome) for population in found.populations for e in population.elites)
    yield Heading("How different populations are", level=1)
    yield Paragraph(
        "Corresponding elites are those of the same niche of two populations. Cross-play: "
        f"{found.games:,} games in each order, lenient. Rules that differ, place by place, of "
        f"{length}. Moves alike: what is expected of both elites at {found.decisions:,} decisions "
        f"recorded in {found.state_games:,} games of self-play of each elite of "
        f"{found.populations[0].name}; a rule that draws by chance counts with the probability "
        "that both draw the same."
    )
    if len(found.populations) > 1:
        yield Heading("Corresponding elites")
        yield Table(_pairs(found))
    if len(found.populations) > 2 and len(found.unanimity):
        yield Paragraph(
            f"Moves alike of all {len(found.populations)} at once, in the "
            f"{len(found.unanimity)} niches that all have: {found.unanimity.mean():.1%}."
        )
    if _is_comparable(found):
        yield Paragraph(
            "Canaan et al. 2020, three runs of 20 × 20 niches: cross-play "
            f"{_listed(PUBLISHED_CROSS_PLAY[a][b] for a, b in combinations(range(3), 2))} "
            "(runs 1-2, 1-3, 2-3), self-play "
            f"{_listed(PUBLISHED_CROSS_PLAY[a][a] for a in range(3))}; rules that differ "
            f"{_listed(PUBLISHED_HAMMING.values())} of 15 (counted on their published rules); "
            f"moves alike {PUBLISHED_AGREEMENT:.0%}, which their published elites reach if all "
            "three are compared at once."
        )
    yield Heading("Cross-play of corresponding elites")
    names = [population.name for population in found.populations]
    yield Table(
        [
            ["population", *names],
            *(
                [name, *(f"{score:.2f}" for score in row)]
                for name, row in zip(names, found.corresponding_scores, strict=True)
            ),
        ]
    )
    yield Heading("By distance of the niches")
    yield Paragraph(
        "Manhattan distance; within: two elites of one population, between: of two. "
        f"Scores of all ordered pairs, {found.pair_games:,} games each."
    )
    yield Table(_by_distance_rows(found))


def as_mapping(found: Diversity) -> dict[str, Any]:
    """Return what is written as JSON."""
    names = [population.name for population in found.populations]
    return {
        "populations": names,
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
        "corresponding_scores": found.corresponding_scores,
        "corresponding": [
            {
                "populations": [names[a], names[b]],
                "pairs": len(found.corresponding(a, b)[0]),
                "score": found.corresponding_scores[a, b],
                "hamming": found.mean("hamming", a, b),
                "agreement": found.mean("agreement", a, b),
            }
            for a, b in combinations(range(len(names)), 2)
        ],
        "by_distance": by_distance(found),
    }


def as_csv(found: Diversity) -> str:
    """Return a line for each kind of pairs, distance and measure; columns are `COLUMNS`."""
    rows = [
        [pairs, distance, measure, mean]
        for pairs, measures in by_distance(found).items()
        for measure, means in measures.items()
        for distance, mean in means.items()
    ]
    return csv_text(COLUMNS, rows)


def by_distance(found: Diversity) -> dict[str, dict[str, dict[int, float]]]:
    """Return mean measures by Manhattan distance, of pairs within a population and between two."""
    kinds = {"within": found.within()}
    if len(found.populations) > 1:
        kinds["between"] = found.between()
    return {
        kind: {measure: found.by_distance(measure, pairs) for measure in found.measures}
        for kind, pairs in kinds.items()
    }


def _pairs(found: Diversity) -> list[list[str]]:
    names = [population.name for population in found.populations]
    rows = [
        [
            f"{names[a]} – {names[b]}",
            str(len(found.corresponding(a, b)[0])),
            f"{found.corresponding_scores[a, b]:.2f}",
            f"{found.mean('hamming', a, b):.2f}",
            f"{found.mean('agreement', a, b):.1%}",
        ]
        for a, b in combinations(range(len(names)), 2)
    ]
    return [["populations", "pairs", "cross-play", "rules that differ", "moves alike"], *rows]


def _by_distance_rows(found: Diversity) -> list[list[str]]:
    kinds = by_distance(found)
    columns = list(product(kinds, found.measures))
    distances = sorted({d for kind, measure in columns for d in kinds[kind][measure]})
    rows = [
        [str(distance), *(_show(kinds[kind][measure].get(distance)) for kind, measure in columns)]
        for distance in distances
    ]
    return [["distance", *(f"{kind}: {WORDS[measure]}" for kind, measure in columns)], *rows]


def _show(mean: float | None) -> str:
    return "-" if mean is None else f"{mean:.2f}"


def _listed(values: Any) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def _is_comparable(found: Diversity) -> bool:
    """Whether several populations have the niches of the published comparison."""
    first = found.populations[0]
    niches = (first.grid, first.features)
    return len(found.populations) > 1 and niches == (_PUBLISHED_GRID, PUBLISHED_FEATURES)
