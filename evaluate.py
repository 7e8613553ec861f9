#!/usr/bin/env python
"""Compare agents with each other, with recorded games, and as players of ad-hoc teamwork."""

# First, for the other imports take a while and Ctrl-C may come.

# isort: split

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.adhoc.matchup_files import match_ups_path, saved_match_ups
from hoad.adhoc.matchups import GAMES
from hoad.adhoc.pool import make_pool
from hoad.adhoc.seeds import POOL_SEED, TEST_SEED
from hoad.agents import agent_descriptions, agent_names, get_agent
from hoad.agents.check import check_agent
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import make_folder
from hoad.core.provenance import provenance
from hoad.evaluation.adhoc_recipe import AdhocRecipe
from hoad.evaluation.adhoc_report import table_rows, write_adhoc_report
from hoad.evaluation.adhoc_run import run_adhoc
from hoad.evaluation.adhoc_table import SCORES
from hoad.evaluation.agreement import agreement_table, measure_agreement, total_agreement
from hoad.evaluation.behaviour_report import as_mapping, behaviour_page, write_behaviour_report
from hoad.evaluation.behaviour_table import behaviour_table
from hoad.evaluation.crossplay import cross_play
from hoad.evaluation.diversity import measure_diversity
from hoad.evaluation.diversity_report import diversity_page, write_diversity_report
from hoad.evaluation.imitator_recipe import ImitatorsRecipe
from hoad.evaluation.matchup_page import check_match_ups, check_page, summary
from hoad.evaluation.meta_agents_recipe import MetaAgentsRecipe
from hoad.evaluation.population_report import population_page, write_population_report
from hoad.evaluation.population_table import population_table
from hoad.evaluation.report.page import to_text
from hoad.evaluation.report.plain_json import plain_json
from hoad.evaluation.report.text_table import text_table

Agents = Annotated[
    tuple[str, ...],
    cli.Positional,
    cli.arg(metavar="AGENT...", help_behavior_hint="(at least one)"),
    Field(min_length=1),
]
Files = Annotated[
    tuple[Path, ...],
    cli.Positional,
    cli.arg(metavar="FILE...", help_behavior_hint="(at least one)"),
    Field(min_length=1),
]
Populations = Annotated[
    tuple[str, ...],
    cli.Positional,
    cli.arg(metavar="POPULATION...", help_behavior_hint="(at least one)"),
    Field(min_length=1),
]
Count = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0, lt=2**62)]


def crossplay(
    agents: Agents,
    games: Count = 1000,
    seed: Seed = TEST_SEED,
    crew: cli.Crew = cli.DEFAULT_CREW,
    json: bool = False,
) -> None:
    """Let every agent play with every agent, itself included, and print the mean scores.

    Args:
        agents: Names of agents, as the command "agents" lists them.
        games: Games of each ordered pair; all pairs have the same decks.
        seed: Seed of the games.
        crew: Who works.
        json: End with one line of JSON: agents, games, lenient, strict, lenient_sem, strict_sem.
    """
    with crew.at_work():
        found = cross_play(agents, games, seed, crew.threads)
    print(found.as_text())
    if json:
        print(plain_json(found.as_mapping()))


def _make(out: Path | None) -> None:
    """Make the folder for results, if there is to be one, before anything long is begun."""
    if out is not None:
        make_folder(out)


def behaviour(
    agents: tuple[str, ...] = (),
    games: Count = 1000,
    self_play_games: Annotated[int, Field(ge=2)] = 20_000,
    seed: Seed = TEST_SEED,
    out: Path | None = None,
    crew: cli.Crew = cli.DEFAULT_CREW,
    json: bool = False,
) -> None:
    """Tell how agents behave with every partner, and how they score, beside published figures.

    Communicativeness and information per play (Canaan et al. 2022), cross-play, and self-play
    beside the original programs.

    Args:
        agents: Names of agents, as the command "agents" lists them; without any, all plain names.
        games: Games of each ordered pair; all pairs have the same decks.
        self_play_games: Games of each agent, by itself, whose original's scores are known.
        seed: Seed of the games.
        out: Folder for the tables as a page with heat maps, as JSON and as CSV.
        crew: Who works.
        json: End with one line of JSON: what is printed, by agent and partner.
    """
    _make(out)
    made_with = provenance()
    names = agents or tuple(agent_names())
    with crew.at_work():
        table = behaviour_table(names, games, self_play_games, seed, crew.threads)
    print(to_text(list(behaviour_page(table))))
    if out is not None:
        print(f"\n{write_behaviour_report(table, made_with, out)} has heat maps too")
    if json:
        print(plain_json(as_mapping(table)))


