"""Hostile inputs: the valid files that they are made from, and how a command ends with one."""

import hashlib
import io
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated
from unittest import mock

import torch
from pydantic import Field

from hoad.core import cli
from hoad.learning.networks import Perceptron
from hoad.learning.training.checkpoints import save_checkpoint
from hoad.learning.training.folder import write_metadata_file
from tests.meta_models import save_meta_model
from tests.scripts import ROOT, command_of, show_wrong

SECONDS = 300
"""A command that takes longer hangs: each ends at once on a machine that does nothing else."""

RECIPES = {
    "play": 'agents = ["iggi"]\ngames = 6\nseed = 1\n',
    "imitator": "hidden = [4]\nsteps = 2\nvalidate_every = 2\nbatch_size = 8\n",
    "maml": 'agents = ["iggi", "piers"]\nhidden = [4]\ntasks = 1\nsteps = 2\nvalidate_every = 2\n',
    "rainbow": "hidden = [4]\nsteps = 20\nvalidate_every = 10\ngames = 4\n",
    "evolve": 'name = "small"\nlength = 2\ngrid = [2, 2]\ngames = 1\ncandidates = 2\n',
    "adhoc": 'partners = ["iggi"]\nplayers = ["self-play", "naive"]\nepisodes = 2\ntrials = 1\n'
    'games_per_episode = 2\nout = "table"\n',
    "imitators": 'agents = ["iggi"]\ntest_games = 2\ngames = 2\nout = "compared"\n',
    "search": 'agents = ["iggi"]\ngames = 2\nrollouts = 1\nout = "search"\n',
    "prediction": 'partners = ["iggi"]\nothers = ["piers"]\ngames = [2]\nout = "predicted"\n',
    "meta-agents": 'players = ["oracle"]\nepisodes = 2\nseats = "first"\nout = "meta"\n'
    'published_matchups = "pairs.csv"\n[[pools]]\nname = "small"\npopulation = "small.json"\n',
}

NETWORK = "imitator/iggi/model.safetensors"
METADATA = "imitator/iggi/metadata.json"
HEADING = "r_comm_idx,r_ipp_idx,h_comm_idx,h_ipp_idx,population,h_comm,h_ipp,score\n"


@dataclass(frozen=True)
class Case:
    """A bad input: the command line, and what was done to it or to a file."""

    words: tuple[str, ...]
    what: str


@dataclass(frozen=True)
class Done:
    """How a command ended; ``error`` is the traceback of what it did not catch."""

    status: int | None
    errors: str
    error: str = ""


def make_valid_inputs(folder: Path) -> None:
    """Fill a folder, the present one, with the files of all commands."""
    for name, text in RECIPES.items():
        (folder / f"{name}.toml").write_text(text)
    made = [run("record.py", "play", "play.toml", "--out", ".")]
    for name in ("iggi.jsonl", "iggi.jsonl.gz", "live.json"):
        made.append(run("record.py", "export", "iggi.h5", name))
    assert not any(one.status for one in made), made
    torch.manual_seed(1)
    about = {"kind": "imitator", "name": "iggi", "games": {}, "step": 1}
    about["recipe"] = {"hidden": [4], "dropout": False}
    save_checkpoint(folder / NETWORK, Perceptron((4,), dropout=False).state_dict(), about)
    about |= {"measures": {"accuracy": 0.25}, "made_with": {"commit": "unknown"}}
    write_metadata_file(folder / METADATA, about)
    save_meta_model(folder, "iggi")
    elites = [{"niche": [0, i], "chromosome": [8, 13], "fitness": 1.0} for i in range(2)]
    population = {"name": "small", "grid": [2, 2], "rules": "first-50", "elites": elites}
    (folder / "small.json").write_text(json.dumps(population))
    pairs = [f"0,{one},0,{other},1,0.5,0.5,3\n" for one in range(2) for other in range(2)]
    (folder / "pairs.csv").write_text("".join([HEADING, *pairs]))
    (folder / "bad.py").write_text("import sys; sys.exit(0)\n")
    shutil.copy("iggi.h5", "other.h5")
    (folder / "victim").write_text("mine")


def run(script: str, *words: str) -> Done:
    """Run a command line in this process and folder."""
    out, errors = io.StringIO(), io.StringIO()
    status, error = None, ""
    with redirect_stdout(out), redirect_stderr(errors), mock.patch.object(sys, "argv", [script]):
        try:
            with _ended_after(SECONDS):
                status = cli.main(command_of(script), words, script)
        except BaseException:  # whatever ends a program
            error = traceback.format_exc()
    return Done(status, errors.getvalue(), error)


@contextmanager
def _ended_after(seconds: int) -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"it hangs: {seconds} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def wrong_ends(
    draw_case: Callable[[int, random.Random], Case],
    problem_of: Callable[[Case, Done, bool], str],
    count: int,
    seed: int = 0,
    first: int = 0,
) -> Iterator[str]:
    """Try cases; yield a description of each that does not end as it should.

    Args:
        draw_case: by its number, changes a file of the present folder, or a command line.
        problem_of: returns what is wrong about an end, empty if nothing is; told whether each file
            that was there is as it was.
        count: number of cases.
        seed: of all cases; case ``i`` of a seed is the same at any time.
        first: number of the first case.
    """
    with tempfile.TemporaryDirectory() as place, mock.patch.dict(os.environ, HOAD_CHECKPOINTS="."):
        valid, folder = Path(place) / "valid", Path(place) / "folder"
        valid.mkdir()
        with chdir(valid):
            make_valid_inputs(valid)
        for number in range(first, first + count):
            os.chdir(ROOT)  # a thread of the last command may have gone back to its folder
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(valid, folder)
            with chdir(folder):
                case = draw_case(number, random.Random(f"{seed} {number}"))
                before = _digests(folder)
                done = run(*case.words)
                after = _digests(folder)
                unchanged = all(after.get(path) == digest for path, digest in before.items())
                problem = done.error or problem_of(case, done, unchanged)
            if problem:
                shown = " ".join(case.words)[:200]
                yield f"{number}: {shown} ({case.what}): {problem}\n  {done.errors.strip()[-300:]}"


def _digests(folder: Path) -> dict[Path, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: hashlib.sha1(path.read_bytes()).hexdigest() for path in files}


def program(wrong_ends: Callable[[int, int, int], Iterator[str]]) -> Callable[..., int]:
    """Return a command that tries such inputs, given how many, their seed, and the first."""

    def try_inputs(
        count: Annotated[int, Field(ge=1)] = 500,
        seed: Annotated[int, Field(ge=0)] = 0,
        first: Annotated[int, Field(ge=0)] = 0,
    ) -> int:
        """Try hostile inputs, and show those with which a command does not end as it should.

        Args:
            count: Number of inputs.
            seed: Seed of the inputs.
            first: Number of the first input.
        """
        what = f"of {count} inputs that do not end as they should"
        return show_wrong(wrong_ends(count, seed, first), what)

    return try_inputs
