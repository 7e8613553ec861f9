"""Players of ad-hoc tables: the leaderboard, and the main comparison of the README."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import check_target
from hoad.players.registry import knows_partner
from hoad.reports.dots import draw_dots
from hoad.reports.page import Block, CommandLines, Figure, Heading, Paragraph, Report, Strong, Table
from hoad.reports.statistics import Estimate, means_and_widths, show
from hoad.reports.styles import styles_of
from hoad.tables.adhoc.recipe import PARTNERS
from hoad.tables.adhoc.results_files import (
    estimate_of,
    joint_scores,
    overall_scores,
    page_of_tables,
    read_table,
    scores_by,
    settings_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


_TITLE: Final = "Leaderboard"

_ADD: Final = (
    "To add a row: write your player as a class (README, Your own ad-hoc player), add its name, "
    "python:FILE.py:CLASS, to the players of a table's recipe, and call the table's command again. "
    "With --resume only the games of the new player are played. Then make this page again:"
)


def leaderboard(folders: Sequence[Path]) -> Report:
    """Return the players of tables by overall strict score; a HoadError for another folder."""
    folders = list(dict.fromkeys(folders))
    again = " \\\n    ".join(["python evaluate.py leaderboard", *map(str, folders)])
    blocks: list[Block] = [Paragraph(_ADD), CommandLines(again)]
    blocks += _all_tables(joint_scores(folders))
    rows: list[dict[str, Any]] = []
    for folder in folders:
        facts = read_table(folder)
        player_rows = sorted(overall_scores(folder, facts), key=lambda row: -row["mean"])
        rows += player_rows
        blocks += _section(folder, facts, player_rows)
    return Report(_TITLE, blocks, rows, {})


def _all_tables(rows: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """Yield the players of all tables, by their score in the first setting; best ones stand out."""
    settings = settings_of(rows)
    means = {(row["player"], row["setting"]): row["mean"] for row in rows}
    cells = {(row["player"], row["setting"]): show(estimate_of(row)) for row in rows}

    def order(player: str) -> tuple[bool, list[float]]:
        scores = [-means.get((player, setting), -1.0) for setting in settings]
        return knows_partner(player), scores

    players = sorted({row["player"] for row in rows}, key=order)
    for setting in settings:
        scores = {p: means[p, setting] for p in players if (p, setting) in means}
        competing = [p for p in scores if not knows_partner(p)]
        if competing:
            best = max(competing, key=scores.__getitem__), setting
            cells[best] = Strong(cells[best])
    yield Heading("All tables")
    yield Paragraph(
        "Strict score over all partners in both seats, with 95 % intervals. Tables with the same "
        "partners, held-out agents and games watched share a column; if several of them have a "
        "player, the one with most games counts. Bold: the best player that does not know the "
        "partner; tables below say which differences are significant."
    )
    lines = [[_described(p), *(cells.get((p, each), "") for each in settings)] for p in players]
    yield Table([["player", *settings], *lines])


def _described(player: str) -> str:
    return f"{player} (knows the partner)" if knows_partner(player) else player


def check_page(page: Path) -> None:
    """Refuse a file to write that is not named as a page, or that holds something else."""
    check_target(page, (".md",), may_exist=True)
    if page.exists() and not page.read_bytes().startswith(f"# {_TITLE}".encode()):
        raise HoadError(f"{page}: is not a leaderboard; choose another name with --out")


def _section(
    folder: Path, facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> Iterator[Block]:
    recipe, made = facts["recipe"], facts["made_with"]
    partners = PARTNERS[recipe["source"]]
    yield Heading(f"{folder}: partners are {partners}, held out: the {recipe['hold_out']}")
    yield Paragraph(
        f"{len(recipe['partners'])} partners, {recipe['episodes']} episodes of "
        f"{recipe['games_per_episode']} games with each, seed {recipe['seed']}, page made at "
        f"commit {made['commit'][:7]}. Players with the same score share a place; the table's "
        "report.md says which differences are significant."
    )
    yield CommandLines(f"python {made['command']}")
    knowing = [row for row in rows if knows_partner(row["player"])]
    competing = [row for row in rows if row not in knowing]
    scores = [round(row["mean"], 2) for row in competing]
    cells = []
    for score, row in zip(scores, competing, strict=True):
        line = [str(1 + scores.index(score)), row["player"], show(estimate_of(row))]
        cells.append([Strong(cell) for cell in line] if line[0] == "1" else line)
    cells += [["", _described(row["player"]), show(estimate_of(row))] for row in knowing]
    yield Table([["", "player", "strict score"], *cells])


def headline(folders: Sequence[Path], players: Sequence[str]) -> Report:
    """Return the mean strict scores of chosen players, in both seats, with a column a setting.

    See :func:`~.results_files.joint_scores`. It raises a HoadError if a folder holds no ad-hoc
    table, or a player is in none of the tables.
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
