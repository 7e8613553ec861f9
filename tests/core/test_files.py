"""Files are written whole or not at all; folders of networks and populations."""

import os
import runpy
import shutil
import stat
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from struct import pack
from zipfile import ZipFile

import pytest

from hoad.agents import get_agent
from hoad.core import paths
from hoad.core.errors import HoadError
from hoad.core.files import (
    check_target,
    folder_for,
    make_folder,
    only_writer,
    read_json,
    reading_arrays,
    write_atomically,
    write_file,
)
from hoad.core.paths import playing_name
from hoad.core.recipe_files import RECIPE_FOLDERS
from hoad.learning.training.checkpoints import load_checkpoint
from hoad.replay.dataset import read_dataset
from hoad.replay.formats.jsonl import read_lines
from tests.meta_models import save_meta_model
from tests.scripts import ROOT


def test_a_file_takes_its_name_when_it_is_complete_with_the_rights_of_the_users_mask(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a"

    before = os.umask(0o027)
    try:
        with write_atomically(path) as file:
            file.write(b"new")
            assert not path.exists()
    finally:
        os.umask(before)

    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, interruption: type[BaseException]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    with pytest.raises(interruption), write_atomically(path) as file:
        file.write(b"new")
        raise interruption

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_where_nothing_can_be_written_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"not a folder")

    with (
        pytest.raises(HoadError, match="a/b: cannot write this file: Not a directory"),
        write_atomically(tmp_path / "a" / "b"),
    ):
        pass
    with pytest.raises(HoadError, match="a/b: cannot make this folder: Not a directory"):
        make_folder(tmp_path / "a" / "b")


def test_json_is_read_or_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"

    with pytest.raises(HoadError, match=r"a\.json: cannot read this file"):
        read_json(path)
    path.write_text('{"a": [1, 2.5]}')
    assert read_json(path) == {"a": [1, 2.5]}
    for text in ("{", "", '{"a": \x00}', "[" * 100_000):
        path.write_text(text)
        with pytest.raises(HoadError, match=r"a\.json: not a JSON file .*; restore it"):
            read_json(path)


@pytest.mark.parametrize("old", [b"\x89HDF\r\n\x1a\n", b"a text", b"{}", b"PK\x03\x04"])
def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path, old: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(old)

    with pytest.raises(HoadError, match=r"a: is .* a picture would replace it; choose another"):
        write_file(path, b"\x89PNG\r\n")

    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def test_a_target_has_its_ending_and_does_not_exist(tmp_path: Path) -> None:
    (tmp_path / "a.png").touch()

    check_target(tmp_path / "b.png", (".png",))
    check_target(tmp_path / "a.png", (".png",), may_exist=True)
    for name in ("a.png", "b.h5"):
        with pytest.raises(HoadError, match=name):
            check_target(tmp_path / name, (".png",))


def test_a_new_folder_in_which_nothing_was_written_goes_and_others_stay(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), folder_for(tmp_path / "stopped"):
        raise KeyboardInterrupt
    with folder_for(tmp_path / "new"), folder_for(tmp_path):
        (tmp_path / "new" / "file").touch()
    (tmp_path / "old").mkdir()
    with folder_for(tmp_path / "old"), folder_for(None):
        pass

    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "new", "old"]


def test_several_writers_of_one_name_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "a"

    with write_atomically(path) as first, write_atomically(path) as second:
        first.write(b"first")
        second.write(b"second")
        first.flush()

    assert path.read_bytes() == b"first"  # which was complete last
    assert list(tmp_path.iterdir()) == [path]


def test_of_several_writers_of_a_new_name_one_stays_and_the_others_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a"

    def write(content: bytes) -> bytes | None:
        try:
            write_file(path, content, new=True)
        except HoadError as error:
            assert "a: exists: another program has written it meanwhile" in str(error)
            return None
        return content

    contents = [bytes([number]) * 100_000 for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        written = [content for content in pool.map(write, contents) if content]

    assert written == [path.read_bytes()]
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_program_left_of_a_file_is_removed(tmp_path: Path) -> None:
    left = [tmp_path / f"a.{16 * digit}.part" for digit in "0f"]
    own = [tmp_path / name for name in ("a.part", "a.0123.part", f"b.{16 * '0'}.part")]
    for file in (*left, *own):
        file.write_bytes(b"content")

    with write_atomically(tmp_path / "a") as running:  # is not taken for one that was killed
        write_file(tmp_path / "a", b"1")
        running.write(b"2")

    assert (tmp_path / "a").read_bytes() == b"2"
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / "a", *own])


def test_the_longest_names_can_be_written(tmp_path: Path) -> None:
    for name in ("a" * 255, "\u00fc" * 127):
        write_file(tmp_path / name, b"1")

    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("exists", [True, False])
