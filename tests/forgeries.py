"""Inputs that somebody made to do harm: their checksums are right, or they are links and pipes.

    python tests/forgeries.py --count 500

HDF5 files, networks with their metadata, and the names of files to write are forged. Each command
ends with status 0 or is refused in one line, changes no file but its own, and does not hang. Case
``i`` of a seed is the same at any time, so that ``--first i --count 1`` shows it again.
"""

import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from hoad.core import cli
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.learning.training.folder import read_metadata_file, write_metadata_file
from hoad.replay import metadata
from hoad.replay.dataset import ARRAYS
from tests import hostile
from tests.hostile import METADATA, NETWORK, Case, Done
from tests.replay.test_forged import FORGERIES, WRONG_NOTES

VALUES: tuple[Any, ...] = (
    *(0, -1, 1, 3, 6, 255, 2**31, 2**40, 2**62, -(2**62), 0.5, 1e300, True),
    *("", "x", "2", "process:touch victim", "python:bad.py:X", "\x1b[2J", "a" * 5_000),
    *([], [0], [-1], [2**40], ["x"], [[1]], [1.5], list(range(300))),
)
"""What stands where another value is expected."""

NETWORKS = {"imitator:iggi": NETWORK, "maml:iggi": "maml/iggi/model.safetensors"}

READERS = (
    ("record.py", "verify", "iggi.h5"),
    ("record.py", "verify", "iggi.h5", "--repair"),
    ("record.py", "info", "iggi.h5"),
    ("record.py", "export", "iggi.h5", "new.jsonl"),
    ("evaluate.py", "agreement", "--agent", "logged", "iggi.h5"),
    ("evaluate.py", "watch", "iggi.h5"),
    ("evaluate.py", "predict", "iggi.h5", "--support", "2", "--held-out", "iggi"),
    ("train_imitator.py", "imitator.toml", "--agent", "iggi", "--data", ".", "--out", "new"),
    ("record.py", "play", "play.toml", "--out", ".", "--resume"),
)
WRITERS = (
    ("record.py", "play", "play.toml", "--out", "out"),
    ("record.py", "import", "iggi.jsonl", "out/new.h5"),
    ("record.py", "export", "iggi.h5", "out/new.jsonl"),
    ("record.py", "info", "iggi.h5", "--png", "out/new.png"),
    ("evolve.py", "evolve.toml", "--out", "out"),
    ("evaluate.py", "watch", "iggi.h5", "--html", "out/new.html"),
    ("evaluate.py", "search", "search.toml", "--out", "out"),
)
WRITTEN = (
    *("new.h5", "new.h5.part", "new.jsonl", "new.png", "new.html", "iggi.h5", "iggi.h5.parts"),
    *("iggi.h5.parts/writer.lock", "writer.lock", "report.lock", "report.md", "results.json"),
    *("games", "populations", "populations/small/writer.lock", "populations/small/population.json"),
    *("populations/small/progress.json", "populations/small"),
)


def forged_games(draw: random.Random) -> Case:
    """Forge an array, a note or an attribute of a file of games."""
    words = draw.choice(READERS)
    with h5py.File("iggi.h5", "r+") as file:
        kind = draw.choice(("array", "note", "attribute", "attribute"))
        if kind == "array":
            forge, name = draw.choice(FORGERIES), draw.choice(list(ARRAYS))
            with suppress(KeyError, TypeError):
                forge(file, name)
            return Case(words, f"{forge.__name__} {name}")
        if kind == "note":
            games, note = len(file["decks"]), draw.choice(WRONG_NOTES)
            lines = "\n".join([repr(note).replace("'", '"'), *["{}"] * (games - 1)])
            file["notes"] = np.frombuffer(lines.encode(), np.uint8)
            return Case(words, f"note {note}")
        name, value = draw.choice([n for n in file.attrs if n != "checksum"]), draw.choice(VALUES)
        with suppress(TypeError, ValueError, OSError):
            file.attrs[name] = value
        with suppress(TypeError, ValueError, AttributeError):
            found = metadata.load_metadata(file)
            file.attrs.modify("checksum", metadata._fixed_length(metadata._hash(found)))
        return Case(words, f"attribute {name} is {value!r:.60}")


def forged_network(draw: random.Random) -> Case:
    """Forge what a network's file and its metadata say, or its tensors."""
    agent, file = draw.choice(list(NETWORKS.items()))
    weights, about = load_checkpoint(Path(file))
    what = ""
    if draw.random() < 0.3:
        name = draw.choice(sorted(weights))
        weights[name], what = draw.choice(
            [
                (torch.zeros(0), "empty"),
                (torch.full(weights[name].shape, float("nan")), "nan"),
                (weights[name].long(), "whole numbers"),
                (weights[name][None], "of another shape"),
                (weights[name].double(), "double"),
            ]
        )
        what = f"{name} is {what}"
    else:
        table, value = about, draw.choice(VALUES)
        name = draw.choice(sorted(table))
        if isinstance(table[name], dict) and table[name] and draw.random() < 0.7:
            table = table[name]
            name = draw.choice(sorted(table))
        if draw.random() < 0.2:
            del table[name]
        else:
            table[name] = value
        what = f"{name} is {value!r:.60}"
    save_checkpoint(Path(file), weights, about)
    if agent.startswith("imitator"):
        write_metadata_file(Path(METADATA), read_metadata_file(Path(METADATA)) | about)
    words = ("evaluate.py", "crossplay", agent, "iggi", "--games", "2")
    return Case(words, f"{file}: {what}")


def forged_target(draw: random.Random) -> Case:
    """Put a link, a pipe or a folder where a command writes."""
    words, name = draw.choice(WRITERS), draw.choice(WRITTEN)
    path = Path("out", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    how = draw.choice(("link", "dangling link", "pipe", "folder", "hard link"))
    match how:
        case "link":
            path.symlink_to(Path("victim").resolve())
        case "dangling link":
            path.symlink_to(Path("absent").resolve())
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.hardlink_to("victim")
    return Case(words, f"{name} is a {how}")


KINDS: tuple[Callable[[random.Random], Case], ...] = (forged_games, forged_network, forged_target)


def _forged(number: int, draw: random.Random) -> Case:
    return KINDS[number % len(KINDS)](draw)


def _problem(case: Case, done: Done, unchanged: bool) -> str:
    """Return what is wrong about the end of a command; empty if nothing is."""
    lines = done.errors.splitlines()
    if Path("victim").read_text() != "mine" or Path("absent").exists():
        return "a file has changed that is not the command's"
    if "Traceback" in done.errors or (done.status and not lines):
        return f"{len(lines)} lines, status {done.status}"
    refused = done.status and "verify" not in case.words
    if refused and sum(line.startswith("error: ") for line in lines) != 1:
        return "not one error"
    return "" if all(line.isprintable() for line in lines) else "escape sequences"


wrong_ends = partial(hostile.wrong_ends, _forged, _problem)

if __name__ == "__main__":
    cli.run(hostile.program(wrong_ends))
