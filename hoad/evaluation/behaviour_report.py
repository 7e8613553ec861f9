"""The tables of agents as a page, as JSON and as CSV."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.agents.behaviour import FEATURES
from hoad.core.files import make_folder
from hoad.evaluation.behaviour_table import (
    FEATURE_WORDS,
    BehaviourTable,
    Beside,
    beside,
    beside_originals,
    features_with_partners,
)
from hoad.evaluation.crossplay import NOT_FAIR
from hoad.evaluation.published import (
    COMMUNICATIVENESS,
    IMITATOR_CROSS_PLAY,
    INFORMATION_PER_PLAY,
)
from hoad.evaluation.report.old import (
    Block,
    Heading,
    Paragraph,
    Table,
    csv_text,
    draw_behaviour,
    draw_cross_play,
    how_it_was_made,
    old_figure,
    write_report,
)
from hoad.evaluation.report.page import numbered_matrix
from hoad.evaluation.statistics import SCORES

COLUMNS: Final = (
    "agent",
    "partner",
    *FEATURES,
    "lenient",
    "lenient_sem",
    "strict",
    "strict_sem",
    "games",
)
"""Of the CSV file: the agent's behaviour over both seats, the scores where it moves first."""


def write_behaviour_report(
    table: BehaviourTable, made_with: Mapping[str, str | int], folder: Path
) -> Path:
    """Write page, figures, JSON and CSV into a folder; return the page.

    Args:
        table: what was played.
        made_with: :func:`hoad.core.provenance.provenance`.
        folder: made if it is missing.

    Raises:
        HoadError: nothing can be written there.
    """
    make_folder(folder)
    cross_play_file, behaviour_file = folder / "cross_play.png", folder / "behaviour.png"
    draw_cross_play(table.pairs, cross_play_file)
    draw_behaviour(table.pairs, behaviour_file)
    page = [
        *behaviour_page(table),
        Heading("Heat maps"),
        old_figure(behaviour_file, "What each agent (row) shows with each partner (column)."),
        old_figure(cross_play_file, "Mean scores; row: first player, column: second player."),
        *how_it_was_made(made_with, table.seed, {"games": table.seconds}),
    ]
    numbers = as_mapping(table) | {"made_with": made_with}
    return write_report(folder, page, numbers, as_csv(table))


def behaviour_page(table: BehaviourTable) -> Iterator[Block]:
    """Yield the page without its figures, which a terminal shows too."""
    pairs = table.pairs
    yield Heading("How agents behave, and how they do with each other", level=1)
    yield Paragraph(
        f"Each ordered pair plays {pairs.games:,} games, all pairs on the same decks "
        f"(seed {table.seed})." + ("" if all(pairs.fair) else f" {NOT_FAIR}.")
    )
    yield from _behaviour(table)
    yield from _canaan(table)
    yield from _self_play(table)
    for score in SCORES:
        yield Heading(f"Cross-play: {score} scores")
        yield Paragraph("Mean ± standard error; row = first player.")
        yield Table(pairs.rows(score))
    thesis = _beside_thesis(table)
    if thesis.agents:
        yield Heading(f"Beside {thesis.source}")
        yield Paragraph(
            "Here / published / difference; row = first player. In the thesis imitators of "
            "the agents play, not the agents."
        )
        yield Table(beside_rows(thesis, decimals=1))


def as_mapping(table: BehaviourTable) -> dict[str, Any]:
    """Return what is written as JSON."""
    features = features_with_partners(table.pairs)
    return {
        "seed": table.seed,
        "seconds": table.seconds,
        "features": {name: features[..., index] for index, name in enumerate(FEATURES)},
        "beside_canaan": dict(zip(FEATURES, map(asdict, _beside_canaan(table)), strict=True)),
        "beside_thesis": asdict(_beside_thesis(table)),
        "self_play": [asdict(one) for one in beside_originals(table.self_play)],
        "cross_play": table.pairs.as_mapping() | {"fair": table.pairs.fair},
    }


