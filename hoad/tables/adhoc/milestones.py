"""Zero-shot and low-shot scores by the steps of meta-training, from ad-hoc tables.

Each table has the players ``zero-shot@STEP`` and ``low-shot@STEP`` of meta-models that were trained
in one way; the tables differ in nothing but these meta-models. The question is that of Sarmasi
(2022), section 3.6: does adapting to ten games help, and does it still help when training is over?
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.provenance import provenance
from hoad.reports.output import how_it_was_made
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import SCORE_RANGE, Panel, Series, draw_lines
from hoad.reports.statistics import Estimate, show, show_difference
from hoad.tables.adhoc.published import estimate_of, overall, read_table, strict_scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

SHOTS: Final = ("zero-shot", "low-shot")

_SAME: Final = (
    *("partners", "source", "hold_out", "seed", "episodes", "games_per_episode"),
    *("trials", "support_games", "low_shot"),
)
"""Keys of the recipe that the tables have in common."""


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
    partners = recipe["partners"]
    names = [folder.name for folder, _ in tables]
    blocks: list[Block] = [Paragraph(_words(tables))]
    blocks += [_table(rows, names, steps, overall(tables[0][1]))]
    caption = "Strict score by steps of meta-training, with 95 % intervals."
    blocks += [Figure("milestones.png", caption, lambda: _draw(rows, names, overall(tables[0][1])))]
    if len(partners) > 1:
        for partner in partners:
            blocks += [Heading(partner), _table(rows, names, steps, partner)]
    made_with = provenance()
    return Report(
        "Zero-shot and low-shot play by steps of meta-training",
        blocks,
        rows,
        {"made_with": made_with, "steps": steps},
        list(how_it_was_made(made_with, recipe["seed"], {})),
    )


def _check(tables: Sequence[tuple[Path, Mapping[str, Any]]]) -> None:
    first, facts = tables[0]
    for folder, other in tables:
        for key in _SAME:
            if other["recipe"].get(key) != facts["recipe"].get(key):
                raise HoadError(f"{folder}: differs from {first} in {key}; make it with the same")
        if not _steps(other):
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
    gains = {
        (test["first"], test["second"]): (test["difference"], test["half_width"])
        for test in facts["comparisons"]["strict"]
    }
    partners = dict.fromkeys(partner for partner, _ in strict)
    for partner in partners:
        for step in _steps(facts):
            zero_shot, low_shot = (f"{shot}@{step}" for shot in SHOTS)
            for shot, name in zip(SHOTS, (zero_shot, low_shot), strict=True):
                score = strict[partner, name]
                yield _row(folder, partner, step, shot, score.mean, score.half_width)
            if partner == overall(facts):
                difference, half_width = _gain(gains, zero_shot, low_shot)
                yield _row(folder, partner, step, "gain", difference, half_width)


def _gain(
    gains: Mapping[tuple[str, str], tuple[float, float]], zero_shot: str, low_shot: str
) -> tuple[float, float]:
    """Return low-shot minus zero-shot, and half of its interval, over the same repetitions."""
    if (low_shot, zero_shot) in gains:
        return gains[low_shot, zero_shot]
    difference, half_width = gains[zero_shot, low_shot]
    return -difference, half_width


def _row(
    folder: Path, partner: str, step: int, value: str, mean: float, half_width: float | None
) -> dict[str, object]:
    where = {"training": folder.name, "table": str(folder), "partner": partner, "step": step}
    return {**where, "value": value, "mean": mean, "half_width": half_width}


def _words(tables: Sequence[tuple[Path, Mapping[str, Any]]]) -> str:
    recipe = tables[0][1]["recipe"]
    partners = recipe["partners"]
    games = recipe["episodes"] * recipe["games_per_episode"]
    pages = ", ".join(f"{folder}/report.md" for folder, _ in tables)
    return (
        f"Strict score in both seats with {', '.join(partners)}, each held out alone, in {games:,} "
        f"games with each, ± 95 % interval over {recipe['trials']} trials. low-shot adapts to "
        f"{recipe['support_games']} games of the partner, and gain is low-shot minus zero-shot on "
        f"the same decks. Tables: {pages}."
    )


def _estimate(row: Mapping[str, Any]) -> Estimate:
    width = row["half_width"]
    return Estimate(row["mean"], width or 0.0, 1 if width is None else 2)


def _table(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], steps: Sequence[int], partner: str
) -> Table:
    cells = {
        (row["training"], row["value"], row["step"]): _estimate(row)
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


def _draw(rows: Sequence[Mapping[str, Any]], names: Sequence[str], partner: str) -> "Drawing":
    panels = []
    for shot in SHOTS:
        series = []
        for name in names:
            line = [
                row
                for row in rows
                if (row["training"], row["value"], row["partner"]) == (name, shot, partner)
            ]
            means = [row["mean"] for row in line]
            widths = np.array([_estimate(row).half_width for row in line])
            steps = [float(row["step"]) for row in line]
            series.append(Series(name, steps, means, widths))
        ticks = sorted({row["step"] for row in rows})
        label = "steps of meta-training"
        panels.append(
            Panel(label, f"{shot} strict score", series, y_range=SCORE_RANGE, log_ticks=ticks)
        )
    return draw_lines(panels)
