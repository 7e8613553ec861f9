"""Commands that compare agents with each other, with recorded games, and with unknown partners."""

import os
import sys
from collections.abc import Callable
from itertools import tee
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.adhoc.matchups import GAMES
from hoad.adhoc.seeds import POOL_SEED, TEST_SEED
from hoad.core import cli
from hoad.core.capacity import MOST_GAMES
from hoad.core.errors import HoadError
from hoad.core.files import folder_for
from hoad.core.provenance import describe_networks
from hoad.evaluation.adhoc.recipe import AdhocRecipe
from hoad.evaluation.imitators import ImitatorsRecipe
from hoad.evaluation.meta_agents.recipe import MetaAgentsRecipe
from hoad.evaluation.prediction.recipe import PredictionRecipe
from hoad.evaluation.report.page import Report
from hoad.evaluation.search.recipe import SearchRecipe

# Before torch is loaded. Networks play in batches of tens of rows, for which more threads cost
# more than they bring, a hundred times more on a busy machine; cores share games instead.
os.environ.setdefault("OMP_NUM_THREADS", "1")


Agents = Annotated[tuple[str, ...], *cli.at_least_one("AGENT...")]
Files = Annotated[tuple[Path, ...], *cli.at_least_one("FILE...")]
Populations = Annotated[tuple[str, ...], *cli.at_least_one("POPULATION...")]
Count = Annotated[int, Field(ge=1, le=MOST_GAMES)]
Several = Annotated[int, Field(ge=2, le=MOST_GAMES)]
Seed = Annotated[int, Field(ge=0, lt=2**62)]


def crossplay(
    agents: Agents,
    games: Count = 1000,
    players: Annotated[int, Field(ge=2, le=5)] = 2,
    seed: Seed = TEST_SEED,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
    json: bool = False,
) -> None:
    """Play every ordered pair of agents and print the mean scores.

    Args:
        agents: Names of agents.
        games: Games of each ordered pair; all pairs have the same decks.
        players: Players of a game; with 3 to 5, the first agent plays with copies of the second,
            and the agents are rule lists.
        seed: Seed of the games.
        workers: What plays.
        json: End with one line of JSON: agents, games, lenient, strict, lenient_sem, strict_sem,
            players.
    """
    from hoad.evaluation.crossplay import cross_play, report

    keys = agents, games, seed, workers.threads, players
    _show(lambda: report(cross_play(*keys)), workers, json=json)


def behaviour(
    agents: tuple[str, ...] = (),
    games: Count = 1000,
    self_play_games: Several = 20_000,
    seed: Seed = TEST_SEED,
    out: Path | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
    json: bool = False,
) -> None:
    """Measure how agents behave and score with every partner.

    Communicativeness and information per play (Canaan et al. 2022), cross-play, and self-play
    compared with the original programs.

    Args:
        agents: Names of agents; without any, all names without an argument.
        games: Games of each ordered pair; all pairs have the same decks.
        self_play_games: Self-play games of each agent whose original has published scores.
        seed: Seed of the games.
        out: Folder for a page with heat maps, JSON and CSV.
        workers: What plays.
        json: End with one line of JSON: what is printed, by agent and partner.
    """
    from hoad.agents import agent_names
    from hoad.evaluation.behaviour import evaluate_agents, report

    keys = agents or tuple(agent_names()), games, self_play_games, seed, workers.threads
    _show(lambda: report(evaluate_agents(*keys)), workers, out, json)


def agreement(
    files: Files,
    *,
    agent: str,
    every_seat: bool = False,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
    json: bool = False,
) -> None:
    """Measure how often an agent agrees with recorded moves of two-player games.

    Possible moves are those to which the agent gives a positive probability; modal moves are its
    most probable ones (within 1e-12). The probabilities of a network are its softmax over the
    legal moves; "unmasked modal" is its first choice of all moves, illegal ones included.

    Args:
        files: Logs, as HDF5 (.h5) or JSON Lines (.jsonl, .jsonl.gz); they are replayed first.
        agent: Name of the agent, which is compared with the seats recorded under this name; or
            "logged": each game's chromosome or, without one, the agent that the log names.
        every_seat: Compare the agent with every seat, under any recorded name.
        workers: What replays the games.
        json: End with one line of JSON: agent, decisions, possible, modal, mean_log_probability
            (of the possible moves; null if there are none), and for networks unmasked_modal.
    """
    from hoad.evaluation.agreement import measure_agreement, report

    keys = agent, files, every_seat, workers.threads
    _show(lambda: report(agent, measure_agreement(*keys)), workers, json=json)