def agreement(
    files: Files,
    *,
    agent: str,
    every_seat: bool = False,
    crew: cli.Crew = cli.DEFAULT_CREW,
    json: bool = False,
) -> None:
    """Count how many recorded moves of two-player games are those of an agent.

    Possible are moves that the agent makes with positive probability, modal those that are its
    most probable (or equal it within 1e-12). A network is asked for its softmax over the legal
    moves; "unmasked modal" is its first choice of all moves, illegal ones included.

    Args:
        files: Logs, as HDF5 (.h5) or JSON Lines (.jsonl, .jsonl.gz); they are replayed first.
        agent: Name of the agent that is held against the seats recorded under this name; or
            "logged": each seat against the game's chromosome where it has one, else against
            the agent that the log names.
        every_seat: Hold every seat against the agent, whoever sat there.
        crew: Who works.
        json: End with one line of JSON: agent, decisions, possible, modal, mean_log_probability
            (of the possible moves; null if there are none), and for networks unmasked_modal.
    """
    with crew.at_work():
        found = measure_agreement(agent, files, every_seat, crew.threads)
    print(agreement_table(found))
    if json:
        print(plain_json(total_agreement(found).as_mapping(agent)))


def adhoc(
    recipe: AdhocRecipe,
    *,
    resume: bool = False,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Make the ad-hoc table: a row a held-out partner, a column a player, all on the same decks.

    Report, figures, JSON and CSV are written to the recipe's folder, and the scores of all games.

    Args:
        recipe: Who meets whom.
        resume: Keep the games that were played before, in a run that was stopped or for a table
            with fewer partners or players, and play the rest.
        crew: Who works.
    """
    with crew.at_work():
        result = run_adhoc(recipe, crew.threads, resume)
    for score in SCORES:
        print(f"{text_table(table_rows(result.table, score))}\n")
    page = write_adhoc_report(result)
    print(
        "mean ± 95 % interval over repetitions: trials of naive and low-shot, episodes of others; "
        f"seed {recipe.seed}; games and learning took {result.seconds:.0f} s\n"
        f"{page} has the rest: by seat, beside published figures, tests, figures"
    )


def imitators(
    recipe: ImitatorsRecipe,
    *,
    data: Path = Path("datasets"),
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Hold imitators against their agents: accuracy beside its ceiling, self-play, cross-play.

    Page, figure, JSON and CSV are written to the recipe's folder.

    Args:
        recipe: Who is judged.
        data: Folder with recorded games.
        crew: Who works.
    """
    # torch takes seconds
    from hoad.evaluation.imitator_report import imitator_page, write_imitator_report
    from hoad.evaluation.imitator_table import imitator_table

    made_with = provenance()
    with crew.at_work():
        table = imitator_table(recipe, data, crew.threads)
    print(to_text(list(imitator_page(table))))
    print(f"\n{write_imitator_report(table, made_with)} has heat maps too")


def matchups(
    pool: Annotated[str | None, cli.Positional, cli.arg(metavar="POPULATION")] = None,
    *,
    agents: tuple[str, ...] = (),
    games: Count = GAMES,
    seed: Seed = POOL_SEED,
    beside: Path | None = None,
    number: Annotated[int, Field(ge=1)] = 1,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Let every ordered pair of a pool play, and keep scores and behaviour for meta-agents.

    What is kept is found again by all meta-agents of the same agents, games and seed; whoever is
    stopped loses little, and the same command goes on.

    Args:
        pool: A population file (*.json) or a run of evolve.py, whose elites are the pool.
        agents: Names of agents of the pool, beside the elites.
        games: Games of each pair; all pairs have the same decks.
        seed: Seed of the games, one that other commands do not start with.
        beside: The table (CSV) of match-ups that Canaan et al. 2022 published, to compare with.
        number: Which of its populations this is.
        crew: Who works.
    """
    if pool is None and not agents:
        raise HoadError("no agents to match: give a population or --agents")
    whole = make_pool(agents, pool)
    with crew.at_work():
        found = saved_match_ups(whole.agents, games, seed, crew.threads)
        print(f"{match_ups_path(whole.agents, games, seed)}: {len(whole.agents)} agents\n")
        print(to_text(list(summary(whole, found))))
        if beside is not None:
            check = check_match_ups(whole, beside, number, games, seed, crew.threads)
            print(f"\n{to_text(list(check_page(check)))}")


def meta_agents(
    recipe: MetaAgentsRecipe,
    *,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Train meta-agents on pools and let them meet the agents of these pools (Canaan et al.).

    Report, figures, JSON and CSV are written to the recipe's folder.

    Args:
        recipe: Who knows and meets whom.
        crew: Who works.
    """
    # Figures take seconds; --help need not wait.
    from hoad.evaluation.meta_agents_report import score_rows, write_meta_agents_report
    from hoad.evaluation.meta_agents_run import run_meta_agents

    with crew.at_work():
        result = run_meta_agents(recipe, crew.threads)
    print(text_table(score_rows(result)))
    page = write_meta_agents_report(result)
    print(
        f"\nmean lenient score ± 95 % interval over episodes; seed {recipe.seed}, "
        f"{sum(result.seconds.values()):.0f} s\n{page} has the rest"
    )


def populations(
    names: Populations,
    games: Count = 1000,
    pair_games: Count = 100,
    seed: Seed = 0,
    out: Path | None = None,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Judge the elites of populations anew, beside published runs.

    Coverage, best, mean, QD score, scores of all pairs (Canaan et al. 2022, table III, and 2020,
    table I).

    Args:
        names: Populations, by name or as files (*.json).
        games: Games of self-play of each elite.
        pair_games: Games of each ordered pair of a population.
        seed: Seed of the games.
        out: Folder for the table as a page with heat maps, as JSON and as CSV.
        crew: Who works.
    """
    _make(out)
    made_with = provenance()
    with crew.at_work():
        table = population_table(names, games, pair_games, seed, crew.threads)
    print(to_text(list(population_page(table))))
    if out is not None:
        print(f"\n{write_population_report(table, made_with, out)} has heat maps too")


def diversity(
    names: Populations,
    games: Count = 1000,
    pair_games: Count = 10,
    state_games: Count = 10,
    seed: Seed = 0,
    out: Path | None = None,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Tell how different populations are: rules, moves and scores of pairs of their elites.

    Canaan et al. 2020, section V-B, within populations and between them.

    Args:
        names: Populations with the same niches, by name or as files (*.json).
        games: Games of each pair of elites of the same niche, in each order.
        pair_games: Games of each ordered pair of all elites.
        state_games: Games of self-play of each elite of the first population, at whose decisions
            all elites are asked for their moves.
        seed: Seed of the games.
        out: Folder for the tables as a page with a figure, as JSON and as CSV.
        crew: Who works.
    """
    _make(out)
    made_with = provenance()
    with crew.at_work():
        found = measure_diversity(names, games, pair_games, state_games, seed, crew.threads)
    print(to_text(list(diversity_page(found))))
    if out is not None:
        print(f"\n{write_diversity_report(found, made_with, out)} has a figure too")


def rainbow(
    seeds: Annotated[tuple[Seed, ...], Field(min_length=1)] = (1, 2),
    games: Annotated[int, Field(ge=2)] = 10_000,
    seed: Seed = 0,
    out: Path | None = None,
    crew: cli.Crew = cli.DEFAULT_CREW,
) -> None:
    """Tell how Rainbows learned, how they score, by themselves and together, and what they signal.

    Args:
        seeds: Of the trainings, as in rainbow:1 and rainbow:2.
        games: Games of each with itself, and of each ordered pair, on the same decks.
        seed: Seed of these games.
        out: Folder for the tables as a page with learning curves, as JSON and as CSV.
        crew: Who plays.
    """
    # torch takes seconds
    from hoad.evaluation.rainbow_report import rainbow_page, rainbow_table, write_rainbow_report

    _make(out)
    made_with = provenance()
    with crew.at_work():
        table = rainbow_table(seeds, games, seed, crew.threads)
    print(to_text(list(rainbow_page(table))))
    if out is not None:
        print(f"\n{write_rainbow_report(table, made_with, out)} has learning curves too")


def check(agent: Annotated[str, cli.Positional, cli.arg(metavar="AGENT")]) -> int:
    """Tell what is wrong with an agent: illegal moves, peeking, keeping something between games.

    Args:
        agent: Name of the agent; your own is python:FILE.py:CLASS.
    """
    checked = get_agent(agent)
    complaints = check_agent(checked)
    print("\n".join(complaints) or f"agent {agent}: nothing found wrong")
    if not checked.fair:
        print("It is said to see its own cards, so whether it does was not looked at.")
    return 2 if complaints else 0


def agents() -> None:
    """List the names of agents; a prefix with a colon wants an argument, as in rules:8,13,38."""
    rows = [(name, words) for name, words in agent_descriptions().items()]
    _print_list(("agent", "what it is"), rows)


def rules() -> None:
    """List the rules that chromosomes are made of, as in rules:8,13,38."""
    rows = [(f"{rule.number} {rule.name}", rule.words) for rule in CATALOGUE.values()]
    _print_list(("rule", "what it does"), rows)


def _print_list(heading: tuple[str, str], rows: list[tuple[str, str]]) -> None:
    width = max(len(words) for _, words in rows)
    print(text_table([(name, words.ljust(width)) for name, words in (heading, *rows)]))


if __name__ == "__main__":
    # Before torch is loaded. Networks play in batches of tens of rows, for which more threads cost
    # more than they bring, a hundred times more on a busy machine; cores share games instead.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    cli.run(
        {
            "crossplay": crossplay,
            "behaviour": behaviour,
            "agreement": agreement,
            "adhoc": adhoc,
            "populations": populations,
            "diversity": diversity,
            "matchups": matchups,
            "meta-agents": meta_agents,
            "imitators": imitators,
            "rainbow": rainbow,
            "check": check,
            "agents": agents,
            "rules": rules,
        },
        "Compare agents with each other, with recorded games, and as players of ad-hoc teamwork.",
    )
