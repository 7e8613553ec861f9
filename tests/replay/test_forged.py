"""HDF5 files that somebody made to be read wrongly: their checksums are right."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.replay.dataset import ARRAYS, make_dataset, read_dataset, write_dataset
from hoad.replay.metadata import _fixed_length
from hoad.replay.verify import repair, verify_files
from tests.game.examples import random_logs

LOGS = random_logs(2, 20, 1)
ROWS = {"decks": 20, "actions": len(LOGS.actions), "offsets": 21}
"""Length of each array; of all others 20."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    notes = [{"seed": game, "turns": len(LOGS.actions_of(game))} for game in range(20)]
    dataset = make_dataset(LOGS, [("a", "b")], {}, "test", notes)
    write_dataset(tmp_path / "a.h5", dataset)
    write_dataset(tmp_path / "other.h5", dataset)
    return tmp_path / "a.h5"


def soft_link(file: h5py.File, name: str) -> None:
    file.move(name, "moved")
    file[name] = h5py.SoftLink("/moved")


def external_link(file: h5py.File, name: str) -> None:
    del file[name]
    file[name] = h5py.ExternalLink("other.h5", name)


def external_storage(file: h5py.File, name: str) -> None:
    content = file[name][...]
    stored = Path(file.filename).with_name("bytes")
    content.tofile(stored)
    del file[name]
    storage = [(str(stored), 0, h5py.h5f.UNLIMITED)]
    file.create_dataset(name, content.shape, content.dtype, external=storage)


def virtual(file: h5py.File, name: str) -> None:
    shape, dtype = file[name].shape, file[name].dtype
    del file[name]
    layout = h5py.VirtualLayout(shape, dtype)
    layout[...] = h5py.VirtualSource("other.h5", name, shape=shape)
    file.create_virtual_dataset(name, layout)


def group(file: h5py.File, name: str) -> None:
    del file[name]
    file.create_group(name)


def scalar(file: h5py.File, name: str) -> None:
    replace(file, name, np.uint8(1))


def texts(file: h5py.File, name: str) -> None:
    replace(file, name, ["x"] * ROWS.get(name, 20))


def other_shape(file: h5py.File, name: str) -> None:
    replace(file, name, np.zeros((20, 3, 3), np.uint8))


def other_type(file: h5py.File, name: str) -> None:
    replace(file, name, file[name][...].astype(np.float64))


def other_order_of_bytes(file: h5py.File, name: str) -> None:
    replace(file, name, file[name][...].astype(">u4"))


def packed_twice(file: h5py.File, name: str) -> None:
    content = file[name][...]
    del file[name]
    storage = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    storage.set_chunk(content.shape)
    storage.set_deflate(9)
    storage.set_deflate(9)
    space, kind = h5py.h5s.create_simple(content.shape), h5py.h5t.py_create(content.dtype)
    h5py.h5d.create(file.id, name.encode(), kind, space, storage).write(
        h5py.h5s.ALL, h5py.h5s.ALL, content
    )