def adhoc(
    recipe: AdhocRecipe, *, resume: bool = False, workers: cli.Workers = cli.DEFAULT_WORKERS
) -> None:
    """Make the ad-hoc table: held-out partners by players, on the same decks.

    Report, figures, JSON, CSV and the scores of all games are written to the recipe's folder.

    Args:
        recipe: Partners, players and games.
        resume: Keep the games of a run that was stopped or of a smaller table; play the rest.
        workers: What plays and learns.
    """
    from hoad.evaluation.adhoc.report import adhoc_report, table_rows, what_repeats
    from hoad.evaluation.adhoc.table import run_adhoc
    from hoad.evaluation.report.output import refuse_other_report, write_report
    from hoad.evaluation.report.page import text_table
    from hoad.evaluation.statistics import SCORES

    refuse_other_report(recipe.out, resume)
    with workers.in_use():
        result = run_adhoc(recipe, workers.threads, resume)
    for score in SCORES:
        print(f"{text_table(table_rows(result, score))}\n")
    page = write_report(adhoc_report(result), recipe.out)
    _show_networks()
    print(
        "†: not significantly worse than the best player that does not know the partner\n"
        f"mean ± 95 % interval over repetitions: {what_repeats(recipe)}; "
        f"seed {recipe.seed}; games and learning took {result.seconds:.0f} s\n"
        f"{page} has more: scores by seat, published scores, tests, figures"
    )


