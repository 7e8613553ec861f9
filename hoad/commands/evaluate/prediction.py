"""Commands that measure how well partner models predict moves."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hoad.commands.evaluate.output import Files, show_networks, showing
from hoad.core import cli
from hoad.core.capacity import MOST_GAMES
from hoad.core.files import require_present
from hoad.core.recipe import Count, Seed
from hoad.reports.output import plain_json
from hoad.reports.page import to_text
from hoad.studies.recipes import PeopleRecipe, PredictionRecipe


def predict(
    files: Files,
    *,
    support: Annotated[int, Field(ge=0, le=MOST_GAMES)] = 10,
    test: Count = 200,
    held_out: str | None = None,
    stranger: str | None = None,
    others: tuple[Path, ...] = (),
    json: bool = False,
) -> None:
    """Measure how well partner models predict an agent after a few of its games.

    Each model learns from the first self-play games of a file, and is evaluated on the next ones.
    Games with others are evaluated apart: the moves of the agent that sits in all games of the file
    and has self-play games in this file or in another one. Games of three to five players are
    predicted by rule lists, and by mixtures of them.

    Args:
        files: Logs, as HDF5 (.h5) or JSON Lines (.jsonl, .jsonl.gz); they are replayed first.
        support: Self-play games to learn from.
        test: Games to evaluate on, or as many as there are.
        held_out: The agent that models may not know: it and whatever behaves like it are not in the
            pool, and the meta-model never saw it. Without it, the pool is all plain agents, and the
            meta-model is maml:rainbow.
        stranger: The agent, or the person, that is to be predicted, in the games in which it sits;
            "all" for each person (P001, P002, ...) who has enough games. Of one that has no
            self-play games, models learn from its first games with others.
        others: Games of people whom the models know; the stranger is left out of them.
        json: End with one line of JSON: files, for each file and method log_loss (nats a move),
            accuracy, seconds (processor time), half_width and accuracy_half_width (of 95 %
            intervals); and with_others, the same, if there are such games.
    """
    require_present(*files)

    from hoad.studies.prediction.files import measure_files, report

    page = report(measure_files(files, support, test, held_out, stranger, others))
    print(to_text(page))
    show_networks()
    if json:
        print(plain_json(page.facts))


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
    with showing(workers, recipe.out, resume=resume) as show:
        from hoad.studies.prediction.study import measure_prediction, report

        show(report(measure_prediction(recipe, workers.threads, resume)))


def people(
    recipe: PeopleRecipe, *, resume: bool = False, workers: cli.Workers = cli.DEFAULT_WORKERS
) -> None:
    """Make the study of people: how well each is predicted, by number of their recorded games.

    Models learn from a person's first games and are evaluated on later ones. They know games of the
    people of other folds. Report, figures, JSON and CSV are written to the recipe's folder.

    Args:
        recipe: Games of people, and how many of them models learn from.
        resume: Keep the people of a run that was stopped; measure the rest.
        workers: What measures.
    """
    with showing(workers, recipe.out, resume=resume) as show:
        from hoad.studies.people import measure_people, report

        show(report(measure_people(recipe, workers.threads, resume)))


def proxies(
    file: Annotated[Path, cli.Positional("FILE")],
    *,
    people: Annotated[tuple[str, ...], Field(min_length=1)],
    games: Count = 400,
    seed: Seed = 0,
    out: Path | None = None,
) -> None:
    """Measure how human the proxies of people are: their imitators, and logits of their games.

    Both predict games that they have not learned, and play with the programs that people played
    with, beside the person's own scores.

    Args:
        file: Games of people with programs, as imported from HanabiData.
        people: Names of people; train_imitator.py has trained an imitator of each.
        games: Games of each proxy with each program, and with itself.
        seed: Seed of these games.
        out: Folder for a page with JSON and CSV.
    """
    require_present(file)
    with showing(cli.DEFAULT_WORKERS, out) as show:
        from hoad.studies.proxies import measure_proxies, report

        show(report(measure_proxies(file, people, games, seed)))