def huge(file: h5py.File, name: str) -> None:
    dtype, row = ARRAYS.get(name, (np.uint8, ()))
    del file[name]
    file.create_dataset(name, (2**32 // (1 + 49 * bool(row)), *row), dtype, chunks=True)


def replace(file: h5py.File, name: str, content: object) -> None:
    del file[name]
    file[name] = content


def write_notes(path: Path, *lines: str) -> None:
    with h5py.File(path, "r+") as file:
        replace(file, "notes", np.frombuffer("\n".join(lines).encode(), np.uint8))


FORGERIES: list[Callable[[h5py.File, str], None]] = [
    *(soft_link, external_link, external_storage, virtual, group, scalar, texts),
    *(other_shape, other_type, other_order_of_bytes, packed_twice, huge),
]


@pytest.mark.parametrize("name", [*ARRAYS, "notes"])
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_arrays_are_read_from_the_file_itself_and_checked_before(
    path: Path, forge: Callable[[h5py.File, str], None], name: str
) -> None:
    with h5py.File(path, "r+") as file:
        forge(file, name)
    said: list[str] = []

    with pytest.raises(HoadError, match=r"a\.h5: damaged \("):
        read_dataset(path)

    assert verify_files([path], said.append).failed == 1
    assert len(said) == 1 and str(path) in said[0]


@pytest.mark.parametrize("forge", [external_link, external_storage, virtual, huge])
@pytest.mark.parametrize("name", ["decks", "actions", "notes"])
def test_a_repair_reads_nothing_from_elsewhere(
    path: Path, forge: Callable[[h5py.File, str], None], name: str
) -> None:
    with h5py.File(path, "r+") as file:
        forge(file, name)

    with pytest.raises(HoadError, match=r"a\.h5: cannot be repaired"):
        repair(path)


@pytest.mark.parametrize("key", ["total_episodes", "total_steps"])
@pytest.mark.parametrize("total", [-1, 2**40, 2**62])
def test_a_repair_believes_no_impossible_number_of_games(path: Path, key: str, total: int) -> None:
    with h5py.File(path, "r+") as file:
        file.attrs[key] = total

    with pytest.raises(HoadError, match=rf"cannot be repaired: {key} is {total}"):
        repair(path)


@pytest.mark.parametrize(
    ("name", "is_read"),
    [
        *((odd, False) for odd in ("\x1b[2J", "a\n", "a\x9f", "")),
        *((own, True) for own in ("process:./my 'bot' \"é\"", "python:/a b/c.py:D", "rules:8,13")),
    ],
)
def test_names_are_those_that_logs_may_have(path: Path, name: str, is_read: bool) -> None:
    with h5py.File(path, "r+") as file:
        del file.attrs["checksum"]
        file.attrs["agents"] = _fixed_length(((name, "b"),))

    if is_read:
        assert read_dataset(path).agents == (name, "b")
    else:
        with pytest.raises(HoadError, match=r"a\.h5: damaged \(agents are no names"):
            read_dataset(path)


_WRONG_VALUES: dict[str, list[Any]] = {
    "slots": [3, "x", [9], [[0]], {"a": 1}],
    "obs_sha1": [3, "x", [], "z" * 40],
    "turns": ["x", -1, 1.5, [1], True],
    "score": ["25", {}, [25]],
    "chromosome": [3, [], ["a"], [-1]],
    "aborted": [1, "yes", []],
}
WRONG_NOTES: list[object] = [
    *({key: value} for key, values in _WRONG_VALUES.items() for value in values),
    *({"another": 1}, {"players": ["a", "b"]}, 3, [], "text", None),
]


@pytest.mark.parametrize("note", WRONG_NOTES, ids=str)
def test_notes_are_validated_when_they_are_read(path: Path, note: object) -> None:
    write_notes(path, json.dumps(note), *[json.dumps({"seed": 1})] * 19)
    said: list[str] = []

    with pytest.raises(HoadError, match=r"a\.h5: (damaged|game 0)"):
        read_dataset(path)

    assert verify_files([path], said.append).failed >= 1
    assert len(said) == 1


@pytest.mark.parametrize("key", ["slots", "rule"])
def test_notes_are_as_many_as_the_turns_and_not_nested_deeply(path: Path, key: str) -> None:
    write_notes(path, json.dumps({key: [0, 0]}), *["{}"] * 19)

    with pytest.raises(HoadError, match=r"a\.h5: damaged \(notes do not fit the rest\)"):
        read_dataset(path)
    write_notes(path, "[" * 100_000)
    with pytest.raises(HoadError, match=r"a\.h5: damaged"):
        read_dataset(path)


def test_a_file_that_another_program_has_open_is_not_called_damaged(path: Path) -> None:
    program = (
        "import sys, h5py\nf = h5py.File(sys.argv[1], 'r+')\nprint(flush=True)\nsys.stdin.read()"
    )
    words = [sys.executable, "-c", program, str(path)]
    message = r"a\.h5: another program has the file open for writing, or was killed while it had"
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(HoadError, match=message):
            read_dataset(path)
        other.kill()
    with pytest.raises(HoadError, match=message):
        read_dataset(path)

    repair(path)

    assert len(read_dataset(path.with_name("a.repaired.h5")).logs) == 20
    assert os.path.exists(path)