def imitators(
    recipe: ImitatorsRecipe,
    *,
    data: Path = Path("datasets"),
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Compare imitators with their agents: accuracy, self-play and cross-play.

    Page, figure, JSON and CSV are written to the recipe's folder.

    Args:
        recipe: Agents and games.
        data: Folder with recorded games.
        workers: What plays.
    """
    from hoad.evaluation.imitators import evaluate_imitators, report

    _show(lambda: report(evaluate_imitators(recipe, data, workers.threads)), workers, recipe.out)


def inner_steps(
    models: Annotated[tuple[str, ...], *cli.at_least_one("MODEL...")],
    *,
    data: Path = Path("datasets"),
    write: bool = False,
    json: bool = False,
) -> None:
    """Choose the inner steps of low-shot play of meta-models again.

    Each number of steps that a model's recipe names is tried on unseen games of the agents that it
    was trained with. The smallest number within one standard error of the lowest loss is chosen, as
    at the end of a training.

    Args:
        models: Names or files of meta-models, such as maml:iggi or maml:iggi@1000.
        data: Folder with recorded games.
        write: Write the choice into the models and their metadata.
        json: End with one line of JSON: models, each with model, path, before and chosen.
    """
    from hoad.evaluation.inner_steps import choose_again, report, write_choice
    from hoad.evaluation.report.output import plain_json
    from hoad.evaluation.report.page import to_text

    found = []
    for steps in choose_again(models, data):
        found.append(steps)
        if write:
            write_choice(steps)
    print(to_text(report(found)))
    if json:
        print(plain_json(report(found).facts))


def leaderboard(
    folders: Annotated[tuple[Path, ...], *cli.at_least_one("FOLDER...")],
    *,
    out: Path = Path("results/leaderboard.md"),
) -> None:
    """Write one page with the players of ad-hoc tables, by score.

    Args:
        folders: Folders of ad-hoc tables, such as results/adhoc/agents.
        out: The page.
    """
    from hoad.core.files import write_atomically
    from hoad.evaluation.adhoc.leaderboard import check_page
    from hoad.evaluation.adhoc.leaderboard import leaderboard as make_leaderboard
    from hoad.evaluation.report.page import to_markdown, to_text

    check_page(out)
    page = make_leaderboard(folders)
    with write_atomically(out) as file:
        file.write(to_markdown(page).encode())
    print(f"{to_text(page)}\n\nWritten to {out}")


def games_watched(
    folders: Annotated[tuple[Path, ...], *cli.at_least_one("FOLDER...")],
    *,
    out: Path = Path("results/adhoc/games-watched"),
) -> None:
    """Show scores by the number of games watched, from ad-hoc tables that differ in it.

    Page, figure, JSON and CSV are written to a folder.

    Args:
        folders: Folders of ad-hoc tables that differ in the key support_games.
        out: Folder of the page.
    """
    from hoad.evaluation.adhoc.games_watched import games_watched as make_report

    page = make_report(folders)  # before there is a folder: it refuses what is no table
    _show(lambda: page, cli.DEFAULT_WORKERS, out)


def predict(
    files: Files,
    *,
    support: Count = 10,
    test: Count = 200,
    held_out: str | None = None,
    stranger: str | None = None,
    json: bool = False,
) -> None:
    """Measure how well partner models predict an agent after a few of its games.

    Each model learns from the first self-play games of a file, and is evaluated on the next ones.
    Games with others are evaluated apart: the moves of the agent that sits in all games of the file
    and has self-play games in this file or in another one.

    Args:
        files: Logs, as HDF5 (.h5) or JSON Lines (.jsonl, .jsonl.gz); they are replayed first.
        support: Self-play games to learn from.
        test: Games to evaluate on, or as many as there are.
        held_out: The agent that models may not know: it and whatever behaves like it are not in the
            pool, and the meta-model never saw it. Without it, the pool is all plain agents, and the
            meta-model is maml:rainbow.
        stranger: The agent, or the person, that is to be predicted and sits in all games. Of one
            that has no self-play games, models learn from its first games with others.
        json: End with one line of JSON: files, for each file and method log_loss (nats a move) and
            half_width (of its 95 % interval), accuracy and accuracy_half_width, and seconds
            (processor time); and with_others, the same, if there are such games.
    """
    from hoad.evaluation.prediction.files import measure_predictions, report
    from hoad.evaluation.report.output import plain_json
    from hoad.evaluation.report.page import to_text

    found = report(measure_predictions(files, support, test, held_out, stranger))
    print(to_text(found))
    _show_networks()
    if json:
        print(plain_json(found.facts))


def prediction(
    recipe: PredictionRecipe, *, resume: bool = False, workers: cli.Workers = cli.DEFAULT_WORKERS
) -> None:
    """Make the study of prediction: what predict measures, for many strangers and games.

    Report, figures, JSON and CSV are written to the recipe's folder.

    Args:
        recipe: Strangers and games.
        resume: Keep the strangers of a run that was stopped; measure the rest.
        workers: What measures.
    """
    from hoad.evaluation.prediction.report import prediction_report
    from hoad.evaluation.prediction.study import run_prediction

    keys = recipe, workers.threads, resume
    _show(lambda: prediction_report(run_prediction(*keys)), workers, recipe.out, resume=resume)


@cli.renamed(beside="compare_with")
def matchups(
    pool: Annotated[str | None, cli.Positional, cli.arg(metavar="POPULATION")] = None,
    *,
    agents: tuple[str, ...] = (),
    games: Count = GAMES,
    seed: Seed = POOL_SEED,
    compare_with: Path | None = None,
    number: Count = 1,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Play every ordered pair of a pool; meta-agents use the scores and the behaviour.

    Meta-agents with the same agents, games and seed find them saved. The same command resumes.

    Args:
        pool: A population file (*.json) or a run of evolve.py, whose elites are the pool.
        agents: Names of more agents of the pool.
        games: Games of each pair; all pairs have the same decks.
        seed: Seed of the games; its default, and so the decks, differ from other commands'.
        compare_with: The table (CSV) of match-ups that Canaan et al. 2022 published.
        number: The population's number in that table.
        workers: What plays.
    """
    from hoad.adhoc.matchups import match_ups_path, saved_match_ups
    from hoad.adhoc.pool import make_pool
    from hoad.evaluation.meta_agents.matchup_check import check_match_ups, check_page, summary
    from hoad.evaluation.report.page import blocks_to_text

    if pool is None and not agents:
        raise HoadError("the pool is empty: give a population or --agents")
    whole = make_pool(agents, pool)
    with workers.in_use():
        found = saved_match_ups(whole.agents, games, seed, workers.threads)
        print(f"{match_ups_path(whole.agents, games, seed)}: {len(whole.agents)} agents\n")
        print(blocks_to_text(list(summary(whole, found))))
        if compare_with is not None:
            compared = check_match_ups(whole, compare_with, number, games, seed, workers.threads)
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
    from hoad.evaluation.meta_agents.report import meta_agents_report, score_rows
    from hoad.evaluation.meta_agents.table import run_meta_agents
    from hoad.evaluation.report.output import refuse_other_report, write_report
    from hoad.evaluation.report.page import text_table

    refuse_other_report(recipe.out, resume)
    with workers.in_use():
        result = run_meta_agents(recipe, workers.threads, resume)
    print(text_table(score_rows(result)))
    page = write_report(meta_agents_report(result), recipe.out)
    _show_networks()
    print(
        f"\nmean lenient score ± 95 % interval over episodes; seed {recipe.seed}, "
        f"{sum(result.seconds.values()):.0f} s\n{page} has more"
    )


def populations(
    names: Populations,
    games: Count = 1000,
    pair_games: Count = 100,
    seed: Seed = 0,
    out: Path | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Evaluate the elites of populations and compare them with published runs.

    Coverage, best, mean, QD score, scores of pairs (Canaan et al. 2022, table III; 2020, table I).

    Args:
        names: Populations, by name or as files (*.json).
        games: Self-play games of each elite.
        pair_games: Games of each ordered pair of a population.
        seed: Seed of the games.
        out: Folder for a page with heat maps, JSON and CSV.
        workers: What plays.
    """
    from hoad.evaluation.populations import evaluate_populations, report

    keys = names, games, pair_games, seed, workers.threads
    _show(lambda: report(evaluate_populations(*keys)), workers, out)


def diversity(
    names: Populations,
    games: Count = 1000,
    pair_games: Count = 10,
    state_games: Count = 10,
    seed: Seed = 0,
    out: Path | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Measure how elites differ within and between populations.

    Their rules, moves and scores, as in Canaan et al. 2020, section V-B.

    Args:
        names: Populations with the same niches, by name or as files (*.json).
        games: Games of each pair of elites of the same niche, in each order.
        pair_games: Games of each ordered pair of all elites.
        state_games: Self-play games of each elite of the first population; all elites choose a
            move in the states of these games.
        seed: Seed of the games.
        out: Folder for a page with a figure, JSON and CSV.
        workers: What plays.
    """
    from hoad.evaluation.diversity.measure import measure_diversity
    from hoad.evaluation.diversity.report import report

    keys = names, games, pair_games, state_games, seed, workers.threads
    _show(lambda: report(measure_diversity(*keys)), workers, out)


def rainbow(
    seeds: Annotated[tuple[Seed, ...], Field(min_length=1)] = (1, 2),
    games: Several = 10_000,
    seed: Seed = 0,
    out: Path | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Evaluate Rainbow agents: learning curves, self-play, cross-play, conventions.

    Args:
        seeds: Seeds of the trainings, as in rainbow:1 and rainbow:2.
        games: Self-play games of each, and games of each ordered pair, on the same decks.
        seed: Seed of these games.
        out: Folder for a page with learning curves, JSON and CSV.
        workers: What plays.
    """
    from hoad.evaluation.rainbow import evaluate_rainbow, report

    _show(lambda: report(evaluate_rainbow(seeds, games, seed, workers.threads)), workers, out)


def search(
    recipe: SearchRecipe, *, resume: bool = False, workers: cli.Workers = cli.DEFAULT_WORKERS
) -> None:
    """Measure what search gains with a known partner, and what it costs.

    Each agent with itself, with a player that searches with it as model, and two such players.
    Page, figure, JSON, CSV and the scores of all games are written to the recipe's folder.

    Args:
        recipe: Agents and games.
        resume: Keep the games of a run that was stopped or of a smaller table; play the rest.
        workers: What plays.
    """
    from hoad.evaluation.search.measure import evaluate_search
    from hoad.evaluation.search.report import report

    keys = recipe, workers.threads, resume
    _show(lambda: report(evaluate_search(*keys)), workers, recipe.out, resume=resume)


def watch(
    players: Annotated[tuple[str, ...], *cli.at_least_one("AGENT AGENT | FILE")],
    game: Annotated[int, Field(ge=0, lt=2**62)] = 0,
    seed: Seed = TEST_SEED,
    html: Path | None = None,
) -> None:
    """Show one game, move by move, with what each player sees, knows and believes.

    The text fits into 80 columns. Cards are coloured on a terminal, unless NO_COLOR is set.

    Args:
        players: Two agents, which play; or a file of games (.h5, .jsonl, .jsonl.gz).
        game: Number of the game, of the run with the seed or in the file.
        seed: Seed of the games that agents play.
        html: File for the same as a page, which needs no other file and no network.
    """
    from hoad.core.files import check_target, write_file
    from hoad.evaluation.watch.page import page_of
    from hoad.evaluation.watch.story import story_of
    from hoad.evaluation.watch.text import style_of, text_of

    if html is not None:
        check_target(html, (".html",))
    story = story_of(players, seed, game)
    told, told_again = tee(story.told())
    for part in text_of(story, told, style_of(sys.stdout)):
        print(part, flush=True)
    if html is not None:
        write_file(html, page_of(story, told_again).encode())
        print(f"\n{html} shows the same")


def _show(
    make_report: Callable[[], Report],
    workers: cli.Workers,
    out: Path | None = None,
    json: bool = False,
    resume: bool = False,
) -> None:
    """Print what workers measure; write it if there is a folder; end with its facts as JSON."""
    from hoad.evaluation.report.output import (
        plain_json,
        refuse_other_report,
        with_networks,
        write_report,
    )
    from hoad.evaluation.report.page import to_text

    if out is not None:
        refuse_other_report(out, resume)
    with folder_for(out):  # before the games, which may take hours
        with workers.in_use():
            report = make_report()
        print(to_text(report))
        _show_networks()
        if out is not None:
            print(f"\n{write_report(report, out)} has figures too")
    if json:
        print(plain_json(with_networks(report.facts)))


def _show_networks() -> None:
    """Say where the networks that have played come from."""
    if said := describe_networks():
        print(f"\n{said}")
