"""The demonstration (`make demo`): the whole pipeline on a small scale, stage by stage.

python examples/demo.py

Stages that are complete are skipped, and one that was stopped resumes.
"""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Final

import h5py

from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import read_json
from hoad.reports.page import text_table
from hoad.tables.adhoc.results_files import in_words

PARTNER: Final = "simplebot"
AGENTS: Final = ("simplebot", "valuebot", "holmesbot", "iggi", "piers")
CHECKPOINTS: Final = Path("checkpoints/demo")
DATA: Final = Path("datasets/demo")
TABLES: Final = (Path("results/demo"), Path("results/demo-search"))

COMPILING: Final = (
    (
        "evaluate.py crossplay --games 1 iggi",
        "evaluate.py adhoc results/demo-search.toml --players random-partner nearest-response "
        "bayes-moves-support search --agents iggi simplebot --episodes 2 --games-per-episode 2 "
        "--trials 1 --support-games 1 --matchup-games 2 --cross-play-games 2 --out {folder}/table",
    ),
    (
        "record.py play datasets/demo.toml --agents simplebot valuebot holmesbot smartbot "
        "--games 2 --out {folder}",  # search asks smartbot
        "evolve.py populations/demo.toml --name small --games 2 --random-candidates 40 "
        "--candidates 80 --generation 20 --final-games 4 --out {folder}",
    ),
)
"""Commands that take next to no time once all functions are compiled that the others need."""


@dataclass(frozen=True)
class Stage:
    """Commands of the demonstration.

    Attributes:
        what: the heading.
        time: about how long they take on two idle cores.
        lanes: scripts with their options; lanes run side by side, the commands of one in turn.
    """

    what: str
    time: str
    lanes: tuple[tuple[str, ...], ...]


LEARNING: Final = Stage(
    f"a meta-model learns to adapt from four agents, without {PARTNER}; beside it an imitator "
    "of each agent learns, and MAP-Elites evolves agents that behave differently",
    "3 minutes",
    (
        (f"train_maml.py models/demo/maml.toml --held-out {PARTNER} --data {DATA} --resume",),
        tuple(
            f"train_imitator.py models/demo/imitator.toml --agent {agent} --data {DATA} --resume"
            for agent in AGENTS
        ),
        ("evolve.py populations/demo.toml --resume",),
    ),
)

STAGES: Final = (
    Stage(
        f"five agents play 10,000 games each: {', '.join(AGENTS)}",
        "10 seconds",
        ((f"record.py play datasets/demo.toml --out {DATA} --resume",),),
    ),
    LEARNING,
    Stage(
        f"all players meet {PARTNER} on the same decks; beside them search, for fewer games",
        "80 seconds",
        (
            ("evaluate.py adhoc results/demo.toml --resume",),
            ("evaluate.py adhoc results/demo-search.toml --backend loky --resume",),
        ),
    ),
)


def demo() -> None:
    """Run the whole pipeline on a small scale; print the table and what it shows."""
    CHECKPOINTS.mkdir(parents=True, exist_ok=True)
    os.environ["HOAD_CHECKPOINTS"] = str(CHECKPOINTS)
    start = time.monotonic()
    with TemporaryDirectory() as folder:
        quoted = shlex.quote(folder)
        lanes = tuple(tuple(each.format(folder=quoted) for each in lane) for lane in COMPILING)
        compiling = Stage("compiling the game and the agents, once", "90 seconds", lanes)
        for number, stage in enumerate((compiling, *STAGES), start=1):
            heading = f"{number} of {len(STAGES) + 1}: {stage.what}, about {stage.time}"
            print(f"\n== {heading}\n", flush=True)
            begun = time.monotonic()
            run_side_by_side(stage.lanes, without_results=stage is compiling)
            if stage is LEARNING:
                print(text_table(imitators()))
            print(f"\n({time.monotonic() - begun:.0f} s)", flush=True)
    print(f"\n== What was seen, after {(time.monotonic() - start) / 60:.1f} minutes\n")
    for table in TABLES:
        print(f"{table}: {in_words(table)}\n")
    print(f"Figures: {TABLES[0]}/*.png; report: {TABLES[0]}/report.html")
    print(f"Training curves: .venv/bin/tensorboard --logdir {CHECKPOINTS}")
    print(f"To play with these networks: export HOAD_CHECKPOINTS={CHECKPOINTS}")


def imitators() -> list[list[str]]:
    """Return a table: how well each imitator predicts its agent, and how both score in self-play.

    A network that predicts most moves may still lose all lives, because one bad move is enough.
    """
    rows = [["imitator of", "accuracy", "strict score with itself", "agent with itself"]]
    for agent in AGENTS:
        measures = read_json(CHECKPOINTS / "imitator" / agent / "metadata.json")["measures"]
        with h5py.File(DATA / f"{agent}.h5") as games:
            own = float(games.attrs["mean_strict_score"])
        score = f"{measures['strict_score']:.1f}"
        rows.append([agent, f"{measures['accuracy']:.0%}", score, f"{own:.1f}"])
    return rows


def run_side_by_side(lanes: Sequence[Sequence[str]], without_results: bool = False) -> None:
    """Run the commands of all lanes, which share the cores.

    A single lane has the terminal, with its bars; what several print is passed on line by line.

    Raises:
        HoadError: a command failed. The others end, and resume when they are called again.
    """
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // len(lanes))),
    }
    output = errors = None
    if without_results:
        output, errors = subprocess.DEVNULL, subprocess.PIPE
    elif len(lanes) > 1:
        output, errors = subprocess.PIPE, subprocess.STDOUT
    running: set[subprocess.Popen[str]] = set()
    ended = Event()

    def run(command: str) -> None:
        words = [sys.executable, *shlex.split(command)]
        with subprocess.Popen(
            words, env=environment, stdout=output, stderr=errors, text=True
        ) as program:
            running.add(program)
            for line in program.stdout or program.stderr or ():
                print(line, end="", flush=True)
        running.remove(program)
        if program.returncode and not ended.is_set():
            raise HoadError(f"{command}: ended with status {program.returncode}; see above")

    def run_lane(commands: Sequence[str]) -> None:
        for command in commands:
            if not ended.is_set():
                run(command)

    pool = ThreadPoolExecutor(len(lanes))
    try:
        for lane in as_completed([pool.submit(run_lane, commands) for commands in lanes]):
            lane.result()
    finally:
        ended.set()
        for program in [*running]:
            program.terminate()
        pool.shutdown()


if __name__ == "__main__":
    cli.run(demo)
