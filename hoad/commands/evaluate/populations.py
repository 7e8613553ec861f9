"""Commands that measure evolved populations."""

from pathlib import Path

from hoad.commands.evaluate.output import Populations, showing
from hoad.core import cli
from hoad.core.recipe import Count, Seed
from hoad.evolution.folders import population_path


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
    for name in names:
        population_path(name)  # a HoadError if it is absent

    with showing(workers, out) as show:
        from hoad.studies.populations import measure_populations, report

        show(report(measure_populations(names, games, pair_games, seed, workers.threads)))


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
    for name in names:
        population_path(name)  # a HoadError if it is absent

    with showing(workers, out) as show:
        from hoad.studies.diversity import measure_diversity, report

        measured = measure_diversity(names, games, pair_games, state_games, seed, workers.threads)
        show(report(measured))
