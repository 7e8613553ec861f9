"""Commands that train networks."""

import platform
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from hoad.agents.families import FAMILIES, Family, HoldOut, original_name, seeded_name
from hoad.agents.registry import is_agent, refuse_unknown_agent
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.paths import checkpoint_folder, checkpoint_root, playing_name
from hoad.core.provenance import provenance
from hoad.core.recipe import checked
from hoad.core.run_log import log_run
from hoad.core.workers import work
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.folder import refuse_training

ALL: Final = "all"
"""Holds each agent of a recipe out in turn."""

_ONE_TRAINING: Final = threading.Lock()

# The functions import torch, which takes seconds, when all that was given is understood.


def imitator(
    recipe: ImitatorRecipe,
    *,
    agent: str,
    data: Path = Path("datasets"),
    out: Path | None = None,
    resume: bool = False,
) -> None:
    """Train an imitator of an agent from its recorded games.

    OUT/imitator/AGENT, or AGENT.SEED if the seed is not 0, keeps the network with the lowest loss
    on unseen games, its metadata, curves for TensorBoard and what --resume needs.

    Args:
        recipe: See above.
        agent: Name of the agent, or of a person, as its recorded games have it.
        data: Folder with recorded games; or a file with games of people, the agent among them.
        out: Folder of all checkpoints; without it, $HOAD_CHECKPOINTS or checkpoints.
        resume: Continue a training that was stopped.
    """
    root, name = out or checkpoint_root(), seeded_name(agent, recipe.seed)
    refuse_training(checkpoint_folder("imitator", name, root), resume)

    from hoad.learning.imitator import train_imitator
    from hoad.partners.teacher import teacher_moves

    teach = partial(teacher_moves, data, agent, recipe.logit_games, recipe.seed)
    measures = train_imitator(
        recipe, agent, data, root, resume, teach if recipe.logit_games else None
    )
    of_people = "" if is_agent(agent) else f", as AH2AC2 counts {measures.ah2ac2_loss:.4f}"
    print(
        f"{playing_name('imitator', name, root)}  accuracy on unseen games {measures.accuracy:.1%} "
        f"(among legal moves {measures.masked_accuracy:.1%}), loss {measures.loss:.4f} "
        f"(among legal moves {measures.masked_loss:.4f}{of_people})"
    )


def _refuse_held_out(name: str) -> None:
    if name != ALL:
        refuse_unknown_agent(name)


@cli.one_of("held_out", "held_out_family", "people")
def maml(
    recipe: MamlRecipe,
    *,
    held_out: Annotated[str, checked(_refuse_held_out)] | None = None,
    held_out_family: Family | None = None,
    people: Path | None = None,
    data: Path = Path("datasets"),
    out: Path | None = None,
    resume: bool = False,
    workers: cli.Workers = cli.DEFAULT_WORKERS,
) -> None:
    """Meta-train a model on all agents but one, or but a family, or on people: FOMAML and variants.

    Held-out agents, their imitators and agents that behave as they do are not used to train, to
    validate or to choose anything; if their games are there, the accuracy on them is reported.
    OUT/maml/HELD_OUT, or HELD_OUT.SEED if the seed is not 0, keeps the model with the lowest loss
    on the other agents' unseen games, its metadata, curves for TensorBoard and what --resume needs.
    With people as tasks, five models are trained, each without the people of one of five folds.

    Args:
        recipe: See above.
        held_out: Name of the agent that is left out; all for a model without each agent in turn.
        held_out_family: Family that is left out; OUT/maml/FAMILY keeps the model.
        people: File with games of people, who are the tasks, in place of agents; OUT/maml/people-0
            to people-4 keep the models. The folds are those of the study of people.
        data: Folder with recorded games.
        out: Folder of all checkpoints; without it, $HOAD_CHECKPOINTS or checkpoints.
        resume: Continue a training that was stopped.
        workers: What trains: threads make one model after another, others several at a time.
    """
    root = out or checkpoint_root()
    trainings: dict[str, tuple[Any, ...]]
    if people is not None:
        from hoad.partners.others import PEOPLE_FOLDS

        if recipe.start:
            _refuse_start(recipe.start, people)
        trainings = {
            seeded_name(f"people-{fold}", recipe.seed): (recipe, people, fold, root, resume)
            for fold in range(PEOPLE_FOLDS)
        }
    else:
        hold_out: HoldOut = "family" if held_out_family else "agent"
        partner = FAMILIES[held_out_family][0] if held_out_family else str(held_out)
        partners = {held_out_family or original_name(partner): partner}
        if held_out == ALL:
            partners = {original_name(agent): agent for agent in recipe.agents}
        trainings = {
            seeded_name(name, recipe.seed): (recipe, partner, data, root, resume, hold_out)
            for name, partner in partners.items()
        }
    for name in trainings:
        refuse_training(checkpoint_folder("maml", name, root), resume)

    from hoad.learning.maml.learner import train_maml

    train = train_maml if people is None else _train_without_fold
    with workers.in_use():
        results = _train_all(train, list(trainings.values()), workers)
        for name, measures in zip(trainings, results, strict=True):
            print(playing_name("maml", name, root))
            for measure, value in measures.items():
                print(f"  {measure:45} {value:.4f}")


