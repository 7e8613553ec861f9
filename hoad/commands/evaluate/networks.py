"""Commands that measure trained networks."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.commands.evaluate.output import showing
from hoad.core import cli
from hoad.core.recipe import Seed, Several
from hoad.reports.output import plain_json
from hoad.reports.page import to_text
from hoad.studies.recipes import ImitatorsRecipe


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
    with showing(workers, recipe.out) as show:
        from hoad.studies.imitators import measure_imitators, report

        show(report(measure_imitators(recipe, data, workers.threads)))


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
    from hoad.studies.inner_steps import choose_again, report, write_choice

    chosen = []
    for steps in choose_again(models, data):
        chosen.append(steps)
        if write:
            write_choice(steps)
    print(to_text(report(chosen)))
    if json:
        print(plain_json(report(chosen).facts))


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
    with showing(workers, out) as show:
        from hoad.studies.rainbow import measure_rainbow, report

        show(report(measure_rainbow(seeds, games, seed, workers.threads)))
