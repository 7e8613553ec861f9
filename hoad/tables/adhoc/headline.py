"""A few players of several ad-hoc tables side by side: the figure and the table of the README."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError
from hoad.core.provenance import provenance
from hoad.reports.dots import draw_dots
from hoad.reports.output import how_it_was_made
from hoad.reports.page import Block, Figure, Paragraph, Report, Table
from hoad.reports.statistics import Estimate, means_and_widths, show
from hoad.reports.styles import styles_of
from hoad.tables.adhoc.published import estimate_of, overall_scores, read_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_SETTINGS: Final = {
    ("originals", "agent"): "partner held out",
    ("originals", "family"): "its family held out",
    ("imitators", "agent"): "imitators",
    ("imitators", "family"): "imitators, family held out",
}
"""Column of a table by its partners and what is held out with them."""


def headline(folders: Sequence[Path], players: Sequence[str]) -> Report:
    """Return the mean strict scores of chosen players, in both seats, with a column a setting.

    Tables with the same partners and the same held-out agents make one column. If several of them
    have a player, the table with most games counts.

    Raises:
        HoadError: a folder holds no ad-hoc table, or a player is in none of the tables.
    """
    tables = [(folder, read_table(folder)) for folder in folders]
    tables.sort(key=lambda table: -_games(table[1]))
    rows: list[dict[str, Any]] = []
    for folder, facts in tables:
        setting = _setting(facts)
        had = {row["player"] for row in rows if row["setting"] == setting}
        rows += [
            {"setting": setting, **row, "games": _games(facts)}
            for row in overall_scores(folder, facts)
            if row["player"] in {*players} - had
        ]
    for player in players:
        if player not in {row["player"] for row in rows}:
            raise HoadError(f"{player}: is a player of none of these tables; leave it out")
    made_with = provenance()
    caption = "Mean strict score over all partners, with 95 % intervals."
    blocks: list[Block] = [
        Paragraph(_words(rows, tables)),
        _table(rows, players),
        Figure("headline.png", caption, lambda: _draw(rows, players)),
    ]
    return Report(
        "The main comparison in short",
        blocks,
        rows,
        {"made_with": made_with},
        list(how_it_was_made(made_with, tables[0][1]["recipe"]["seed"], {})),
    )


def _games(facts: Mapping[str, Any]) -> int:
    """Return the games of a player with each partner."""
    return int(facts["recipe"]["episodes"] * facts["recipe"]["games_per_episode"])


def _setting(facts: Mapping[str, Any]) -> str:
    recipe = facts["recipe"]
    return _SETTINGS[recipe["source"], recipe["hold_out"]]


def _settings(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [setting for setting in _SETTINGS.values() if setting in {r["setting"] for r in rows}]


def _words(
    rows: Sequence[Mapping[str, Any]], tables: Sequence[tuple[Path, Mapping[str, Any]]]
) -> str:
    used = [
        f"{folder}/report.md ({_setting(facts)}; {_games(facts):,} games with each partner)"
        for folder, facts in tables
        if str(folder) in {row["table"] for row in rows}
    ]
    return (
        "Mean strict score over all partners, both seats, with 95 % intervals over repetitions, "
        f"from these tables: {', '.join(used)}. If several tables of a column have a player, the "
        "one with most games counts."
    )


def _table(rows: Sequence[Mapping[str, Any]], players: Sequence[str]) -> Table:
    cells = {(row["player"], row["setting"]): show(estimate_of(row)) for row in rows}
    settings = _settings(rows)
    lines = [[name, *(cells.get((name, each), "") for each in settings)] for name in players]
    return Table([["player", *settings], *lines])


def _draw(rows: Sequence[Mapping[str, Any]], players: Sequence[str]) -> "Drawing":
    scores = {(row["player"], row["setting"]): estimate_of(row) for row in rows}
    missing = Estimate(math.nan, math.nan, 0)
    panels = {
        setting: means_and_widths([scores.get((name, setting), missing) for name in players])
        for setting in _settings(rows)
    }
    return draw_dots(players, panels, "mean strict score", styles_of(players), alike=True)
