"""Tiny runs of all commands that take long: to be killed, or to be done by other workers."""

import csv
import hashlib
import io
import json
import os
import pkgutil
import runpy
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread
from typing import Any, Final

import h5py
import psutil

import hoad
from hoad.core import cli
from hoad.core.program.signals import end_at_once
from tests.meta_models import save_meta_model
from tests.person import play_one_game
from tests.scripts import ROOT, command_of, run_here

RECIPES: Final = {
    "games": 'agents = ["simplebot", "iggi", "piers", "outer"]\ngames = 80\nseed = 5\n',
    "play": 'agents = ["iggi", "piers", "noisy:0.1:outer"]\ngames = 2_000\nseed = 5\n',
    "imitator": "hidden = [16]\nsteps = 300\nvalidate_every = 30\nvalidation_games = 5\n"
    'batch_size = 32\nprecision = "float32"\n',
    "maml": 'agents = ["simplebot", "iggi", "piers", "outer"]\nhidden = [16, 16]\nsteps = 10\n'
    "validate_every = 2\ntasks = 2\ngames = 2\ninner_lrs = [1e-2]\nvalidation_games = 4\n"
    'play_steps = [1, 2]\nprecision = "float32"\n',
    "rainbow": "steps = 32\ngames = 8\nhidden = [16]\nbatch_size = 16\nupdates = 1\n"
    'validate_every = 4\nvalidation_games = 10\nhistory = 40\nprecision = "float32"\n',
    "evolve": 'name = "tiny"\nseed = 4\ngrid = [4, 4]\ngames = 4\nrandom_candidates = 100\n'
    "candidates = 400\ngeneration = 10\nsave_every = 4\nfinal_games = 10\n",
    "adhoc": 'partners = ["iggi", "outer"]\npool = ["piers", "flawed", "iggi", "internal"]\n'
    'players = ["naive", "low-shot", "bayes-features", "model", "search", "self-play"]\n'
    "episodes = 2\ngames_per_episode = 2\ntrials = 2\nsupport_games = 3\nmatchup_games = 3\n"
    'cross_play_games = 4\nseed = 3\nout = "out"\n[naive]\nhidden = [16]\nepochs = 2\n',
    "meta-agents": 'players = ["oracle", "bayes-features", "bayes-moves", "generalist"]\n'
    'episodes = 4\ngames_per_episode = 4\nmatchup_games = 20\nseed = 2\nout = "out"\n'
    '[[pools]]\nname = "A"\nagents = ["iggi", "outer"]\n'
    '[[pools]]\nname = "B"\nagents = ["piers", "simplebot"]\n',
    "search": 'agents = ["iggi", "outer"]\ngames = 8\nrollouts = 20\ncurve = ["piers"]\n'
    'curve_rollouts = [5, 10]\ncurve_games = 8\nout = "out"\n',
    "prediction": 'partners = ["iggi", "outer"]\nothers = ["piers"]\nrandom_lists = 1\n'
    'games = [2]\ntest_games = 6\nout = "out"\n',
}


@dataclass
class Run:
    """A command that was started."""

    process: BaseProcess
    printed: Path
    errors: Path
    player: Thread | None
    taken: float = 0.0

    def wait(self, seconds: float | None = None) -> int | None:
        """Return its exit status, as of :class:`subprocess.Popen`; None if it has not ended."""
        self.process.join(seconds)
        if self.process.exitcode is not None and self.player:
            self.player.join()
        return self.process.exitcode

    def seconds(self) -> float:
        """Return the processor time that it has taken, as last seen."""
        with suppress(psutil.Error):
            times = psutil.Process(self.process.pid).cpu_times()
            self.taken = max(self.taken, float(times.user + times.system))
        return self.taken


@dataclass(frozen=True)
class LongCommand:
    """A command, started in the folder of :func:`inputs`.

    Attributes:
        words: the script, and what follows it; OUT stands for the folder of the results.
        resumed: words that are added when a run that was stopped goes on; None if it begins again.
        workers: whether other workers can do its items (``--threads``, ``--backend``).
        ends_with: status after Ctrl-C or SIGTERM.
        companion: what a thread does meanwhile, given the process and what it has printed.
    """

    words: tuple[str, ...]
    resumed: tuple[str, ...] | None = ("--resume",)
    workers: bool = False
    ends_with: int = 130
    companion: Callable[[int, Path], None] | None = None

    def start(self, folder: Path, out: Path, *more: str) -> Run:
        """Start it in a fork of this process, which has loaded all modules."""
        script, *words = (str(out) if word == "OUT" else word for word in self.words)
        shown = folder / "printed", folder / "errors"
        for path in shown:
            path.write_text("")
        fork = get_context("fork")
        process = fork.Process(target=_run_script, args=(folder, script, [*words, *more], *shown))
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        process.start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        player = None
        if self.companion:
            player = Thread(target=self.companion, args=(process.pid, shown[0]))
            player.start()
        return Run(process, *shown, player)


@contextmanager
def inputs() -> Iterator[Path]:
    """Make a folder with what the commands read, and load all that they run; yield the folder."""
    folder = Path(mkdtemp())  # a fork that ends would remove a TemporaryDirectory
    try:
        make_inputs(folder)
        _load_all(folder)
        yield folder
    finally:
        shutil.rmtree(folder)


