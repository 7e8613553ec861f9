"""Inner steps of low-shot play, chosen again for meta-models that exist."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoad.core.paths import METADATA, MODEL, find_metadata
from hoad.core.progress import progress
from hoad.core.recipe import check_recipe
from hoad.learning.maml.recipe import MamlRecipe
from hoad.reports.page import Report, Table

if TYPE_CHECKING:
    from hoad.learning.maml.tasks import Task


@dataclass(frozen=True)
class InnerSteps:
    """The inner steps of one meta-model, by name or file, and its file.

    Those chosen ``before`` are None if none were; ``chosen`` is what
    :func:`hoad.learning.maml.choice.choose_inner_steps` returns.
    """

    model: str
    path: Path
    before: int | None
    chosen: Mapping[str, Any]


def choose_again(models: Sequence[str], data: Path) -> Iterator[InnerSteps]:
    """Choose inner steps of meta-models, on unseen games of the agents that they were trained with.

    ``models`` are names or files, with or without ``maml:``; ``data`` has the agents' recorded
    games. A missing meta-model, or missing or too few games, are a HoadError.
    """
    from hoad.learning.maml.choice import choose_inner_steps  # torch takes seconds
    from hoad.learning.maml.tasks import load_task
    from hoad.learning.policies import inner_rate, load_meta_model, network_file
    from hoad.learning.training.checkpoints import narrow

    names = [model.removeprefix("maml:") for model in models]
    loaded = [load_meta_model(name) for name in names]  # fails now if one is missing
    read: dict[tuple[str, str], Task] = {}
    for name, (model, about) in zip(progress(names, "inner steps", "models"), loaded, strict=True):
        path = network_file("maml", name)
        recipe = check_recipe(about["recipe"], MamlRecipe, str(path))
        keys = [(agent, recipe.source) for agent in about["games"]]
        read |= {key: load_task(key[0], recipe, data) for key in keys if key not in read}
        tasks = [read[key] for key in keys]
        model.load_state_dict(narrow(model.state_dict()))  # the weights that are written
        chosen = choose_inner_steps(model, tasks, recipe, inner_rate(about))
        yield InnerSteps(f"maml:{name}", path, about.get("play_steps"), chosen)


def write_choice(steps: InnerSteps) -> None:
    """Write the inner steps into the model's file and, if it is no milestone, its metadata.

    Matrices are written in bfloat16. It raises a HoadError if a file cannot be written; of a model
    whose metadata cannot be, the file stays as it is.
    """
    from hoad.learning.training.checkpoints import load_checkpoint, narrow, save_checkpoint
    from hoad.learning.training.folder import read_metadata, write_metadata_file

    weights, about = load_checkpoint(steps.path)
    if steps.path.name == MODEL and find_metadata(steps.path):
        metadata = read_metadata(steps.path) | dict(steps.chosen)
        write_metadata_file(steps.path.with_name(METADATA), metadata)
    save_checkpoint(steps.path, narrow(weights), about | dict(steps.chosen))


def report(results: Sequence[InnerSteps]) -> Report:
    """Return each candidate's loss on unseen games of the training agents."""
    rows = [
        {"model": model.model, "inner steps": int(steps), **facts}
        for model in results
        for steps, facts in model.chosen["play_steps_candidates"].items()
    ]
    table = [["model", "inner steps", "loss (standard error)", "worse by", "episodes", "chosen"]]
    numbers = ["{model}", "{inner steps}", "{loss:.4f} ({loss_error:.4f})"]
    numbers += ["{worse_by:.4f} ({worse_by_error:.4f})", "{episodes}"]
    chosen = {m.model: {"before": m.before, "now": m.chosen["play_steps"]} for m in results}
    for row in rows:
        when = [word for word, s in chosen[row["model"]].items() if s == row["inner steps"]]
        table.append([*(number.format(**row) for number in numbers), ", ".join(when)])
    facts = [{**vars(model), "path": str(model.path)} for model in results]
    return Report("Inner steps", [Table(table)], rows, {"models": facts})
