"""Scores by the games of the partner that were watched before, from ad-hoc tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.provenance import provenance
from hoad.reports.output import how_it_was_made
from hoad.reports.page import Block, Figure, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.statistics import show
from hoad.tables.adhoc.published import estimate_of, overall_scores, read_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_SAME: Final = (
    *("partners", "source", "hold_out", "score", "games_per_episode", "seed"),
    *("pool", "elites", "population", "meta_model", "meta_models", "matchup_games"),
    *("agents", "low_shot", "naive"),
)
"""Keys of the recipe that the tables of one curve have in common."""


def games_watched(folders: Sequence[Path]) -> Report:
    """Return the mean strict score of each player, in both seats, by the games watched.

    Players that occur in one of several tables only are left out.

    Raises:
        HoadError: a folder holds no ad-hoc table, or two tables do not belong to one curve.
    """
    tables = sorted(
        ((folder, read_table(folder)) for folder in folders),
        key=lambda table: int(table[1]["recipe"]["support_games"]),
    )
    _check(tables)
    rows = [
        {"support_games": facts["recipe"]["support_games"], **row}
        for folder, facts in tables
        for row in overall_scores(folder, facts)
    ]
    tables_of = Counter(row["player"] for row in rows)
    rows = [row for row in rows if tables_of[row["player"]] > 1 or len(tables) == 1]
    caption = "Mean strict score by the games watched before, with 95 % intervals."
    players = list(dict.fromkeys(row["player"] for row in rows))
    figure = Figure("games_watched.png", caption, lambda: _draw(rows, players))
    blocks: list[Block] = [Paragraph(_words(tables)), _table(rows, players), figure]
    made_with = provenance()
    return Report(
        "Games watched before the first game",
        blocks,
        rows,
        {"made_with": made_with, "games": _watched(rows)},
        list(how_it_was_made(made_with, tables[0][1]["recipe"]["seed"], {})),
    )


def _check(tables: Sequence[tuple[Path, Mapping[str, Any]]]) -> None:
    first, facts = tables[0]
    seen: dict[int, Path] = {}
    for folder, other in tables:
        for key in _SAME:
            if other["recipe"].get(key) != facts["recipe"].get(key):
                raise HoadError(f"{folder}: differs from {first} in {key}; make it with the same")
        games = other["recipe"]["support_games"]
        if games in seen:
            raise HoadError(f"{folder}: has {games} support_games, as {seen[games]}; leave one out")
        seen[games] = folder


def _words(tables: Sequence[tuple[Path, Mapping[str, Any]]]) -> str:
    recipe = tables[0][1]["recipe"]
    played = [
        f"{folder}/report.md ({facts['recipe']['trials']} trials, "
        f"{facts['recipe']['episodes'] * recipe['games_per_episode']} games with each partner)"
        for folder, facts in tables
    ]
    words = (
        f"Mean strict score over {len(recipe['partners'])} partners, both seats, with 95 % "
        f"intervals, after a player has watched some self-play games of the partner. Held out: the "
        f"{recipe['hold_out']}; seed {recipe['seed']}. Tables: {', '.join(played)}."
    )
    if len({facts["recipe"]["episodes"] for _, facts in tables}) > 1:
        words += " All start with the same decks; tables of more games go on to more decks."
    return words


def _table(rows: Sequence[Mapping[str, Any]], players: Sequence[str]) -> Table:
    cells = {(row["player"], row["support_games"]): show(estimate_of(row)) for row in rows}
    watched = _watched(rows)
    lines = [[name, *(cells.get((name, games), "") for games in watched)] for name in players]
    return Table([["games watched", *map(str, watched)], *lines])


def _watched(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    return list(dict.fromkeys(row["support_games"] for row in rows))


def _draw(rows: Sequence[Mapping[str, Any]], players: Sequence[str]) -> "Drawing":
    series = []
    for player in players:
        player_rows = [row for row in rows if row["player"] == player]
        games = [float(row["support_games"]) for row in player_rows]
        scores = [estimate_of(row) for row in player_rows]
        means = [score.mean for score in scores]
        widths = np.array([score.half_width for score in scores])
        series.append(Series(player, games, means, widths))
    return draw_lines([Panel("games watched before", "mean strict score", series)])
