"""The table of populations as a page with heat maps, as JSON and as CSV."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import make_folder, safe_name, write_atomically
from hoad.evaluation.population_figures import draw_pairwise
from hoad.evaluation.population_table import Judged, PopulationTable
from hoad.evaluation.published import PUBLISHED_FEATURES, PUBLISHED_RUNS, PublishedRun
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
from hoad.evolution.heat_map import draw_heat_map, png_of

COLUMNS: Final = (
    "population",
    "first_index",
    "second_index",
    "self_play",
    "pairwise_moving_first",
    "pairwise_moving_second",
    "chromosome",
)
"""Of the CSV file: a line for each elite."""

_HEADING: Final = (
    "population",
    "niches",
    "coverage",
    "best",
    "mean",
    "QD score",
    "pairwise",
    "correlation, first (r)",
    "correlation, second (h)",
)


def write_population_report(
    table: PopulationTable, made_with: Mapping[str, str | int], folder: Path
) -> Path:
    """Write page, figures, JSON and CSV into a folder; return the page.

    Args:
        table: what was played.
        made_with: :func:`hoad.core.provenance.provenance`.
        folder: made if it is missing.

    Raises:
        HoadError: nothing can be written there, or two figures would have the same file name.
    """
    names = ["pairwise", *(safe_name(judged.population.name) for judged in table.judged)]
    for name in names:
        if names.count(name) > 1:
            raise HoadError(f"{name}.png: two figures would have this name; rename a population")
    make_folder(folder)
    page = list(population_page(table))
    for judged in table.judged:
        path = folder / f"{safe_name(judged.population.name)}.png"
        with write_atomically(path) as file:
            file.write(png_of(draw_heat_map(judged.population)))
        page += [old_figure(path, f"Self-play scores of {judged.population.name} by niche.")]
    draw_pairwise(table, folder / "pairwise.png")
    page += [
        old_figure(
            folder / "pairwise.png",
            "Each elite's score in self-play, and its mean score with all of its population.",
        ),
        *how_it_was_made(made_with, table.seed, {"games": table.seconds}),
    ]
    numbers = as_mapping(table) | {"made_with": made_with}
    return write_report(folder, page, numbers, as_csv(table))


def population_page(table: PopulationTable) -> Iterator[Block]:
    """Yield the page without its figures, which a terminal shows too."""
    yield Heading("Populations of MAP-Elites", level=1)
    yield Paragraph(
        f"Elites judged anew: {table.games:,} games of self-play each, {table.pair_games:,} games "
        "of each ordered pair of a population, on decks that no evolution has used. Lenient "
        "scores. Coverage: niches whose elite scores at all; mean: over those; QD score: the sum "
        "over all niches; pairwise: mean over all pairs, elites with themselves included. The "
        "correlation is that of self-play with the mean score with all elites, moving first (the "
        "response r of Canaan et al.) or second (the hypothesis h)."
    )
    for judged in table.judged:
        if judged.population.missing_candidates:
            yield Paragraph(
                f"{judged.population.name} is unfinished: {judged.population.missing_candidates:,} "
                "candidates are still to be judged."
            )
    published = [_published(run) for run in PUBLISHED_RUNS if _is_comparable(run, table)]
    yield Table([_HEADING, *(_row(judged) for judged in table.judged), *published])
    if published:
        yield Paragraph(
            "Rows of Canaan et al. are as published; their QD score is coverage times mean, and "
            "correlations moving first follow from their published match-ups."
        )


def _is_comparable(run: PublishedRun, table: PopulationTable) -> bool:
    """Whether one of the populations has the niches of a published run."""
    kinds = {(judged.population.grid, judged.population.features) for judged in table.judged}
    return (run.grid, PUBLISHED_FEATURES) in kinds


def as_mapping(table: PopulationTable) -> dict[str, Any]:
    """Return what is written as JSON."""
    return {
        "games": table.games,
        "pair_games": table.pair_games,
        "seed": table.seed,
        "seconds": table.seconds,
        "populations": [_summary(judged) for judged in table.judged],
        "published": [asdict(run) for run in PUBLISHED_RUNS],
    }


def as_csv(table: PopulationTable) -> str:
    """Return a line for each elite; columns are `COLUMNS`."""
    rows = []
    for judged in table.judged:
        means = zip(judged.pairwise.mean(1).tolist(), judged.pairwise.mean(0).tolist(), strict=True)
        for elite, pairwise in zip(judged.population.elites, means, strict=True):
            rules = " ".join(map(str, elite.chromosome))
            name = judged.population.name
            rows.append([name, *elite.niche, elite.fitness, *pairwise, rules])
    return csv_text(COLUMNS, rows)


def _summary(judged: Judged) -> dict[str, Any]:
    return {
        "population": judged.population.name,
        "features": judged.population.features,
        "grid": judged.population.grid,
        "coverage": judged.coverage,
        "best": judged.best,
        "best_niche": judged.population.elites[int(judged.fitness.argmax())].niche,
        "mean": judged.mean,
        "qd_score": judged.qd_score,
        "pairwise_mean": judged.pairwise_mean,
        "correlation_moving_first": judged.correlation(0),
        "correlation_moving_second": judged.correlation(1),
    }


def _row(judged: Judged) -> list[str]:
    grid = judged.population.grid
    return [
        judged.population.name,
        f"{grid[0]} × {grid[1]}",
        str(judged.coverage),
        f"{judged.best:.2f}",
        f"{judged.mean:.2f}",
        f"{judged.qd_score:.1f}",
        f"{judged.pairwise_mean:.2f}",
        *(_correlation(judged.correlation(seat)) for seat in range(2)),
    ]


def _correlation(r: float | None) -> str:
    return "-" if r is None else f"{r:.2f}"


def _published(run: PublishedRun) -> list[str]:
    correlations = [_correlation(r) for r in run.correlations or (None, None)]
    return [
        run.run,
        f"{run.grid[0]} × {run.grid[1]}",
        str(run.coverage),
        f"{run.best:.2f}",
        f"{run.mean:.2f}",
        f"{run.coverage * run.mean:.1f}",
        "-" if run.pairwise is None else f"{run.pairwise:.2f}",
        *correlations,
    ]
