"""Ad-hoc tables that were written: their ``results.json`` and ``results.csv``, also in words."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from hoad.agents.families import HoldOut, Source
from hoad.core.errors import HoadError
from hoad.core.files import read_json, reporting
from hoad.core.provenance import provenance
from hoad.players.registry import knows_partner
from hoad.reports.output import how_it_was_made
from hoad.reports.page import Block, Report, Table
from hoad.reports.statistics import Estimate, show
from hoad.tables.scores import ALL_PARTNERS

_SETTINGS: Final = {
    ("originals", "agent"): "partner held out",
    ("originals", "family"): "its family held out",
    ("imitators", "agent"): "imitators",
    ("imitators", "family"): "imitators, family held out",
}
"""Column of a table, among others, by its partners and what is held out with them."""


class OtherReportError(HoadError):
    """The facts of a report are not those of an ad-hoc table."""


Tables = Sequence[tuple[Path, Mapping[str, Any]]]
"""The folders of tables, and the facts of their reports."""


class _Recipe(BaseModel):
    partners: Annotated[list[str], Field(min_length=1)]
    players: list[str]
    source: Source
    hold_out: HoldOut
    support_games: int
    trials: int
    episodes: int
    games_per_episode: int
    seed: int


class _MadeWith(BaseModel):
    commit: str
    command: str


class _Facts(BaseModel):
    """Of the facts of a report, what pages of several tables need; the file may be anybody's."""

    recipe: _Recipe
    made_with: _MadeWith


def read_table(folder: Path) -> Mapping[str, Any]:
    """Return the facts of an ad-hoc table's report; a HoadError where there is none."""
    path = folder / "results.json"
    facts: dict[str, Any] = read_json(path)
    try:
        _Facts.model_validate(facts)
    except ValidationError as error:
        raise OtherReportError(other_report(path)) from error
    return facts


def overall(facts: Mapping[str, Any]) -> str:
    """Return the partner of the rows that are means over all partners: the only one, if it is."""
    partners = facts["recipe"]["partners"]
    return str(partners[0]) if len(partners) == 1 else ALL_PARTNERS