def test_no_link_is_followed_to_what_it_names(tmp_path: Path, exists: bool) -> None:
    victim = tmp_path / "victim"
    if exists:
        victim.write_bytes(b"mine")
    for name in ("a.part", "a", "writer.lock"):
        (tmp_path / name).symlink_to(victim)

    message = r"writer\.lock: a link or a pipe, expected a file"
    with pytest.raises(HoadError, match=message), only_writer(tmp_path):
        pass
    with pytest.raises(HoadError, match=r"a\.part: exists"):
        check_target(tmp_path / "a.part", (".part",))
    with pytest.raises(HoadError, match=r"a\.part: exists"):
        write_file(tmp_path / "a.part", b"1", new=True)
    write_file(tmp_path / "a", b"new")

    assert victim.read_bytes() == b"mine" if exists else not victim.exists()
    assert (tmp_path / "a").read_bytes() == b"new" and not (tmp_path / "a").is_symlink()


@pytest.mark.parametrize("name", ["a", "writer.lock"])
def test_no_pipe_is_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)

    with pytest.raises(HoadError, match=rf"{name}: not a regular file"), only_writer(tmp_path):
        write_file(tmp_path / "a", b"1")

    assert stat.S_ISFIFO((tmp_path / name).stat().st_mode)


@pytest.mark.parametrize(
    "read", [read_json, read_dataset, load_checkpoint, lambda path: list(read_lines(path))]
)
def test_no_pipe_is_read(tmp_path: Path, read: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "a")

    with pytest.raises(HoadError, match="a: not a regular file"):
        read(tmp_path / "a")


@pytest.mark.parametrize("lock", [only_writer, folder_for])
def test_one_writer_at_a_time_has_a_folder(
    tmp_path: Path, lock: Callable[[Path], AbstractContextManager[object]]
) -> None:
    message = "another program is writing there"
    with lock(tmp_path), pytest.raises(HoadError, match=message), lock(tmp_path):
        pass
    with lock(tmp_path):
        pass

    assert not list(tmp_path.iterdir())
    (tmp_path / "writer.lock").write_bytes(b"mine")
    with only_writer(tmp_path):
        pass
    assert (tmp_path / "writer.lock").read_bytes() == b"mine"


def test_a_network_plays_by_its_short_name_where_names_are_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_meta_model(tmp_path, "iggi")
    elsewhere = playing_name("maml", "iggi", tmp_path)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    here = playing_name("maml", "iggi", tmp_path)

    assert elsewhere == f"maml:{tmp_path / 'maml' / 'iggi' / 'model.safetensors'}"
    assert here == "maml:iggi"
    assert get_agent(elsewhere).identity == get_agent(here).identity


@pytest.mark.parametrize("value", ["", "{}/nowhere", "{}/file"])
@pytest.mark.parametrize("name", ["imitator:iggi", "elite:canaan-5x5-1/2,3"])
def test_a_mistyped_folder_of_networks_is_refused(
    value: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOAD_CHECKPOINTS", value.format(tmp_path))

    with pytest.raises(HoadError, match="HOAD_CHECKPOINTS is"):
        get_agent(name)


def test_a_checkout_and_a_wheel_hold_them_where_they_are_looked_up(tmp_path: Path) -> None:
    assert (paths.SHIPPED_CHECKPOINTS / "imitator" / "iggi" / "model.safetensors").is_file()
    assert (paths.SHIPPED_POPULATIONS / "canaan-5x5-1.json").is_file()
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = targets["targets"]["wheel"]
    for place in wheel["sources"].values():
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "hoad" / "core").mkdir()
    copy = shutil.copy(ROOT / "hoad" / "core" / "paths.py", tmp_path / "hoad" / "core")

    installed = runpy.run_path(str(copy))

    for name in ("SHIPPED_CHECKPOINTS", "SHIPPED_POPULATIONS", "SHIPPED_EXAMPLES"):
        source = getattr(paths, name).relative_to(ROOT)
        top = wheel["sources"][source.parts[0]]
        assert str(source) in wheel["only-include"]
        assert installed[name] == tmp_path.joinpath(top, *source.parts[1:])
    for folder in RECIPE_FOLDERS:
        assert folder in wheel["only-include"]
        assert installed["SHIPPED"] / folder == tmp_path / wheel["sources"][folder]


def test_an_archive_with_a_type_that_is_none_is_refused(tmp_path: Path) -> None:
    header = b"{'descr': '(1,', 'fortran_order': False, 'shape': (1,)}\n"
    with ZipFile(tmp_path / "weights.npz", "w") as archive:
        archive.writestr("a.npy", b"\x93NUMPY\x01\x00" + pack("<H", len(header)) + header)

    with (
        pytest.raises(HoadError, match=r"weights\.npz: not weights; make them again"),
        reading_arrays(tmp_path / "weights.npz", "weights", "make them again"),
    ):
        pass
