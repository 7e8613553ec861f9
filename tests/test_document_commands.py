"""Every command of the documents runs, on a small scale.

The pages of a group follow each other in one folder, as a reader would go on from one to the
next: what one command writes, later ones read. A command that is there twice runs once. ``SMALL``
has what is added to commands to make them small, ``STAND_INS`` what stands for words that a reader
replaces, and ``NOT_RUN`` the few lines that do not run here.
"""

import asyncio
import os
import runpy
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import chdir, suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
import torch

from hoad.agents import get_agent, play
from hoad.commands import HOAD
from hoad.core import cli
from hoad.game.log import join_logs
from hoad.replay.formats.convert import export_games
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from tests.documents import PAGES, block_lines, sentence_lines, write_agents
from tests.human.tables import Table
from tests.live.record_sessions import BOT, SESSIONS
from tests.live.server import PASSWORD, Server, ServerTable
from tests.replay.formats.records import write_people
from tests.replay.formats.test_ah2ac2 import tensors_of, write
from tests.scripts import ROOT, command_of

GROUPS = (
    (
        *("README.md", "docs/your-agent.md", "docs/stranger.md", "docs/agents.md"),
        *("docs/environments.md", "docs/hanab-live.md", "docs/people.md", "docs/play.md"),
        *("docs/process.md", "docs/running.md", "docs/searching.md", "docs/watch.md"),
        *("docs/clusters.md", "docs/layout.md"),
    ),
    (
        *("datasets/README.md", "models/README.md", "populations/README.md", "results/README.md"),
        *("results/adhoc/README.md", "results/adhoc/objectives/README.md"),
        *("results/thesis/README.md", "results/prediction/README.md", "results/agents/README.md"),
        "results/meta-agents/README.md",
    ),
)
"""The pages with commands, in the order of reading; each group has a folder of its own."""

NETWORK = "--hidden 16 --precision float32"
TABLE = (
    "--episodes 2 --games-per-episode 2 --trials 2 --support-games 2 --cross-play-games 2 "
    "--meta-models 1 --matchup-games 2 --naive.hidden 8 --naive.epochs 1 --naive.batch-size 8"
)
SMALL = {
    "agents.py check": "--games 4",
    "record.py play": "--games 60",
    "record.py play datasets/demo.toml --games 20": "--games 6",
    "train_imitator.py": f"{NETWORK} --steps 4 --validate-every 4 --validation-games 2",
    "train_imitator.py models/human.toml": "--train-games 40",
    "train_maml.py models/maml.toml": "--trial-steps 1",
    "train_maml.py": f"{NETWORK} --steps 2 --validate-every 2 --tasks 1 --games 2 "
    "--validation-games 2 --validation-episodes 1 --play-steps 1 --milestones 1 2",
    "train_maml.py models/maml-people.toml": "--hidden 256 256 256 256 256 256 128 128 128 128 "
    "64 64",
    "train_rainbow.py": f"{NETWORK} --out trained-here --steps 4 --games 8 "
    "--batch-size 8 --history 8 --learning-starts 4 --validate-every 4 --validation-games 4 "
    "--test-games 4",
    "hoad record play": "--games 60",
    "hoad train imitator": f"{NETWORK} --steps 4 --validate-every 4 --validation-games 2",
    "evolve.py populations/canaan": "--name small",
    "evolve.py": "--games 2 --random-candidates 40 --candidates 80 --generation 20 --final-games 4",
    "evaluate.py adhoc": TABLE,
    "evaluate.py adhoc results/adhoc-agents.toml": "--partners iggi --pool iggi piers simplebot "
    "--players low-shot nearest bayes-moves+elites",
    "evaluate.py adhoc results/adhoc-inner-rate.toml": "--partners iggi",
    "evaluate.py adhoc results/demo-search.toml": "--players low-shot nearest-response self-play",
    "evaluate.py adhoc results/human.toml": "--agents iggi outer --pool iggi outer",
    "evaluate.py adhoc results/human.toml --partners": "--players random-partner self-play",
    "evaluate.py adhoc results/maml-imitators.toml": "--partners iggi --agents iggi outer",
    "evaluate.py adhoc results/maml-imitators.toml --partners": "--players zero-shot self-play",
    "evaluate.py adhoc results/thesis.toml": "--partners iggi --pool iggi outer "
    "--agents iggi outer --players random-partner self-play",
    "evaluate.py crossplay": "--games 4",
    "evaluate.py crossplay search:": "--games 1",
    "evaluate.py crossplay --games 20 program:": "--games 1",
    "evaluate.py behaviour": "--agents iggi piers --games 4 --self-play-games 4",
    "evaluate.py similarity": "--games 4",
    "evaluate.py imitators": "--agents iggi --games 4 --test-games 4",
    "evaluate.py populations": "--games 2 --pair-games 1",
    "evaluate.py diversity": "--games 2 --pair-games 1 --state-games 1",
    "evaluate.py predict ": "--support 2 --test 2",
    "evaluate.py prediction": "--games 2 --test-games 2 --others iggi",
    "evaluate.py prediction results/prediction.toml": "--partners outer",
    "evaluate.py prediction results/prediction-three-players.toml": "--partners outer",
    "evaluate.py people": "--games 1 --least 3 --test-games 2",
    "evaluate.py proxies": "--games 2",
    "evaluate.py matchups": "--games 1",
    "evaluate.py meta-agents results": "--players generalist",
    "evaluate.py meta-agents": "--episodes 2 --games-per-episode 2 --matchup-games 2",
    "evaluate.py adaptive-pairs": "--episodes 2 --games-per-episode 2 --matchup-games 2",
    "evaluate.py search": "--agents iggi --games 2 --both-games 2 --rollouts 40 --curve iggi "
    "--curve-rollouts 40 --curve-games 2",
    "evaluate.py bounds": "--agents iggi --games 4 --choosing-games 1 --search-games 0",
    "evaluate.py rainbow": "--games 4 --seeds 1",
    "examples/ppo.py": "--steps 600 --games 20",
    "examples/ways_to_play.py": "--support-games 1 --games 1",
    "play.py": "--port {port} --out games-of-a-person",
    "hoad play": "--port {port} --out games-of-a-person",
}
"""How a command begins, and the options that make it small."""

