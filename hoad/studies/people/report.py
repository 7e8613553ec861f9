"""The page of a study of people."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.statistics import estimate, show
from hoad.studies.people.measure import EVERY_PARTNER
from hoad.studies.people.recipe import PeopleRecipe
from hoad.studies.prediction.report import (
    ALIKE_AFTER_ALL_GAMES,
    Rows,
    calibration_figure,
    select,
    values_of,
)
from hoad.studies.prediction.result import StudyResult

_MEASURES: Final = {"log_loss": ("Log-loss, nats a move", 3), "accuracy": ("Accuracy", 3)}
_SHOWN: Final = 10
"""Games learned from in the tables by person and by partner, if they are among the numbers."""

_WORDS: Final = (
    "Log-loss: mean negative log-probability of the moves made, in nats. Accuracy: share of moves "
    "that the model finds most probable. Models learn from a person's first games and are "
    "evaluated on later ones, the same for all numbers of games. `population` and `mixture` know "
    "games of other people, never of the person. So does `people zero-shot`, a network of other "
    "people: the meta-model whose tasks are people; `people low-shot` is the same, adapted to the "
    "person's games. Means are over people, with the 95 % interval over them."
)


def people_report(result: StudyResult[PeopleRecipe]) -> Report:
    """Return tables by number of games, person and partner, calibration, and programs."""
    recipe, rows = result.recipe, result.rows
    shown = _SHOWN if _SHOWN in recipe.games else max(row["games"] for row in rows)
    blocks: list[Block] = [Paragraph(_WORDS)]
    for measure in _MEASURES:
        blocks += _by_games(rows, measure, recipe.games)
    blocks += [*_by_person(result, rows, shown), *_by_partner(rows, shown)]
    with_all = {"": select(rows, games=shown, partner=EVERY_PARTNER)}
    calibration = calibration_figure(with_all, _methods(rows), shown)
    blocks += [_curves(rows, recipe.games), calibration, *_programs(result, shown)]
    return result.report("Prediction of people", blocks, "people", "people", seed=None)


def _by_games(rows: Rows, measure: str, games: Sequence[int]) -> Iterator[Block]:
    """Yield the mean over people by method and number of games, of those who have so many."""
    title, digits = _MEASURES[measure]
    yield Heading(f"{title}, by number of games learned from")
    heading, table = ["method"], [[method] for method in _methods(rows)]
    for count in games:
        selected = select(rows, games=count, partner=EVERY_PARTNER)
        if not selected:
            continue
        people = len({row["person"] for row in selected})
        heading.append(f"{count} games, {people} people")
        for cells in table:
            cells.append(show(estimate(values_of(selected, measure, method=cells[0])), digits))
    yield Table([heading, *table])


def _by_person(result: StudyResult[PeopleRecipe], rows: Rows, games: int) -> Iterator[Block]:
    yield Heading(f"Log-loss and accuracy by person, after {games} games")
    methods = _methods(rows)
    table = [["person", "games", "tested", *methods]]
    for name, person in result.measured.items():
        own = {
            row["method"]: row for row in select(person["rows"], games=games, partner=EVERY_PARTNER)
        }
        cells = [f"{own[m]['log_loss']:.2f} ({own[m]['accuracy']:.0%})" for m in methods if own]
        if cells:
            table.append([name, str(person["played"]), str(person["tested"]), *cells])
    yield Table(table)


def _by_partner(rows: Rows, games: int) -> Iterator[Block]:
    yield Heading(f"Log-loss by the person's partner, after {games} games")
    methods = _methods(rows)
    table = [["partner", *methods]]
    for partner in dict.fromkeys(row["partner"] for row in rows if row["partner"]):
        selected = select(rows, games=games, partner=partner)
        if selected:
            losses = (estimate(values_of(selected, "log_loss", method=m)) for m in methods)
            table.append([partner, *map(show, losses)])
    yield Table(table)


def _curves(rows: Rows, games: Sequence[int]) -> Figure:
    """Return the mean log-loss by number of games, of those who have the most games of all."""
    most = max(row["games"] for row in rows)
    long = {row["person"] for row in rows if row["games"] == most}
    panels = []
    for title, people in (("everybody", None), (", ".join(sorted(long)), long)):
        series = []
        for method in _methods(rows):
            if method in ALIKE_AFTER_ALL_GAMES:
                continue
            own = [
                row
                for row in select(rows, method=method, partner=EVERY_PARTNER)
                if people is None or row["person"] in people
            ]
            counts = [count for count in games if select(own, games=count)]
            means = [values_of(own, "log_loss", games=count).mean() for count in counts]
            series.append(Series(method, counts, means))
        panels.append(Panel("games learned from", "nats a move", series, title))
    caption = "Mean log-loss by number of games that models learned from."
    return Figure("by_games.png", caption, partial(draw_lines, panels))


def _programs(result: StudyResult[PeopleRecipe], games: int) -> Iterator[Block]:
    """Yield the likeliest induced program of each person, in words."""
    yield Heading(f"Induced programs, after {games} games")
    for name, person in result.measured.items():
        lines = person["program"].get(str(games), [])
        if lines:
            yield Table([[name], *([line] for line in lines)], numbers=False)


def _methods(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["method"] for row in rows))
