"""Commands about ad-hoc play: tables of players and partners, and what is made from them."""

from pathlib import Path
from typing import Annotated

from hoad.agents.registry import AgentName
from hoad.agents.seeds import POOL_SEED
from hoad.bayes.settings import MATCHUP_GAMES
from hoad.commands.evaluate.output import Folders, show_networks, showing
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import require_present
from hoad.core.recipe import Count, Seed, Several
from hoad.evolution.folders import population_path
from hoad.reports.output import refuse_other_report, write_report
from hoad.reports.page import blocks_to_text, text_table, to_markdown, to_text
from hoad.tables.adhoc.recipe import HEADLINE_PLAYERS, AdhocRecipe
from hoad.tables.meta_agents.recipe import MetaAgentsRecipe


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


def leaderboard(folders: Folders, *, out: Path = Path("results/leaderboard.md")) -> None:
    """Write one page with the players of ad-hoc tables, by score.

    Args:
        folders: Folders of ad-hoc tables, such as results/adhoc/agents.
        out: The page.
    """
    require_present(*(folder / "results.json" for folder in folders))

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
    require_present(*(folder / "results.json" for folder in folders))

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

    with showing(cli.DEFAULT_WORKERS, out, resume=True) as show:
        from hoad.tables.adhoc.leaderboard import headline

        show(headline(folders, players))


def matchups(
    pool: Annotated[str | None, cli.Positional("POPULATION")] = None,
    *,
    agents: tuple[AgentName, ...] = (),
    games: Count = MATCHUP_GAMES,
    seed: Seed = POOL_SEED,
    compare_with: Path | None = None,
    number: Count = 1,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Play every ordered pair of a pool; meta-agents use the scores and the behaviour.

    Meta-agents with the same agents, games and seed find them saved. The same command resumes.

    Args:
        pool: A population file (*.json) or a run of evolve.py. Its elites form the pool.
        agents: Names of more agents of the pool.
        games: Games of each pair; all pairs have the same decks.
        seed: Seed of the games; its default, and so the decks, differ from other commands'.
        compare_with: The table (CSV) of matchups that Canaan et al. 2022 published.
        number: The population's number in that table.
        workers: What plays.
    """
    if pool is None and not agents:
        raise HoadError("the pool is empty: give a population or --agents")
    if pool is not None:
        population_path(pool)  # a HoadError if it is absent

    from hoad.bayes.matchups import matchups_path, saved_matchups
    from hoad.bayes.pool import make_pool
    from hoad.tables.meta_agents.matchup_check import check_matchups, check_page, summary

    whole = make_pool(agents, pool)
    with workers.in_use():
        of_pool = saved_matchups(whole.agents, games, seed, workers.threads)
        print(f"{matchups_path(whole.agents, games, seed)}: {len(whole.agents)} agents\n")
        print(blocks_to_text(list(summary(whole, of_pool))))
        if compare_with is not None:
            compared = check_matchups(whole, compare_with, number, games, seed, workers.threads)
            print(f"\n{blocks_to_text(list(check_page(compared)))}")


def meta_agents(
    recipe: MetaAgentsRecipe, *, resume: bool = False, workers: cli.Workers = cli.DEFAULT_WORKERS
) -> None:
    """Train meta-agents on pools and evaluate them with the agents of the pools.

    As in Canaan et al. 2022. Report, figures, JSON and CSV are written to the recipe's folder.

    Args:
        recipe: Pools, players and games.
        resume: Keep the games of a run that was stopped or of a smaller table; play the rest.
        workers: What plays.
    """
    refuse_other_report(recipe.out, resume)

    from hoad.tables.meta_agents.report import meta_agents_report, score_rows
    from hoad.tables.meta_agents.table import run_meta_agents

    with workers.in_use():
        result = run_meta_agents(recipe, workers.threads, resume)
    print(text_table(score_rows(result)))
    page = write_report(meta_agents_report(result), recipe.out)
    show_networks()
    print(
        f"\nmean lenient score ± 95 % interval over episodes; seed {recipe.seed}, "
        f"{sum(result.seconds.values()):.0f} s\n{page} has more"
    )


def adaptive_pairs(
    population: Annotated[str, cli.Positional("POPULATION")],
    *,
    players: tuple[str, ...] = ("bayes-features", "bayes-moves", "generalist"),
    episodes: Several = 200,
    games_per_episode: Count = 10,
    matchup_games: Count = MATCHUP_GAMES,
    seed: Seed = 0,
    out: Path | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Let meta-agents that know the same population meet each other, and themselves.

    Each adapts to the other: how well they play, and which responses they end with (Canaan et al.
    2022, section VII).

    Args:
        population: A population file (*.json) or a run of evolve.py: hypotheses and responses.
        players: Meta-agents that need no games of their partner before they meet it.
        episodes: Episodes of each pair.
        games_per_episode: Games of an episode.
        matchup_games: Games of each ordered pair of elites that the players know.
        seed: Seed of the games.
        out: Folder for a page with a figure, JSON and CSV.
        workers: What plays.
    """
    population_path(population)  # a HoadError if it is absent

    with showing(workers, out) as show:
        from hoad.studies.adaptive_pairs import measure_pairs, report

        pairs = measure_pairs(
            population,
            players,
            episodes=episodes,
            games=games_per_episode,
            matchup_games=matchup_games,
            seed=seed,
            threads=workers.threads,
        )
        show(report(pairs))
