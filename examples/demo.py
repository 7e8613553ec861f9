"""The demonstration (`make demo`): the whole pipeline on a small scale, stage by stage.

python examples/demo.py

Stages that are complete are skipped, and one that was stopped resumes.
"""

import os
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import h5py

from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import read_json
from hoad.reports.page import text_table
from hoad.tables.adhoc.in_words import in_words

PARTNER: Final = "simplebot"
AGENTS: Final = ("simplebot", "valuebot", "holmesbot", "iggi", "piers")
CHECKPOINTS: Final = Path("checkpoints/demo")
DATA: Final = Path("datasets/demo")
TABLES: Final = (Path("results/demo"), Path("results/demo-search"))


@dataclass(frozen=True)
class Stage:
    """Commands of the demonstration; several run two at a time.

    Attributes:
        what: the heading.
        time: about how long they take on two idle cores.
        commands: scripts with their options.
    """

    what: str
    time: str
    commands: tuple[str, ...]


STAGES: Final = (
    Stage(
        f"five agents play 10,000 games each: {', '.join(AGENTS)}",
        "10 seconds",
        (f"record.py play datasets/demo.toml --out {DATA} --resume",),
    ),
    Stage(
        "an imitator for each agent",
        "1 minute",
        tuple(
            f"train_imitator.py models/demo/imitator.toml --agent {agent} --data {DATA} --resume"
            for agent in AGENTS
        ),
    ),
    Stage(
        f"a meta-model that learns to adapt from the other four agents, without {PARTNER}",
        "8 minutes",
        (f"train_maml.py models/demo/maml.toml --held-out {PARTNER} --data {DATA} --resume",),
    ),
    Stage(
        "MAP-Elites evolves a pool of agents that behave differently",
        "30 seconds",
        ("evolve.py populations/demo.toml --resume",),
    ),
    Stage(
        f"all players meet {PARTNER} on the same decks",
        "30 seconds",
        ("evaluate.py adhoc results/demo.toml --resume",),
    ),
    Stage(
        f"search meets {PARTNER}, too, for fewer games",
        "1 minute",
        ("evaluate.py adhoc results/demo-search.toml --backend loky --resume",),
    ),
)


def demo() -> None:
    """Run the whole pipeline on a small scale; print the table and what it shows."""
    os.environ["HOAD_CHECKPOINTS"] = str(CHECKPOINTS)
    start = time.monotonic()
    for number, stage in enumerate(STAGES, start=1):
        print(f"\n== {number} of {len(STAGES)}: {stage.what}, about {stage.time}\n", flush=True)
        begun = time.monotonic()
        run_two_at_a_time(stage.commands)
        if len(stage.commands) == len(AGENTS):
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


def run_two_at_a_time(commands: tuple[str, ...]) -> None:
    """Run commands of the scripts at the top: one to the terminal, several with half of the cores.

    Raises:
        HoadError: a command failed; what it printed is shown.
    """
    if len(commands) == 1:
        run(commands[0])
        return
    pool = ThreadPoolExecutor(2)
    try:
        list(pool.map(run_quietly, commands))
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, none is started


def run(command: str) -> None:
    """Run a script of this folder with its options, to the terminal."""
    status = subprocess.run([sys.executable, *shlex.split(command)]).returncode
    if status:
        raise HoadError(f"{command}: ended with status {status}; see above")


def run_quietly(command: str) -> None:
    """Run such a script with half of the cores; show what it prints if it fails."""
    threads = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // 2))}
    words, environment = [sys.executable, *shlex.split(command)], {**os.environ, **threads}
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        raise HoadError(f"{command}: ended with status {done.returncode}; see above")


if __name__ == "__main__":
    cli.run(demo)