MADE_OF_COMMANDS = "its commands are read, and those of the demonstration run: see the tests below"
MEASURES = "it measures speed, for minutes and on an idle machine"
HOSTILE = "tests/test_attacks.py runs fewer of them"
TRAINED = "it needs trainings of hours; tests/tables/adhoc/test_games_watched.py makes such a page"
CLONE = "tests/evolution/test_published_files.py imports such a clone"
PLAYED_MOST = "the people here are three; tests/studies/test_proxies.py trains such an imitator"
RECORDED = "tests/studies/test_behaviour.py runs it"
CLUSTER = "a cluster takes long to start; tests/core/test_workers.py has one"
IMITATE = "python train_imitator.py models/person.toml --agent {} --data datasets/people.h5"
NOT_RUN = {
    **{IMITATE.format(person): PLAYED_MOST for person in ("P003", "P005", "P007", "P009")},
    "git clone https://github.com/yawgmoth/HanabiData": "it fetches games from the network",
    "python evaluate.py adhoc results/adhoc-people.toml --resume": "tests/"
    "test_adhoc_player.py has such players",
    "python compare.py results/adhoc/agents results/adhoc/agents-family": "no published "
    "table is copied; tests/tables/test_compare.py compares two of them",
    "make demo": MADE_OF_COMMANDS,
    "make gpu": "tests/test_examples.py tries it with tiny trainings",
    "make reproduce-thesis": MADE_OF_COMMANDS,
    "make reproduce-thesis MAML=models/maml.toml": MADE_OF_COMMANDS,
    "make reproduce-thesis MAML=models/maml-narrow.toml": MADE_OF_COMMANDS,
    "make meta-models": MADE_OF_COMMANDS,
    "make results": MADE_OF_COMMANDS,
    "make docs": "tests/test_documents.py builds the site",
    "make format": "it changes the sources",
    "python tests/bad_inputs.py --count 500": HOSTILE,
    "python tests/forgeries.py --count 500": HOSTILE,
    "python tests/kills.py --count 200": "tests/test_attacks.py tries some",
    "python tests/same_results.py": "tests/core/test_workers.py compares some results of workers",
    "python evaluate.py adhoc results/objectives.toml --partners simplebot "
    "--out results/adhoc/objectives/fomaml --resume": TRAINED,
    "python evaluate.py milestones results/adhoc/objectives/fomaml "
    "results/adhoc/objectives/fomaml-unadapted results/adhoc/objectives/fomaml-vanishing "
    "results/adhoc/objectives/fomaml-unadapted-vanishing results/adhoc/objectives/plain "
    "--out results/adhoc/objectives": TRAINED,
    "python evaluate.py adhoc results/objectives.toml --partners simplebot "
    "--out results/adhoc/objectives/long/fomaml --players zero-shot@25000 low-shot@25000": TRAINED,
    "git clone https://github.com/rocanaan/Hanabi-Map-Elites hanabi-map-elites": CLONE,
    "python record.py import hanabi-map-elites datasets/canaan": CLONE,
    "export HOAD_REFERENCE=datasets/canaan": CLONE,
    "python evaluate.py behaviour datasets/human-val.h5": RECORDED,
    "python evaluate.py behaviour ten.h5": RECORDED,
    "make test": "it runs these tests",
    "make setup": "it makes the environment in which these tests run",
    "make bench": MEASURES,
    "python benchmarks/run.py --only environment_decisions_per_s": MEASURES,
    "python benchmarks/run.py --only process_moves_per_s": MEASURES,
    "python benchmarks/libraries.py": MEASURES,
    "python benchmarks/replay_buffers.py": MEASURES,
    "git clone REPOSITORY hoad": "the tests run in a clone",
    "cd hoad": "as above",
    ". .venv/bin/activate": "the environment is active",
    ".venv/bin/tensorboard --logdir checkpoints": "TensorBoard serves until it is stopped",
    ".venv/bin/tensorboard --logdir checkpoints/populations": "TensorBoard, as above",
    "python evaluate.py matchups POPULATION --backend dask --scheduler ADDRESS": CLUSTER,
    "python evaluate.py adhoc results/adhoc-search.toml --backend dask --scheduler ADDRESS "
    "--resume": CLUSTER,
    "python train_maml.py models/maml-narrow.toml --held-out all --backend dask --scheduler "
    "ADDRESS --resume": CLUSTER,
}
"""Lines that do not run here, and why."""