def overall_scores(folder: Path, facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of :func:`strict_scores` over all partners; a HoadError if there are none."""
    scores = [row for row in strict_scores(folder) if row["partner"] == overall(facts)]
    if not scores:
        raise HoadError(other_report(folder / "results.csv"))
    return scores


def strict_scores(folder: Path) -> list[dict[str, Any]]:
    """Return the strict score of each player with each partner, in both seats, with its interval.

    It raises a HoadError if the folder's table of scores cannot be read.
    """
    path = folder / "results.csv"
    try:
        with reporting(path, "cannot read this table"):
            text = path.read_text()
        return [
            {
                "table": str(folder),
                "partner": row["partner"],
                "player": row["player"],
                "mean": float(row["mean"]),
                "half_width": float(row["half_width"]) if row["half_width"] else None,
                "repetitions": int(row["repetitions"]),
            }
            for row in csv.DictReader(text.splitlines())
            if (row["score"], row["seat"]) == ("strict", "both")
        ]
    except (ValueError, KeyError, TypeError, csv.Error) as error:
        raise HoadError(other_report(path)) from error


def joint_scores(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the scores of :func:`overall_scores` of several tables, with setting and games.

    Tables with the same partners, the same held-out agents and equally many games watched have the
    same ``setting``. If several of them have a player, the table with most games counts.
    ``games`` are those with each partner. A folder without an ad-hoc table is a HoadError.
    """
    tables = [(folder, read_table(folder)) for folder in folders]
    tables.sort(key=lambda table: -games_with_each(table[1]))
    rows: list[dict[str, Any]] = []
    names: dict[tuple[str, frozenset[str], int], str] = {}
    for folder, facts in tables:
        recipe = facts["recipe"]
        name = _SETTINGS[recipe["source"], recipe["hold_out"]]
        key = name, frozenset(recipe["partners"]), recipe["support_games"]
        if key not in names:
            apart = (f"{name} ({words})" for words in (folder.name, folder, folder.resolve()))
            names[key] = next(each for each in (name, *apart) if each not in names.values())
        setting = names[key]
        had = {row["player"] for row in rows if row["setting"] == setting}
        rows += [
            {"setting": setting, **row, "games": games_with_each(facts)}
            for row in overall_scores(folder, facts)
            if row["player"] not in had
        ]
    return rows


def settings_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the settings of :func:`joint_scores` in the order in which tables show them."""
    names = dict.fromkeys(row["setting"] for row in rows)
    known = list(_SETTINGS.values())
    return sorted(names, key=lambda name: (name not in known, known.index(name.split(" (")[0])))


def games_with_each(facts: Mapping[str, Any]) -> int:
    """Return the games of a player with each partner."""
    return int(facts["recipe"]["episodes"] * facts["recipe"]["games_per_episode"])


def estimate_of(row: Mapping[str, Any]) -> Estimate:
    """Return the mean and the interval of a row of :func:`overall_scores`."""
    width = row["half_width"]
    count = 1 if width is None else row.get("repetitions", 2)  # any number: there are several
    return Estimate(row["mean"], width or 0.0, count)


def difference_of(folder: Path, facts: Mapping[str, Any], first: str, second: str) -> Estimate:
    """Return the strict score of a player minus another's, over all partners of a folder's table.

    The pairs are the same repetitions. It raises a HoadError if the two are not compared.
    """
    path = folder / "results.json"
    try:
        for comparison in facts["comparisons"]["strict"]:
            if {comparison["first"], comparison["second"]} == {first, second}:
                sign = 1 if comparison["first"] == first else -1
                return estimate_of({**comparison, "mean": sign * comparison["difference"]})
    except (KeyError, TypeError) as error:
        raise HoadError(other_report(path)) from error
    raise HoadError(f"{path}: {first} and {second} are not compared; make the table again")


def refuse_different(tables: Tables, keys: Sequence[str]) -> None:
    """Raise a HoadError if the recipes of tables differ in one of these keys."""
    first, facts = tables[0]
    for folder, other in tables:
        for key in keys:
            if other["recipe"].get(key) != facts["recipe"].get(key):
                raise HoadError(f"{folder}: differs from {first} in {key}; make it with the same")


def scores_by(
    rows: Sequence[Mapping[str, Any]], players: Sequence[str], key: str, corner: str
) -> Table:
    """Return the scores of players, which are rows; the columns are the values of another key."""
    values = dict.fromkeys(row[key] for row in rows)
    cells = {(row["player"], row[key]): show(estimate_of(row)) for row in rows}
    lines = [[name, *(cells.get((name, value), "") for value in values)] for name in players]
    return Table([[corner, *map(str, values)], *lines])


def page_of_tables(
    title: str, blocks: Sequence[Block], rows: Sequence[Mapping[str, Any]], seed: int, **facts: Any
) -> Report:
    """Return a page about several tables, which says how it was made."""
    made_with = provenance()
    made = list(how_it_was_made(made_with, seed, {}))
    return Report(title, blocks, rows, {"made_with": made_with, **facts}, made)


def other_report(path: Path) -> str:
    """Say that a file is none of the report on an ad-hoc table."""
    return f"{path}: not the report of evaluate.py adhoc; make the table again"


def in_words(folder: Path) -> str:
    """Say what adapting gains, and which player does best, in the strict scores of a table.

    A difference is called a gain or a loss if its 95 % interval does not contain 0. A folder
    without an ad-hoc table is a HoadError.
    """
    facts = read_table(folder)
    scores = {row["player"]: estimate_of(row) for row in overall_scores(folder, facts)}
    partners = ", ".join(facts["recipe"]["partners"])
    support = facts["recipe"]["support_games"]
    sentences = [f"Strict scores with {partners}; players have seen at most {support} games of it."]
    if {"zero-shot", "low-shot"} <= scores.keys():
        gain = difference_of(folder, facts, "low-shot", "zero-shot")
        sentences.append(
            f"The meta-model scores {show(scores['zero-shot'])} as it is, and "
            f"{show(scores['low-shot'])} after it has adapted to {support} games: {_gain(gain)}."
        )
    if "random-partner" in scores and "low-shot" in scores:
        gain = difference_of(folder, facts, "low-shot", "random-partner")
        sentences.append(f"Adapted, against random partners: {_gain(gain)}.")
    competing = [name for name in scores if not knows_partner(name)]
    if len(competing) > 1:
        best = max(competing, key=lambda name: scores[name].mean)
        close = [
            name
            for name in competing
            if name != best and not _is_certain(difference_of(folder, facts, best, name))
        ]
        sentences.append(
            f"The best player that does not know the partner is {best} with {show(scores[best])}"
            + (f" (no measurable difference from {', '.join(close)})." if close else ".")
        )
    if "self-play" in scores:
        sentences.append(f"The partner with itself scores {show(scores['self-play'])}.")
    return " ".join(sentences)


def _is_certain(difference: Estimate) -> bool:
    return difference.count > 1 and abs(difference.mean) > difference.half_width


def _gain(difference: Estimate) -> str:
    size = show(Estimate(abs(difference.mean), difference.half_width, difference.count))
    if not _is_certain(difference):
        return f"no measurable difference ({size})"
    return f"a {'gain' if difference.mean > 0 else 'loss'} of {size} points"
