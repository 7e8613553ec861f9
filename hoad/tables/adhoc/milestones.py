"""Zero-shot and low-shot scores by the steps of meta-training, from ad-hoc tables.

Each table has the players ``zero-shot@STEP`` and ``low-shot@STEP`` of meta-models that were trained
in one way; the tables differ in nothing but these meta-models. The question is that of Sarmasi
(2022), section 3.6: does adapting to ten games help, and does it still help when training is over?
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import SCORE_RANGE, Panel, Series, draw_lines
from hoad.reports.statistics import show, show_difference
from hoad.reports.styles import styles_of
from hoad.tables.adhoc.results_files import (
    Tables,
    difference_of,
    estimate_of,
    games_with_each,
    other_report,
    overall,
    page_of_tables,
    read_table,
    refuse_different,
    strict_scores,
)
from hoad.tables.meta_training import SHOTS, at_common_steps

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_SAME: Final = (
    *("partners", "source", "hold_out", "seed", "episodes", "games_per_episode"),
    *("trials", "support_games", "low_shot"),
)
"""Keys of the recipe that the tables have in common."""

_CURVES: Final = (
    "Share of the held-out partner's moves that the model finds most probable, in games that it "
    "has not seen, by steps of meta-training: before an inner step on ten games (zero-shot), and "
    "after it (low-shot). Trainings without this curve are left out."
)


def milestones(folders: Sequence[Path]) -> Report:
    """Return the strict scores, in both seats, by way of meta-training and by its steps.

    A way of meta-training is named as the folder of its table. One may be longer than others.

    Raises:
        HoadError: a folder holds no ad-hoc table with milestones, or two tables differ in more than
            their meta-models.
    """
    tables = [(folder, read_table(folder)) for folder in folders]
    _check(tables)
    recipe = tables[0][1]["recipe"]
    steps = sorted({step for _, facts in tables for step in _steps(facts)})
    rows = [row for folder, facts in tables for row in _rows(folder, facts)]
    names, row_of_all = [folder.name for folder, _ in tables], overall(tables[0][1])
    caption = "Strict score by steps of meta-training, with 95 % intervals."
    blocks: list[Block] = [
        Paragraph(_words(tables)),
        _table(rows, names, steps, row_of_all),
        Figure("milestones.png", caption, lambda: _draw(rows, names, row_of_all)),
    ]
    curves = {folder.name: _accuracies(folder, facts) for folder, facts in tables}
    if any(curves.values()):
        blocks.append(Figure("training.png", _CURVES, lambda: _draw_curves(curves)))
    if len(recipe["partners"]) > 1:
        for partner in recipe["partners"]:
            blocks += [Heading(partner), _table(rows, names, steps, partner)]
    title = "Zero-shot and low-shot play by steps of meta-training"
    return page_of_tables(title, blocks, rows, recipe["seed"], steps=steps)


def _check(tables: Tables) -> None:
    refuse_different(tables, _SAME)
    for folder, facts in tables:
        if not _steps(facts):
            shots = " and ".join(f"{shot}@STEP" for shot in SHOTS)
            raise HoadError(f"{folder}: has no milestone; make a table with the players {shots}")


def _steps(facts: Mapping[str, Any]) -> list[int]:
    """Return the milestones that play zero-shot and low-shot, ascending."""
    of_shot = [
        {int(step) for player in facts["recipe"]["players"] if (step := _step(player, shot))}
        for shot in SHOTS
    ]
    return sorted(of_shot[0] & of_shot[1])


def _step(player: str, shot: str) -> str:
    name, _, step = player.partition("@")
    return step if name == shot and step.isdecimal() else ""


def _rows(folder: Path, facts: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the score of each partner and milestone, and the gain by adapting over all partners."""
    strict = {(row["partner"], row["player"]): estimate_of(row) for row in strict_scores(folder)}
    for partner, step in product(dict.fromkeys(partner for partner, _ in strict), _steps(facts)):
        where = {"training": folder.name, "table": str(folder), "partner": partner, "step": step}
        for shot in SHOTS:
            score = strict.get((partner, f"{shot}@{step}"))
            if score is None:
                raise HoadError(other_report(folder / "results.csv"))
            yield where | {"value": shot, "mean": score.mean, "half_width": score.half_width}
        if partner == overall(facts):
            gain = difference_of(folder, facts, f"low-shot@{step}", f"zero-shot@{step}")
            width = gain.half_width if gain.count > 1 else None
            yield where | {"value": "gain", "mean": gain.mean, "half_width": width}


def _words(tables: Tables) -> str:
    recipe = tables[0][1]["recipe"]
    partners, games = recipe["partners"], games_with_each(tables[0][1])
    pages = ", ".join(f"{folder}/report.md" for folder, _ in tables)
    return (
        f"Strict score in both seats with {', '.join(partners)}, each held out alone, in {games:,} "
        f"games with each, ± 95 % interval over {recipe['trials']} trials. low-shot adapts to "
        f"{recipe['support_games']} games of the partner, and gain is low-shot minus zero-shot on "
        f"the same decks. Tables: {pages}."
    )


def _table(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], steps: Sequence[int], partner: str
) -> Table:
    cells = {
        (row["training"], row["value"], row["step"]): estimate_of(row)
        for row in rows
        if row["partner"] == partner
    }
    lines = []
    for name in names:
        for value in (*SHOTS, "gain"):
            write = show_difference if value == "gain" else show
            scores = [cells.get((name, value, step)) for step in steps]
            if any(scores):
                lines.append([name, value, *(write(score) if score else "" for score in scores)])
    return Table([["meta-training", "steps", *(f"{step:,}" for step in steps)], *lines])


def _accuracies(folder: Path, facts: Mapping[str, Any]) -> dict[str, dict[float, float]]:
    """Return, by shot, the accuracy by step, mean over the partners at steps that all have."""
    try:
        curves = [run["curves"] for run in facts["meta_training"].values()]
        means = {shot: at_common_steps(curves, f"held-out/{shot} accuracy")[1] for shot in SHOTS}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise HoadError(other_report(folder / "results.json")) from error
    return means if all(means.values()) else {}


def _draw_curves(curves: Mapping[str, Mapping[str, Mapping[float, float]]]) -> "Drawing":
    panels, styles = [], styles_of(curves)
    for shot in SHOTS:
        series = [
            Series(name, list(shots[shot]), list(shots[shot].values()), style=styles[name])
            for name, shots in curves.items()
            if shots
        ]
        panels.append(Panel("steps of meta-training", f"{shot} accuracy", series, y_range=(0, 1)))
    return draw_lines(panels)


def _draw(rows: Sequence[Mapping[str, Any]], names: Sequence[str], partner: str) -> "Drawing":
    panels, styles = [], styles_of(names)
    for shot in SHOTS:
        series = []
        for name in names:
            where = name, shot, partner
            line = [r for r in rows if (r["training"], r["value"], r["partner"]) == where]
            at = [float(row["step"]) for row in line]
            means = Series.of_estimates(name, at, map(estimate_of, line))
            series.append(replace(means, style=styles[name]))
        ticks = sorted({row["step"] for row in rows})
        labels = "steps of meta-training", f"{shot} strict score"
        panels.append(Panel(*labels, series, y_range=SCORE_RANGE, log_ticks=ticks))
    return draw_lines(panels)
