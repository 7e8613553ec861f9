"""A few players of several ad-hoc tables side by side: the figure and the table of the README."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoad.core.errors import HoadError
from hoad.reports.dots import draw_dots
from hoad.reports.page import Block, Figure, Paragraph, Report
from hoad.reports.statistics import Estimate, means_and_widths
from hoad.reports.styles import styles_of
from hoad.tables.adhoc.published import (
    estimate_of,
    joint_scores,
    page_of_tables,
    read_table,
    scores_by,
    settings_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


def headline(folders: Sequence[Path], players: Sequence[str]) -> Report:
    """Return the mean strict scores of chosen players, in both seats, with a column a setting.

    See :func:`~.published.joint_scores`. It raises a HoadError if a folder holds no ad-hoc table,
    or a player is in none of the tables.
    """
    rows = [row for row in joint_scores(folders) if row["player"] in players]
    for player in players:
        if player not in {row["player"] for row in rows}:
            raise HoadError(f"{player}: is a player of none of these tables; leave it out")
    settings = settings_of(rows)
    in_order = sorted(rows, key=lambda row: settings.index(row["setting"]))
    caption = "Mean strict score over all partners, with 95 % intervals."
    blocks: list[Block] = [
        Paragraph(_words(rows)),
        scores_by(in_order, players, "setting", "player"),
        Figure("headline.png", caption, lambda: _draw(rows, players)),
    ]
    seed = read_table(folders[0])["recipe"]["seed"]
    return page_of_tables("The main comparison in short", blocks, rows, seed)


def _words(rows: Sequence[Mapping[str, Any]]) -> str:
    used = dict.fromkeys((row["table"], row["setting"], row["games"]) for row in rows)
    tables = [
        f"{folder}/report.md ({setting}; {games:,} games with each partner)"
        for folder, setting, games in used
    ]
    return (
        "Mean strict score over all partners, both seats, with 95 % intervals over repetitions, "
        f"from these tables: {', '.join(tables)}. If several tables of a column have a player, the "
        "one with most games counts."
    )


def _draw(rows: Sequence[Mapping[str, Any]], players: Sequence[str]) -> "Drawing":
    scores = {(row["player"], row["setting"]): estimate_of(row) for row in rows}
    missing = Estimate(math.nan, math.nan, 0)
    panels = {
        setting: means_and_widths([scores.get((name, setting), missing) for name in players])
        for setting in settings_of(rows)
    }
    return draw_dots(players, panels, "mean strict score", styles_of(players), alike=True)
