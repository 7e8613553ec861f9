"""Scores by the games of the partner that were watched before, from ad-hoc tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError
from hoad.reports.page import Block, Figure, Paragraph, Report
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.tables.adhoc.results_files import (
    Tables,
    estimate_of,
    games_with_each,
    overall_scores,
    page_of_tables,
    read_table,
    refuse_different,
    scores_by,
)

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

    Players that occur in one of several tables only are left out. It raises a HoadError if a folder
    holds no ad-hoc table, two tables do not belong to one curve, or no player is left.
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
    if not rows:
        raise HoadError("no player is in two of these tables; name tables with the same players")
    caption = "Mean strict score by the games watched before, with 95 % intervals."
    players = list(dict.fromkeys(row["player"] for row in rows))
    figure = Figure("games_watched.png", caption, lambda: _draw(rows, players))
    table = scores_by(rows, players, "support_games", "games watched")
    blocks: list[Block] = [Paragraph(_words(tables)), table, figure]
    title, seed = "Games watched before the first game", tables[0][1]["recipe"]["seed"]
    watched = list(dict.fromkeys(row["support_games"] for row in rows))
    return page_of_tables(title, blocks, rows, seed, games=watched)


def _check(tables: Tables) -> None:
    refuse_different(tables, _SAME)
    seen: dict[int, Path] = {}
    for folder, facts in tables:
        games = facts["recipe"]["support_games"]
        if games in seen:
            raise HoadError(f"{folder}: has {games} support_games, as {seen[games]}; leave one out")
        seen[games] = folder


def _words(tables: Tables) -> str:
    recipe = tables[0][1]["recipe"]
    played = [
        f"{folder}/report.md ({facts['recipe']['trials']} trials, "
        f"{games_with_each(facts)} games with each partner)"
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


def _draw(rows: Sequence[Mapping[str, Any]], players: Sequence[str]) -> "Drawing":
    series = []
    for player in players:
        own = [row for row in rows if row["player"] == player]
        games = [float(row["support_games"]) for row in own]
        series.append(Series.of_estimates(player, games, map(estimate_of, own)))
    return draw_lines([Panel("games watched before", "mean strict score", series)])