def as_csv(table: BehaviourTable) -> str:
    """Return a line for each agent and partner; columns are `COLUMNS`."""
    rows = []
    pairs, features = table.pairs, features_with_partners(table.pairs)
    for agent, partner in product(range(len(pairs.agents)), repeat=2):
        scores = (pairs.lenient, pairs.lenient_sem, pairs.strict, pairs.strict_sem)
        numbers = [*features[agent, partner], *(matrix[agent, partner] for matrix in scores)]
        names = (pairs.agents[agent], pairs.agents[partner])
        rows.append([*names, *(f"{number:.6g}" for number in numbers), pairs.games])
    return csv_text(COLUMNS, rows)


def _behaviour(table: BehaviourTable) -> Iterator[Block]:
    labels = table.pairs.labels
    meanings = (
        "Hints given, as a share of the agent's turns that began with a hint token",
        "Known attributes (colour, rank) of the cards that the agent played, as a share of all "
        "their attributes; known is what hints alone leave no choice about; - without plays",
    )
    features = np.moveaxis(features_with_partners(table.pairs), -1, 0)
    for words, meaning, matrix in zip(FEATURE_WORDS, meanings, features, strict=True):
        yield Heading(words.capitalize())
        yield Paragraph(f"{meaning}. Row = agent, column = partner; over both seats.")
        cells = [["-" if np.isnan(v) else f"{v:.2f}" for v in row] for row in matrix]
        yield Table(numbered_matrix("agent \\ partner", labels, cells))


def _canaan(table: BehaviourTable) -> Iterator[Block]:
    both = [numbers for numbers in _beside_canaan(table) if numbers.agents]
    for numbers in both:
        yield Heading(f"Beside {numbers.source}")
        yield Paragraph(f"Here / published / difference. {_differences(numbers)}")
        yield Table(beside_rows(numbers, decimals=2))
    if both:
        yield Paragraph("Why they differ is told in results/README.md.")


def _beside_canaan(table: BehaviourTable) -> list[Beside]:
    features = np.moveaxis(features_with_partners(table.pairs), -1, 0)
    published = (COMMUNICATIVENESS, INFORMATION_PER_PLAY)
    return [
        beside(matrix, table.pairs.agents, ours)
        for matrix, ours in zip(published, features, strict=True)
    ]


def _beside_thesis(table: BehaviourTable) -> Beside:
    return beside(IMITATOR_CROSS_PLAY, table.pairs.agents, table.pairs.strict)


def _differences(numbers: Beside) -> str:
    off = np.abs(numbers.here - numbers.published)
    row, column = np.unravel_index(np.nanargmax(off), off.shape)
    return (
        f"Mean absolute difference {np.nanmean(off):.2f}; largest {off[row, column]:.2f}, "
        f"of {numbers.agents[row]} with {numbers.partners[column]}."
    )


def beside_rows(numbers: Beside, decimals: int) -> list[list[str]]:
    """Return ``here / published / difference`` in each cell, with a heading."""
    cells = [
        [
            f"{ours:.{decimals}f} / {theirs:.{decimals}f} / {ours - theirs:+z.{decimals}f}"
            for ours, theirs in zip(*rows, strict=True)
        ]
        for rows in zip(numbers.here, numbers.published, strict=True)
    ]
    named = zip(numbers.agents, cells, strict=True)
    return [["agent", *numbers.partners], *([agent, *row] for agent, row in named)]


def _self_play(table: BehaviourTable) -> Iterator[Block]:
    if not table.self_play:
        return
    yield Heading("Self-play beside the original programs")
    yield Paragraph(
        "Mean scores of games of their own, and their difference in standard errors of the "
        "difference; an original's scores are taken to be spread like ours."
    )
    heading = ["agent", "score", "games", "here", "original games", "original", "difference/s.e."]
    rows = [
        [
            one.agent,
            one.score,
            f"{one.games:,}",
            f"{one.here:.3f} ± {one.here_sem:.3f}",
            f"{one.original_games:,}",
            f"{one.original:.3f}",
            f"{one.standard_errors:+z.2f}",
        ]
        for one in beside_originals(table.self_play)
    ]
    yield Table([heading, *rows])