def _load_all(folder: Path) -> None:
    """Load all modules, and compiled code, so that forks have them.

    Nothing is trained: torch may refuse to train in a fork of a process that has.
    """
    for module in pkgutil.walk_packages(hoad.__path__, "hoad."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    import_module("torch._dynamo")  # which torch loads when an optimiser is made
    with chdir(folder):
        for name, options in _LOADING.items():
            script, *words = LONG_COMMANDS[name].words
            words = [f"loaded/{name}" if word == "OUT" else word for word in words]
            with redirect_stdout(io.StringIO()):
                assert cli.main(command_of(script), [*words, *options.split()], script) == 0, name


def _run_script(
    folder: Path, script: str, words: Sequence[str], printed: Path, errors: Path
) -> None:
    """Be a script, in this process, which is a fork; signals wait until they end it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & lets programs ignore it
    end_at_once()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    for descriptor, path in ((1, printed), (2, errors)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND), descriptor)
    os.chdir(folder)
    os.environ["HOAD_CHECKPOINTS"] = "."
    sys.argv = [str(ROOT / script), *words]
    runpy.run_path(sys.argv[0], run_name="__main__")


_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

_TRAINED: Final = ("--data", "data", "--out", "OUT")

LONG_COMMANDS: Final = {
    "record": LongCommand(("record.py", "play", "play.toml", "--out", "OUT"), workers=True),
    "train_imitator": LongCommand(
        ("train_imitator.py", "imitator.toml", "--agent", "iggi", *_TRAINED)
    ),
    "train_maml": LongCommand(("train_maml.py", "maml.toml", "--held-out", "iggi", *_TRAINED)),
    "train_rainbow": LongCommand(("train_rainbow.py", "rainbow.toml", "--out", "OUT")),
    "evolve": LongCommand(("evolve.py", "evolve.toml", "--out", "OUT")),
    "adhoc": LongCommand(("evaluate.py", "adhoc", "adhoc.toml", "--out", "OUT"), workers=True),
    "meta-agents": LongCommand(("evaluate.py", "meta-agents", "meta-agents.toml", "--out", "OUT")),
    "search": LongCommand(("evaluate.py", "search", "search.toml", "--out", "OUT"), workers=True),
    "prediction": LongCommand(
        ("evaluate.py", "prediction", "prediction.toml", "--out", "OUT"), workers=True
    ),
    "predict": LongCommand(
        (
            *("evaluate.py", "predict", "data/outer.h5", "data/piers.h5", "--held-out", "outer"),
            *("--support", "5", "--test", "10", "--json"),
        ),
        resumed=None,
    ),
    "crossplay": LongCommand(
        ("evaluate.py", "crossplay", "iggi", "piers", "maml:iggi", "--games", "200", "--json"),
        resumed=None,
        workers=True,
    ),
    "play": LongCommand(
        ("play.py", "--out", "OUT", "--port", "0", "--seed", "3", "--agent", "iggi"),
        resumed=(),
        ends_with=0,
        companion=play_one_game,
    ),
}
"""By name. Commands without ``--resume`` are given again."""

_LOADING: Final = {
    "record": "--games 2",
    "evolve": "--random-candidates 10 --candidates 20 --generation 10 --games 2 --final-games 2",
    "meta-agents": "--episodes 2 --games-per-episode 2 --matchup-games 2",
    "search": "--games 2 --rollouts 2 --curve-games 2",
}
"""Commands that do not train, with options that make them shorter."""


def make_inputs(folder: Path) -> None:
    """Fill a folder with what the commands read: recipes, recorded games, a meta-model."""
    for name, text in RECIPES.items():
        (folder / f"{name}.toml").write_text(text)
    for held_out in ("iggi", "outer"):
        save_meta_model(folder, held_out)
    recorded = run_here("record.py", "play", folder / "games.toml", "--out", folder / "data")
    assert recorded.returncode == 0, recorded.stderr


_NOT_COMPARED: Final = (
    *("made_with", "seconds", "hours", "p95", "checksum", "time", "command", "date"),
    *("learning", "networks"),
)
"""Parts of the names of values that differ from run to run, or that name files."""

_TIMED_FILES: Final = ("tfevents", "clock.json", "report.", "recipe.toml", "unfinished.jsonl")


def results(out: Path, printed: str) -> dict[str, Any]:
    """Return what a command has left in its folder, and its last line, if that is JSON.

    Files are by their names, so that one too few or too many is a difference.
    """
    found: dict[str, Any] = {
        str(path.relative_to(out)): _content(path)
        for path in sorted(out.rglob("*"))
        if path.is_file() and not any(part in path.name for part in _TIMED_FILES)
    }
    last = printed.splitlines()[-1:]
    if last and last[0].startswith("{"):
        found["printed"] = _compared(json.loads(last[0]))
    return found


def _content(path: Path) -> Any:
    match path.suffix:
        case ".h5":
            with h5py.File(path) as file:
                return {name: _digest(file[name][()].tobytes()) for name in file}
        case ".safetensors":
            return _digest(path.read_bytes())
        case ".json":
            return _compared(json.loads(path.read_text()))
        case ".jsonl":
            return path.read_text().splitlines()
        case ".csv":
            with path.open(newline="") as file:
                return [_compared(row) for row in csv.DictReader(file)]
    return "there"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _compared(value: Any) -> Any:
    if isinstance(value, list):
        return [_compared(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {k: v for k, v in value.items() if not any(part in k for part in _NOT_COMPARED)}
    return {key: _compared(item) for key, item in kept.items()}


def differences(expected: dict[str, Any], found: dict[str, Any]) -> Sequence[str]:
    """Return the names of results that are missing, too many, or not the same to the last bit."""
    names = sorted(expected.keys() | found.keys())
    missing = object()
    return [n for n in names if expected.get(n, missing) != found.get(n, missing)]
