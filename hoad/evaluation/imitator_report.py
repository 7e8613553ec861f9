"""The report on imitators: a page, its numbers as JSON and CSV, a figure."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.core.files import make_folder
from hoad.evaluation.behaviour_report import beside_rows
from hoad.evaluation.behaviour_table import beside
from hoad.evaluation.imitator_table import ImitatorTable
from hoad.evaluation.published import IMITATOR_ACCURACY, IMITATOR_CROSS_PLAY, imitator_self_play
from hoad.evaluation.report.old import (
    Block,
    Heading,
    Paragraph,
    Table,
    csv_text,
    draw_cross_play,
    how_it_was_made,
    old_figure,
    write_report,
)
from hoad.evaluation.statistics import SCORES

COLUMNS: Final = ("first", "second", "lenient", "lenient_sem", "strict", "strict_sem", "games")
"""Of the CSV file: a line for each ordered pair."""


def write_imitator_report(table: ImitatorTable, made_with: Mapping[str, str | int]) -> Path:
    """Write page, figure, JSON and CSV into the recipe's folder; return the page.

    Args:
        table: what was measured and played.
        made_with: :func:`hoad.core.provenance.provenance`.

    Raises:
        HoadError: nothing can be written there.
    """
    folder = table.recipe.out
    make_folder(folder)
    figure = folder / "cross_play.png"
    draw_cross_play(table.pairs, figure)
    page = [
        *imitator_page(table),
        Heading("Heat maps"),
        old_figure(figure, "Mean scores; row: first player, column: second player."),
        *_how_they_were_trained(table),
        *how_it_was_made(
            made_with,
            table.recipe.seed,
            {"measuring and games": table.seconds},
            table.recipe.model_dump(mode="json"),
        ),
    ]
    numbers = as_mapping(table) | {"made_with": made_with}
    return write_report(folder, page, numbers, as_csv(table))


def imitator_page(table: ImitatorTable) -> Iterator[Block]:
    """Yield the page without its figure, which a terminal shows too."""
    pairs = table.pairs
    yield Heading("Imitators and the agents that they imitate", level=1)
    yield from _accuracy(table)
    yield from _self_play(table)
    thesis = beside(IMITATOR_CROSS_PLAY, table.recipe.agents, _imitators(pairs.strict))
    if thesis.agents:
        yield Heading(f"Imitators among themselves, beside {thesis.source}")
        yield Paragraph("Strict scores: here / published / difference; row = first player.")
        yield Table(beside_rows(thesis, decimals=1))
    for score in SCORES:
        yield Heading(f"Everybody with everybody: {score} scores")
        yield Paragraph(
            f"Mean of {pairs.games:,} games ± standard error, all pairs on the same decks, which "
            "are nobody's training decks; row = first player."
        )
        yield Table(pairs.rows(score))


def as_mapping(table: ImitatorTable) -> dict[str, Any]:
    """Return what is written as JSON."""
    imitations = {
        agent: asdict(imitation) | {"published_accuracy": IMITATOR_ACCURACY.get(agent)}
        for agent, imitation in table.imitations.items()
    }
    return {
        "recipe": table.recipe.model_dump(mode="json"),
        "seconds": table.seconds,
        "imitators": imitations,
        "cross_play": table.pairs.as_mapping(),
    }


def as_csv(table: ImitatorTable) -> str:
    """Return a line for each ordered pair; columns are `COLUMNS`."""
    rows = []
    pairs = table.pairs
    matrices = (pairs.lenient, pairs.lenient_sem, pairs.strict, pairs.strict_sem)
    for first, second in product(range(len(pairs.agents)), repeat=2):
        numbers = (f"{matrix[first, second]:.6g}" for matrix in matrices)
        rows.append([pairs.agents[first], pairs.agents[second], *numbers, pairs.games])
    return csv_text(COLUMNS, rows)


def _accuracy(table: ImitatorTable) -> Iterator[Block]:
    yield Heading("Accuracy on games that no network has learned from")
    yield Paragraph(
        "Share of moves that are the network's first choice of all 20 moves, and of the legal "
        "ones. The ceiling is the accuracy of the agent's true distribution: it knows the "
        "agent's memory and slots, the imitator the observation alone. The thesis split its "
        "games by transition (table 2.1), so that its test games were partly trained on."
    )
    heading = ["agent", "decisions", "accuracy", "among legal", "ceiling", "thesis", "loss"]
    rows = [
        [
            agent,
            f"{imitation.transitions:,}",
            f"{imitation.measures.accuracy:.2%}",
            f"{imitation.measures.masked_accuracy:.2%}",
            f"{imitation.ceiling:.2%}",
            f"{IMITATOR_ACCURACY[agent]:.1%}" if agent in IMITATOR_ACCURACY else "-",
            f"{imitation.measures.loss:.4f}",
        ]
        for agent, imitation in table.imitations.items()
    ]
    yield Table([heading, *rows])


def _self_play(table: ImitatorTable) -> Iterator[Block]:
    yield Heading("Self-play")
    yield Paragraph(
        f"Mean of {table.pairs.games:,} games ± standard error. The thesis's scores are strict, "
        "of imitators (table 2.2)."
    )
    heading = ["agent", "agent, lenient", "agent, strict", "imitator, lenient"]
    heading += ["imitator, strict", "thesis, strict"]
    rows = []
    for index, agent in enumerate(table.recipe.agents):
        places = (index, index + len(table.recipe.agents))
        scores = [_score(table, score, place) for place in places for score in SCORES]
        published = imitator_self_play(agent)
        rows.append([agent, *scores, "-" if published is None else f"{published:.1f}"])
    yield Table([heading, *rows])


def _score(table: ImitatorTable, score: str, place: int) -> str:
    mean, error = (getattr(table.pairs, key)[place, place] for key in (score, f"{score}_sem"))
    return f"{mean:.2f} ± {error:.2f}"


def _imitators(matrix: np.ndarray) -> np.ndarray:
    """Return the part of a cross-play matrix in which only imitators play."""
    agents = len(matrix) // 2
    return matrix[agents:, agents:]


def _how_they_were_trained(table: ImitatorTable) -> Iterator[Block]:
    yield Heading("The networks")
    yield Table([["agent", "steps", "best step", "trained at commits"], *_networks(table)])


def _networks(table: ImitatorTable) -> Iterator[list[str]]:
    for agent, imitation in table.imitations.items():
        card = imitation.card
        if card:
            steps, best = card["recipe"]["steps"], card["step"]
            made_with = card["made_with"]
            commits = made_with.get("commits", [made_with["commit"]])  # a card may be older
            yield [agent, f"{steps:,}", f"{best:,}", ", ".join(commits)]
        else:
            yield [agent, "-", "-", "-"]