STAND_INS = {
    "search:iggi": "search:flawed",
    "search:piers": "search:flawed",
    "POPULATION": "canaan-5x5-1",
    "canaan-20x20-1": "canaan-5x5-1",
    "canaan-20x20-2": "canaan-5x5-2",
    "canaan-20x20-3": "canaan-5x5-3",
    "http://127.0.0.1:8081": "http://127.0.0.1:{port}",
    "maml:iggi@1000": "maml:iggi@1",
    "zero-shot@30000": "zero-shot@1",
    "low-shot@30000": "low-shot@1",
    "zero-shot@71000": "zero-shot@2",
    "low-shot@71000": "low-shot@2",
}
"""Words that a reader replaces, and large things, with what stands for them; ``{port}`` is free.

Games of ``flawed`` soon end.
"""

NEEDS_REFERENCE = "python evaluate.py meta-agents results/meta-agents.toml"
"""It plays with published agents, which do not come with HOAD (see docs/validation.md)."""

PEOPLE = ("2_players_games", "2_player_games_train_1k", "2_player_games_val")
"""Files of games of people (AH2AC2), for which agents play here."""


REFERENCE = (ROOT / ".." / "shared" / "reference").resolve()


def commands_of(page: str) -> list[str]:
    """Return the lines of a page that are to run, those in its sentences last."""
    lines = [*block_lines(page), *sentence_lines(page)]
    return [line for line in dict.fromkeys(lines) if line not in NOT_RUN]


def small(line: str, port: int) -> list[str]:
    """Return the words of a command, with those that make it small, as a shell gives them."""
    words = shlex.split(line.removeprefix("python "))
    command = " ".join(words)
    added = [words for start, words in SMALL.items() if command.startswith(start)]
    stand_ins = [word for word in words if STAND_INS.get(word) not in words]
    stand_ins = [STAND_INS.get(word, word).format(port=port) for word in stand_ins]
    found = [sorted(map(str, Path().glob(word))) if "*" in word else [word] for word in stand_ins]
    return [*chain(*found), *shlex.split(" ".join(added).format(port=port))]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the recipes and examples, and the files that readers bring along."""
    for name in ("datasets", "models", "populations", "results"):
        for recipe in (ROOT / name).glob("**/*.toml"):
            copy = tmp_path / recipe.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(recipe, copy)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOAD_CHECKPOINTS", raising=False)
    if "HOAD_REFERENCE" not in os.environ and REFERENCE.is_dir():
        monkeypatch.setenv("HOAD_REFERENCE", str(REFERENCE))
    write_agents(tmp_path)
    (ten,) = record(PlayRecipe(games=10, agents=("iggi",), seed=7), Path("ten"), False, 1)
    shutil.copy(ten, "ten.h5")
    shutil.copy(ten, "iggi.h5")
    for exported in ("iggi-with-others.jsonl", "ten.jsonl.gz"):
        export_games(ten, Path(exported))
    table = Table(Path("datasets/person"))
    for _ in range(4):
        table.begin("iggi")
        table.finish()
    iggi, piers = map(get_agent, ("iggi", "piers"))
    people = join_logs([play([iggi, piers], 30, 1), play([piers, piers], 30, 2)])
    for name in PEOPLE:
        write(Path(f"{name}.safetensors"), tensors_of(people))
    write_people(Path("HanabiData/log"), people=3, games=8)
    return tmp_path


def wait_for_the_page(port: int) -> None:
    """Wait until the page's server answers."""
    for _ in range(1_000):
        time.sleep(0.1)
        with suppress(OSError):
            try:
                urlopen(f"http://127.0.0.1:{port}/", timeout=10)
            except HTTPError:  # without the token
                return
    raise TimeoutError


