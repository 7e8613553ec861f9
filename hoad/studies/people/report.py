"""The page of a study of people."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np

from hoad.reports.output import how_it_was_made, how_to_make_it_again
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.statistics import estimate, show
from hoad.studies.people.measure import EVERY_PARTNER, PeopleResult
from hoad.studies.prediction.report import ALIKE_AFTER_ALL_GAMES, Rows, calibration_series, select

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


def people_report(result: PeopleResult) -> Report:
    """Return tables by number of games, person and partner, calibration, and programs."""
    recipe = result.recipe
    rows = [row for person in result.people.values() for row in person["rows"]]
    shown = _SHOWN if _SHOWN in recipe.games else max(row["games"] for row in rows)
    blocks: list[Block] = [Paragraph(_WORDS)]
    for measure in _MEASURES:
        blocks += _by_games(rows, measure, recipe.games)
    blocks += [*_by_person(result, rows, shown), *_by_partner(rows, shown)]
    blocks += [_curves(rows, recipe.games), _calibration(rows, shown), *_programs(result, shown)]
    values = recipe.model_dump(mode="json")
    commits = dict.fromkeys(person["made_with"]["commit"] for person in result.people.values())
    made_with = dict(result.made_with) | {"people measured at commit": ", ".join(commits)}
    seconds = sum(person["seconds"] for person in result.people.values())
    made = how_it_was_made(made_with, None, {"people": seconds}, values)
    about = {
        name: {key: value for key, value in person.items() if key != "rows"}
        for name, person in result.people.items()
    }
    facts = {"recipe": values, "people": about, "made_with": result.made_with}
    command, again = how_to_make_it_again("people", values)
    tidy = [{key: value for key, value in row.items() if key != "calibration"} for row in rows]
    return Report("Prediction of people", blocks, tidy, facts, [*made, *command], again)


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
            values = np.array([row[measure] for row in select(selected, method=cells[0])])
            cells.append(show(estimate(values), digits))
    yield Table([heading, *table])


def _by_person(result: PeopleResult, rows: Rows, games: int) -> Iterator[Block]:
    yield Heading(f"Log-loss and accuracy by person, after {games} games")
    methods = _methods(rows)
    table = [["person", "games", "tested", *methods]]
    for name, person in result.people.items():
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
        cells = [np.array([row["log_loss"] for row in select(selected, method=m)]) for m in methods]
        if selected:
            table.append([partner, *(show(estimate(values), 2) for values in cells)])
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
            means = [np.mean([r["log_loss"] for r in select(own, games=n)]) for n in counts]
            series.append(Series(method, counts, means))
        panels.append(Panel("games learned from", "nats a move", series, title))
    caption = "Mean log-loss by number of games that models learned from."
    return Figure("by_games.png", caption, partial(draw_lines, panels))


def _calibration(rows: Rows, games: int) -> Figure:
    """Return how often moves of each probability are made, by method."""
    series = calibration_series(
        select(rows, games=games, partner=EVERY_PARTNER), methods=_methods(rows)
    )
    panel = Panel("probability of a move", "share of times it is made", series, "")
    caption = f"Calibration after {games} games: all legal moves by their predicted probability."
    return Figure("calibration.png", caption, partial(draw_lines, [panel]))


def _programs(result: PeopleResult, games: int) -> Iterator[Block]:
    """Yield the likeliest induced program of each person, in words."""
    yield Heading(f"Induced programs, after {games} games")
    for name, person in result.people.items():
        lines = person["program"].get(str(games), [])
        if lines:
            yield Table([[name], *([line] for line in lines)], numbers=False)


def _methods(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["method"] for row in rows))
