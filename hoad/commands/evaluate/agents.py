"""Commands that play agents with each other, or follow recorded games."""

import sys
from itertools import tee
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.agents.registry import AgentName, agent_names
from hoad.agents.seeds import TEST_SEED
from hoad.commands.evaluate.output import Agents, Files, showing
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import check_target, require_present, write_file
from hoad.core.recipe import Count, Seed, Several
from hoad.studies.recipes import BoundsRecipe, SearchRecipe


def crossplay(
    agents: Agents,
    games: Count = 1000,
    players: Annotated[int, Field(ge=2, le=5)] = 2,
    seed: Seed = TEST_SEED,
    out: Path | None = None,
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
        out: Folder for a page with heat maps, JSON and CSV.
        workers: What plays.
        json: End with one line of JSON: agents, games, lenient, strict, lenient_sem, strict_sem,
            players; with a folder, how it was made.
    """
    with showing(workers, out, json) as show:
        from hoad.studies.crossplay import cross_play, cross_play_page, report

        if out is None:
            show(report(cross_play(agents, games, seed, workers.threads, players)))
        else:
            show(cross_play_page(agents, games, seed, workers.threads, players))


def behaviour(
    files: Annotated[tuple[Path, ...], cli.Positional("FILE...")] = (),
    agents: tuple[AgentName, ...] = (),
    games: Count = 1000,
    self_play_games: Several = 20_000,
    seed: Seed = TEST_SEED,
    out: Path | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
    json: bool = False,
) -> None:
    """Measure how agents behave and score with every partner, or players of recorded games.

    Communicativeness and information per play (Canaan et al. 2022), cross-play, and self-play
    compared with the original programs. With files, only their games are measured: each player's
    features, with the niche that it falls into.

    Args:
        files: Recorded games of two players (.h5, .jsonl, .jsonl.gz), of people too.
        agents: Names of agents; without any, all names without an argument.
        games: Games of each ordered pair; all pairs have the same decks.
        self_play_games: Self-play games to compare with published scores, for each agent with any.
        seed: Seed of the games.
        out: Folder for a page with heat maps, JSON and CSV.
        workers: What plays.
        json: End with one line of JSON: what is printed, by agent and partner.
    """
    if files and agents:
        raise HoadError("give files or --agents, not both")
    require_present(*files)

    with showing(workers, out, json) as show:
        from hoad.studies.behaviour import measure_behaviour, report
        from hoad.studies.recorded_behaviour import measure_recorded
        from hoad.studies.recorded_behaviour import report as report_recorded

        if files:
            show(report_recorded(measure_recorded(files)))
        else:
            names = agents or tuple(agent_names())
            show(report(measure_behaviour(names, games, self_play_games, seed, workers.threads)))


def similarity(
    agents: Agents,
    games: Count = 100,
    seed: Seed = TEST_SEED,
    out: Path | None = None,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
    json: bool = False,
) -> None:
    """Measure how often agents make the same moves in the games of each of them.

    Args:
        agents: Names of agents.
        games: Self-play games of each, in whose turns all agents are asked for their moves.
        seed: Seed of the games.
        out: Folder for a page with a heat map, JSON and CSV.
        workers: What plays.
        json: End with one line of JSON: agents, games, equal.
    """
    with showing(workers, out, json) as show:
        from hoad.studies.similarity import measure_similarity, report

        show(report(measure_similarity(agents, games, seed, workers.threads)))


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
    require_present(*files)
    with showing(workers, json=json) as show:
        from hoad.studies.agreement import measure_agreement, report

        show(report(agent, measure_agreement(agent, files, every_seat, workers.threads)))


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
    with showing(workers, recipe.out, resume=resume) as show:
        from hoad.studies.search import measure_search, report

        show(report(measure_search(recipe, workers.threads, resume)))


def bounds(
    recipe: BoundsRecipe, *, resume: bool = False, workers: cli.Workers = cli.DEFAULT_WORKERS
) -> None:
    """Measure how well one can play with each agent: itself, the best response, search.

    Scores of both seats, strict and lenient. The best response among the agents is chosen on other
    decks than it is scored on. Page, JSON and CSV are written to the recipe's folder.

    Args:
        recipe: Agents and games.
        resume: Keep the games of search that the folder holds; play the rest.
        workers: What plays.
    """
    with showing(workers, recipe.out, resume=resume) as show:
        from hoad.studies.bounds import measure_bounds, report

        show(report(measure_bounds(recipe, workers.threads, resume)))


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
    if html is not None:
        check_target(html, (".html",))

    from hoad.watch.page import page_of
    from hoad.watch.story import story_of
    from hoad.watch.text import style_of, text_of

    story = story_of(players, seed, game)
    told, told_again = tee(story.told())
    for part in text_of(story, told, style_of(sys.stdout)):
        print(part, flush=True)
    if html is not None:
        write_file(html, page_of(story, told_again).encode(), new=True)
        print(f"\n{html} shows the same")
