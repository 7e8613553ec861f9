"""Meta-training on a machine with a GPU (`make gpu`): days of a CPU, within a time limit.

python examples/gpu.py --minutes 13

It records the games that are missing, then trains FOMAML at the width of the thesis, without one
agent after another, then what is not published of models/objectives. Trainings that are not
finished at the end are stopped with a checkpoint. The next call resumes them; on another machine,
copy datasets/ and checkpoints/ first.
"""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.recipe import load_recipe
from hoad.learning.maml.recipe import MamlRecipe

WIDE: Final = Path("models/maml.toml")
OBJECTIVES: Final = Path("models/objectives")
HELD_OUT: Final = ("simplebot", "iggi", "van-den-bergh")
"""Partners of results/objectives.toml; the wide models of the other agents come after theirs."""

NOT_PUBLISHED: Final = (
    *(("anil", agent) for agent in HELD_OUT),
    ("plain", "iggi"),
    ("plain", "van-den-bergh"),
)
"""Recipes and held-out agents without a table in results/adhoc/objectives."""

STOPPING: Final = 20
"""Seconds that trainings have to save their checkpoints."""


def gpu(
    minutes: Annotated[float, Field(gt=0)] = 13,
    at_once: Annotated[int, Field(ge=1)] = 3,
    games: int = 100_000,
    data: Path = Path("datasets"),
    out: Path = Path("checkpoints"),
) -> None:
    """Record games and train meta-models until the time is over; resume what was stopped.

    Args:
        minutes: The time limit.
        at_once: Trainings at the same time; one alone does not fill a GPU.
        games: Games of each agent, if they have to be recorded.
        data: Folder of recorded games.
        out: Folder of checkpoints: OUT/wide/maml/AGENT, OUT/objectives/RECIPE/maml/AGENT.
    """
    deadline = time.monotonic() + 60 * minutes - STOPPING
    agents = load_recipe(WIDE, MamlRecipe).agents
    missing = [agent for agent in agents if not (data / f"{agent}.h5").exists()]
    record = (
        f"record.py play datasets/hoad.toml --games {games} --out {shlex.quote(str(data))} "
        "--resume --agents"
    )
    if missing and run_until([f"{record} {' '.join(missing)}"], deadline, at_once=1):
        raise HoadError("the time was over before all games were recorded; call it again")
    unfinished = run_until(trainings(agents, data, out), deadline, at_once)
    for command in unfinished:
        print(f"not finished: {command}")
    print("Call it again to go on." if unfinished else "All trainings are finished.")


def trainings(agents: Sequence[str], data: Path, out: Path) -> list[str]:
    """Return the commands of all trainings, the most wanted first."""
    held_out = (*HELD_OUT, *(agent for agent in agents if agent not in HELD_OUT))
    wide = [(WIDE, agent, out / "wide") for agent in held_out]
    objectives = [
        (OBJECTIVES / f"{recipe}.toml", agent, out / "objectives" / recipe)
        for recipe, agent in NOT_PUBLISHED
    ]
    return [
        f"train_maml.py {recipe} --held-out {agent} --data {shlex.quote(str(data))} "
        f"--out {shlex.quote(str(folder))} --resume"
        for recipe, agent, folder in wide + objectives
    ]


def run_until(commands: Sequence[str], deadline: float, at_once: int) -> list[str]:
    """Run commands of the scripts at the top in this order; return those that did not finish.

    At the deadline, a time of ``time.monotonic``, those that run are stopped; no more are started.

    Raises:
        HoadError: a command failed; the others are stopped.
    """
    threads = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // at_once))}
    waiting, running = list(commands), dict[str, subprocess.Popen[bytes]]()
    try:
        while (waiting or running) and time.monotonic() < deadline:
            while waiting and len(running) < at_once:
                command = waiting.pop(0)
                words = [sys.executable, *shlex.split(command)]
                running[command] = subprocess.Popen(words, env={**os.environ, **threads})
            time.sleep(0.2)
            for command, process in list(running.items()):
                if process.poll():
                    raise HoadError(f"{command}: ended with status {process.returncode}; see above")
                if process.returncode == 0:
                    del running[command]
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait()
    return [*running, *waiting]


if __name__ == "__main__":
    cli.run(gpu)
