"""Commands about ad-hoc play: tables of players and partners, and what is made from them."""

from collections.abc import Iterable
from pathlib import Path

from hoad.commands.evaluate.output import Folders, show_networks, showing
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import folder_for, require_present
from hoad.reports.output import refuse_other_report, write_report
from hoad.reports.page import text_table, to_markdown, to_text
from hoad.tables.adhoc.recipe import HEADLINE_PLAYERS, AdhocRecipe


def adhoc(
    recipe: AdhocRecipe,
    *,
    join: tuple[Path, ...] = (),
    resume: bool = False,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Make the ad-hoc table: held-out partners by players, on the same decks.

    Report, figures, JSON, CSV and the scores of all games are written to the recipe's folder.

    Args:
        recipe: Partners, players and games.
        join: With --resume, folders of parts of the table; their games are not played again.
        resume: Keep the games of a run that was stopped or of a smaller table; play the rest.
        workers: What plays and learns.
    """
    if join and not resume:
        raise HoadError("--join goes with --resume")
    with folder_for(recipe.out):  # nobody else writes the report
        refuse_other_report(recipe.out, resume)

        from hoad.reports.statistics import SCORES
        from hoad.tables.adhoc.report import adhoc_report, what_repeats
        from hoad.tables.adhoc.table import run_adhoc, table_rows
        from hoad.tables.kept_cells import join_games

        join_games(recipe.games_folder, join)
        with workers.in_use():
            result = run_adhoc(recipe, workers.threads, resume)
        for score in SCORES:
            print(f"{text_table(table_rows(result, score))}\n")
        page = write_report(adhoc_report(result), recipe.out)
    show_networks()
    print(
        "†: not significantly worse than the best player that does not know the partner\n"
        f"mean ± 95 % interval over repetitions: {what_repeats(recipe)}; "
        f"seed {recipe.seed}; games and learning took {result.seconds:.0f} s\n"
        f"{page} has more: scores by seat, published scores, tests, figures"
    )


def _require_tables(folders: Iterable[Path]) -> None:
    """Refuse a folder without results before anything is written: a HoadError."""
    require_present(*(folder / "results.json" for folder in folders))


def leaderboard(folders: Folders, *, out: Path = Path("results/leaderboard.md")) -> None:
    """Write one page with the players of ad-hoc tables, by score.

    Args:
        folders: Folders of ad-hoc tables, such as results/adhoc/agents.
        out: The page.
    """
    _require_tables(folders)

    from hoad.core.files import only_writer, write_file
    from hoad.tables.adhoc.leaderboard import check_page
    from hoad.tables.adhoc.leaderboard import leaderboard as make_leaderboard

    with only_writer(out.parent, f"{out.name}.lock"):
        check_page(out)
        page = make_leaderboard(folders)
        write_file(out, to_markdown(page).encode())
    print(f"{to_text(page)}\n\nWritten to {out}")


def games_watched(folders: Folders, *, out: Path = Path("results/adhoc/games-watched")) -> None:
    """Show scores by the number of games watched, from ad-hoc tables that differ in it.

    Page, figure, JSON and CSV are written to a folder.

    Args:
        folders: Folders of ad-hoc tables that differ in the key support_games.
        out: Folder of the page.
    """
    _require_tables(folders)

    with showing(cli.DEFAULT_WORKERS, out) as show:
        from hoad.tables.adhoc.games_watched import games_watched

        show(games_watched(folders))


def milestones(folders: Folders, *, out: Path = Path("results/adhoc/objectives")) -> None:
    """Show zero-shot and low-shot scores by steps of meta-training, from ad-hoc tables.

    Page, figure, JSON and CSV are written to a folder.

    Args:
        folders: Folders of ad-hoc tables with players such as low-shot@500, which differ in their
            meta-models only.
        out: Folder of the page.
    """
    _require_tables(folders)

    with showing(cli.DEFAULT_WORKERS, out) as show:
        from hoad.tables.adhoc.milestones import milestones

        show(milestones(folders))


def headline(
    folders: Folders,
    *,
    players: tuple[str, ...] = HEADLINE_PLAYERS,
    out: Path = Path("results/headline"),
) -> None:
    """Show a few players of published ad-hoc tables side by side, as in the README.

    Page, figure, JSON and CSV are written to a folder.

    Args:
        folders: Folders of ad-hoc tables, such as results/adhoc/agents.
        players: The players to show, in this order.
        out: Folder of the page.
    """
    if not players:
        raise HoadError("--players names no player; leave the option out for those of the README")
    _require_tables(folders)

    with showing(cli.DEFAULT_WORKERS, out, resume=True) as show:
        from hoad.tables.adhoc.leaderboard import headline

        show(headline(folders, players))