def _train_all(
    train: Callable[..., Mapping[str, float]], items: list[tuple[Any, ...]], workers: cli.Workers
) -> Iterator[Mapping[str, float]]:
    """Yield the measures of trainings, which the workers do unless these are threads."""
    if workers.backend == "threads":
        yield from (train(*item) for item in items)
    else:
        command = str(provenance()["command"])
        yield from work(_train_there, [(train, item, command) for item in items], workers.threads)


def _train_there(
    train: Callable[..., Mapping[str, float]], item: tuple[Any, ...], command: str
) -> Mapping[str, float]:
    """Train in a worker, one training at a time: its threads share a log and random numbers."""
    with _ONE_TRAINING, log_run(f"on {platform.node()}: {command}"):
        return train(*item)


def _refuse_start(start: str, file: Path) -> None:
    """Raise a HoadError if trainings start from a model that knows somebody of the file.

    Everybody is in the fold that one of the trainings leaves out.
    """
    from hoad.learning.policies import load_meta_model
    from hoad.partners.others import read_others

    learned = set(map(original_name, load_meta_model(start)[1]["games"]))
    if known := sorted(learned & read_others([file]).keys()):
        problem = f"has learned from {known[0]}, whom one of the trainings leaves out"
        raise HoadError(f"start: maml:{start} {problem}; name another")


def _train_without_fold(
    recipe: MamlRecipe, file: Path, fold: int, root: Path, resume: bool
) -> Mapping[str, float]:
    """Meta-train on the people of a file who have two games or more, but on none of a fold."""
    from hoad.learning.maml.learner import train_on_tasks
    from hoad.learning.maml.tasks import task_of_person
    from hoad.partners.others import people_of_other_folds, read_others

    people = people_of_other_folds(read_others([file]), fold)
    tasks = [task_of_person(who, seen.logs, seen.seats) for who, seen in people.items()]
    tasks = [task for task in tasks if len(task.train) > 1]
    if len(tasks) < recipe.tasks or not any(len(task.validation) for task in tasks):
        raise HoadError(
            f"{file}: without fold {fold}, {len(tasks)} people have two games, expected "
            f"{recipe.tasks} (tasks), one of them with eight games"
        )
    name = seeded_name(f"people-{fold}", recipe.seed)
    return train_on_tasks(recipe, name, tasks, root, resume)


def rainbow(recipe: RainbowRecipe, *, out: Path | None = None, resume: bool = False) -> None:
    """Train Rainbow in self-play.

    The network with the highest strict score in self-play is kept in OUT/rainbow/SEED, with its
    metadata, its learning curve, curves for TensorBoard and what --resume needs.

    Args:
        recipe: See above.
        out: Folder of all checkpoints; without it, $HOAD_CHECKPOINTS or checkpoints.
        resume: Continue a training that was stopped.
    """
    root, name = out or checkpoint_root(), str(recipe.seed)
    refuse_training(checkpoint_folder("rainbow", name, root), resume)

    from hoad.learning.rainbow.learner import train_rainbow

    measures = train_rainbow(recipe, root, resume)
    print(
        f"{playing_name('rainbow', name, root)}  strict {measures['strict_score']:.2f}, "
        f"lenient {measures['lenient_score']:.2f} in {measures['self_play_games']:,} games of "
        f"self-play, lost {measures['lost']:.1%} of them"
    )
