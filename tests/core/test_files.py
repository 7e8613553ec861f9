from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.core.files import (
    check_target,
    folder_for,
    make_folder,
    read_json,
    write_atomically,
    write_file,
)


def test_a_file_takes_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a"

    with write_atomically(path) as file:
        file.write(b"new")
        assert not path.exists()

    assert path.read_bytes() == b"new"
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


def test_json_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": [1, 2.5]}')

    assert read_json(tmp_path / "a.json") == {"a": [1, 2.5]}


@pytest.mark.parametrize("text", ["{", "", '{"a": \x00}', "[" * 100_000])
def test_what_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)

    with pytest.raises(HoadError, match=r"a\.json: not a JSON file .*; restore it"):
        read_json(tmp_path / "a.json")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HoadError, match=r"a\.json: cannot read this file"):
        read_json(tmp_path / "a.json")


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


def test_a_new_folder_in_which_nothing_was_written_goes(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), folder_for(tmp_path / "new"):
        raise KeyboardInterrupt

    assert not (tmp_path / "new").exists()


def test_folders_with_files_and_those_of_before_stay(tmp_path: Path) -> None:
    with folder_for(tmp_path / "new"), folder_for(tmp_path):
        (tmp_path / "new" / "file").touch()
    (tmp_path / "old").mkdir()

    with folder_for(tmp_path / "old"), folder_for(None):
        pass

    assert (tmp_path / "new" / "file").exists() and (tmp_path / "old").exists()
