"""Commands that measure how well partner models predict moves."""

from hoad.commands.evaluate.options import Count, Files
from hoad.commands.evaluate.output import show, show_networks
from hoad.core import cli
from hoad.studies.prediction.recipe import PredictionRecipe


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
        json: End with one line of JSON: files, for each file and method log_loss (nats a move),
            accuracy, seconds (processor time), half_width and accuracy_half_width (of 95 %
            intervals); and with_others, the same, if there are such games.
    """
    from hoad.reports.output import plain_json
    from hoad.reports.page import to_text
    from hoad.studies.prediction.files import measure_predictions, report

    found = report(measure_predictions(files, support, test, held_out, stranger))
    print(to_text(found))
    show_networks()
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
    from hoad.studies.prediction.report import prediction_report
    from hoad.studies.prediction.study import run_prediction

    keys = recipe, workers.threads, resume
    show(lambda: prediction_report(run_prediction(*keys)), workers, recipe.out, resume=resume)
