"""Commands about Bayesian meta-agents: matchups of their pools, tables, and pairs of them."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.agents.registry import AgentName
from hoad.agents.seeds import POOL_SEED
from hoad.bayes.settings import MATCHUP_GAMES
from hoad.commands.evaluate.output import show_networks, showing
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import folder_for
from hoad.core.recipe import Count, Seed, Several
from hoad.evolution.folders import population_path
from hoad.reports.output import refuse_other_report, write_report
from hoad.reports.page import blocks_to_text, text_table
from hoad.tables.meta_agents.recipe import MetaAgentsRecipe


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
    with folder_for(recipe.out):  # nobody else writes the report
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
    players: Annotated[tuple[str, ...], Field(min_length=1)] = (
        "bayes-features",
        "bayes-moves",
        "generalist",
    ),
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