def invite_to_a_table(port: int) -> None:
    """Serve as hanab.live does until the agent has joined a table."""

    async def serve() -> None:
        async with Server(ServerTable(SESSIONS["first"])).running(port) as server:
            await server.connected.wait()
            await server.whisper("/join")
            await server.until_heard("tableJoin")

    asyncio.run(asyncio.wait_for(serve(), timeout=120))


COMPANIONS = {
    "play.py": (wait_for_the_page, 0),
    "hoad play": (wait_for_the_page, 0),
    "hanab_live.py": (invite_to_a_table, 130),
}
"""Commands that run until Ctrl-C: what meets them before it, and their status."""


def run_line(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a line of a document as a shell would, in this process where it ends by itself."""
    if line.startswith("export "):
        monkeypatch.setenv(*line.removeprefix("export ").split("="))
    elif line.startswith("unset "):
        monkeypatch.delenv(line.removeprefix("unset "))
    elif line == NEEDS_REFERENCE and "HOAD_REFERENCE" not in os.environ:
        return
    else:
        port = free_port()
        script, *words = small(line, port)
        command: Any = HOAD if script == "hoad" else command_of(script)
        call = partial(cli.main, command, words, script)
        started = line.removeprefix("python ")
        for start, (companion, status) in COMPANIONS.items():
            if started.startswith(start):
                assert until_ctrl_c([script, *words], partial(companion, port)) == status, line
                return
        with torch.random.fork_rng():
            assert call() == 0, line


def until_ctrl_c(words: list[str], companion: Callable[[], None]) -> int:
    """Return the status of a command that is stopped by Ctrl-C after it has met its companion."""
    program = ["-m", "hoad"] if words[0] == "hoad" else [str(ROOT / words[0])]
    settings = {"BROWSER": "true", "HANAB_LIVE_NAME": BOT, "HANAB_LIVE_PASSWORD": PASSWORD}
    path = {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, *program, *words[1:]], env=os.environ | settings | path
    ) as started:
        try:
            companion()
            started.send_signal(signal.SIGINT)
            return started.wait(timeout=60)
        finally:
            started.kill()


@pytest.mark.long
@pytest.mark.parametrize("pages", GROUPS, ids=["playing", "training"])
def test_every_command_of_the_documents_runs(
    pages: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: set[str] = set()
    for page in pages:
        monkeypatch.delenv("HOAD_CHECKPOINTS", raising=False)
        for line in commands_of(page):
            if line not in done:
                run_line(line, monkeypatch)
            if "HOAD_CHECKPOINTS" not in line:
                done.add(line)


def test_every_page_with_commands_is_in_a_group() -> None:
    grouped = [page for group in GROUPS for page in group]
    assert sorted(grouped) == sorted(page for page in PAGES if commands_of(page))


def test_the_tables_name_nothing_that_is_in_no_document() -> None:
    lines = [line for page in PAGES for line in (*block_lines(page), *sentence_lines(page))]
    made = [line for target in TARGETS for line in commands_of_make(target)]
    commands = [*(line.removeprefix("python ") for line in lines), *made]

    assert NOT_RUN.keys() <= set(lines)
    assert all(any(line.startswith(start) for line in commands) for start in SMALL)
    assert STAND_INS.keys() <= {word for line in lines for word in shlex.split(line)}


TARGETS = ("demo", "gpu", "reproduce-thesis", "meta-models", "results")
"""The targets of the Makefile that run commands of HOAD."""


@cache
def commands_of_make(target: str) -> list[str]:
    """Return the commands of HOAD that a target of the Makefile would run, in order."""
    with TemporaryDirectory() as folder:
        python, started = Path(folder, "python"), Path(folder, "started")
        python.write_text(f'#!/bin/sh\necho "$@" >> {started}\n')
        python.chmod(0o755)
        make = ["make", "--silent", "--old-file=setup", target, f"BIN={folder}"]
        subprocess.run(make, cwd=ROOT, check=True, capture_output=True)
        return started.read_text().splitlines()


def test_commands_of_the_demonstration_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stages = runpy.run_path(str(ROOT / "examples" / "demo.py"))["STAGES"]
    for line in chain.from_iterable(chain.from_iterable(stage.lanes for stage in stages)):
        run_line(f"python {line}", monkeypatch)


@pytest.mark.parametrize("target", TARGETS)
def test_the_commands_of_a_target_are_commands(target: str) -> None:
    for line in commands_of_make(target):
        script, *words = shlex.split(line)
        with chdir(ROOT):
            cli.read(command_of(script), words, script)
