"""Entries of a file are complete or absent, whatever happens to their writers."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.core.kept import Kept, KeptFile, _checksum
from tests.scripts import ROOT

SCORES = np.arange(6, dtype=np.uint8).reshape(2, 3)
SETTINGS = {"seed": 7, "partner": {"iggi": "0123"}}


def kept_file(folder: Path) -> KeptFile:
    return KeptFile(folder / "games.sqlite", "the games of a table")


def entry(name: str, folder: str = "iggi", **facts: object) -> Kept:
    return Kept(folder, name, {"settings": SETTINGS, **facts}, {"scores": SCORES})


def assert_same(one: Kept | None, other: Kept) -> None:
    assert one is not None
    assert (one.folder, one.name, one.facts) == (other.folder, other.name, other.facts)
    assert list(one.arrays) == list(other.arrays)
    for name, array in other.arrays.items():
        np.testing.assert_array_equal(one.arrays[name], array, strict=True)


def test_entries_are_read_as_they_were_added(tmp_path: Path) -> None:
    file = kept_file(tmp_path)
    arrays = {"seconds": np.array([0.1, np.nan]), "none": np.zeros((0, 4)), "of_all": np.array(2.5)}
    whole = Kept("noisy:0.1/a b", "é-1", {"n": [1, {"x": None}], "t": "a"}, arrays)

    file.add(whole, entry("b"), entry("a"))

    assert file.folders() == ["iggi", "noisy:0.1/a b"]
    assert file.names("iggi") == ["a", "b"]
    assert_same(file.find("noisy:0.1/a b", "é-1"), whole)
    assert [kept.name for kept in file.in_folder("iggi")] == ["a", "b"]
    assert file.find("iggi", "c") is None


def test_a_file_that_is_absent_or_of_a_writer_killed_at_once_is_empty(tmp_path: Path) -> None:
    file = kept_file(tmp_path)

    assert (file.folders(), file.in_folder("iggi"), file.find("iggi", "a")) == ([], [], None)
    assert not list(tmp_path.iterdir())  # not made by reading
    file.path.write_bytes(b"")
    assert file.folders() == []
    file.add(entry("a"))
    assert file.names("iggi") == ["a"]


def test_an_entry_that_is_there_stays_as_it_is_and_reading_does_not_change_the_file(
    tmp_path: Path,
) -> None:
    file = kept_file(tmp_path)
    file.add(entry("a", seconds=1.0))
    file.add(entry("a", seconds=2.0))
    before = file.path.read_bytes()

    assert_same(file.find("iggi", "a"), entry("a", seconds=1.0))
    assert len(file.in_folder("iggi")) == 1
    assert file.path.read_bytes() == before
    assert os.listdir(tmp_path) == ["games.sqlite"]


def test_text_that_entries_share_is_stored_once(tmp_path: Path) -> None:
    file, settings = kept_file(tmp_path), {"settings": "x" * 100_000}

    file.add(*(entry(f"{number}", **settings) for number in range(50)))

    assert file.path.stat().st_size < 200_000


_ADDS = """
import sys, numpy as np
from pathlib import Path
from hoad.core.kept import Kept, KeptFile
file = KeptFile(Path(sys.argv[1]) / "games.sqlite", "games")
for number in range(int(sys.argv[3])):
    scores = np.random.default_rng(number).integers(0, 25, 50_000)
    file.add(Kept(sys.argv[2], f"{number:06}", {"number": number}, {"scores": scores}))
    print(number, flush=True)
"""


def adding(folder: Path, name: str, entries: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", _ADDS, str(folder), name, str(entries)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_several_programs_and_threads_add_at_the_same_time(tmp_path: Path) -> None:
    programs = [adding(tmp_path, name, 10) for name in "abc"]

    assert [program.wait(300) for program in programs] == [0, 0, 0]
    for program in programs:
        assert program.stdout is not None
        program.stdout.close()
    file = kept_file(tmp_path)
    assert [len(file.in_folder(name)) for name in "abc"] == [10, 10, 10]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda number: file.add(entry(f"{number:02}")), range(40)))
    assert file.names("iggi") == [f"{number:02}" for number in range(40)]


@pytest.mark.parametrize("trial", range(0, 6, 2))
def test_a_killed_writer_loses_only_what_it_was_adding(tmp_path: Path, trial: int) -> None:
    program = adding(tmp_path, "iggi", 100_000)
    assert program.stdout is not None
    said = [program.stdout.readline() for _ in range(3)]
    time.sleep(0.007 * trial)  # so that it is killed at different places

    program.send_signal(signal.SIGKILL)
    program.wait()

    said += program.stdout.readlines()
    program.stdout.close()
    complete = sum(line.endswith("\n") for line in said)
    file = kept_file(tmp_path)
    kept = file.in_folder("iggi")
    assert [one.facts["number"] for one in kept] == list(range(len(kept)))
    assert len(kept) in (complete, complete + 1)
    file.add(entry("more"))
    assert len(file.names("iggi")) == len(kept) + 1


@pytest.mark.parametrize("flipped", [0x20, 0x80])
def test_a_damaged_byte_is_noticed_or_does_no_harm(tmp_path: Path, flipped: int) -> None:
    file = kept_file(tmp_path)
    whole = [entry("a", seconds=1.5), entry("b", made_with={"commit": "abc"})]
    file.add(*whole)
    before, noticed = file.path.read_bytes(), 0
    used = [place for place, byte in enumerate(before) if byte or place < 100][::5]

    for place in used:
        damaged = bytearray(before)
        damaged[place] ^= flipped
        file.path.write_bytes(damaged)
        try:
            kept = file.in_folder("iggi")
        except HoadError as error:
            assert str(error).startswith(f"{file.path}: ")
            noticed += 1
            continue
        names = [one.name for one in kept]
        for one in kept:
            assert_same(one, whole["ab".index(one.name)])
        assert names in (["a", "b"], ["a"], ["b"], [])

    assert noticed > len(used) / 2


@pytest.mark.parametrize(
    ("fact", "text"), [("settings", "[" * 100_000), ("layout", '[["scores", "(1,", [6]]]')]
)
def test_wrong_facts_with_their_checksum_are_refused(tmp_path: Path, fact: str, text: str) -> None:
    file = kept_file(tmp_path)
    file.add(entry("a"))
    with closing(sqlite3.connect(file.path, isolation_level=None)) as database:
        joined = "SELECT key, json FROM facts JOIN texts ON texts.id = text ORDER BY key"
        facts = dict(database.execute(joined)) | {fact: text}
        [arrays] = database.execute("SELECT arrays FROM entries").fetchone()
        where = "WHERE id = (SELECT text FROM facts WHERE key = ?)"
        database.execute(f"UPDATE texts SET json = ? {where}", (text, fact))
        checksum = _checksum("iggi", "a", facts, arrays)
        database.execute("UPDATE entries SET checksum = ?", (checksum,))

    with pytest.raises(HoadError, match=r"games\.sqlite: damaged \(iggi/a: (?!wrong checksum)"):
        file.find("iggi", "a")


@pytest.mark.parametrize(
    "content", [b"scores", b"PK\x03\x04" + bytes(500), b"SQLite format 3\0", b"\x89HDF\r\n" * 90]
)
def test_another_file_is_refused_by_name_and_not_written_to(tmp_path: Path, content: bytes) -> None:
    file = kept_file(tmp_path)
    file.path.write_bytes(content)

    for use in (lambda: file.folders(), lambda: file.add(entry("a"))):
        with pytest.raises(HoadError, match=r"games\.sqlite: .*remove it"):
            use()
    assert file.path.read_bytes() == content


def test_a_file_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    file = kept_file(tmp_path)
    file.add(*(entry(f"{number}", text=f"{number}" * 5000) for number in range(20)))
    whole = file.path.read_bytes()
    file.path.write_bytes(whole[: len(whole) // 2])

    with pytest.raises(HoadError, match=r"games\.sqlite: damaged .*restore it"):
        file.in_folder("iggi")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE games (score)",
        "CREATE TRIGGER mine AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
        "CREATE VIEW mine AS SELECT * FROM entries",
        "PRAGMA application_id = 1",
        "ALTER TABLE entries RENAME TO others",
    ],
)
def test_databases_of_other_programs_are_refused(tmp_path: Path, statement: str) -> None:
    file = kept_file(tmp_path)
    file.add(entry("a"))
    database = sqlite3.connect(file.path, isolation_level=None)
    database.execute(statement)
    database.close()

    with pytest.raises(HoadError, match=r"not the games of a table; remove it"):
        file.find("iggi", "a")
    with pytest.raises(HoadError, match=r"not the games of a table; remove it"):
        file.add(entry("b"))


def test_a_file_that_another_program_locks_is_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("hoad.core.kept._PATIENCE", 0.1)
    file = kept_file(tmp_path)
    file.add(entry("a"))
    other = sqlite3.connect(file.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    with pytest.raises(HoadError, match=r"games\.sqlite: .*locked; another program uses it"):
        file.add(entry("b"))

    other.close()
    assert file.names("iggi") == ["a"]


def test_links_pipes_and_folders_are_refused_also_beside_a_file(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_bytes(b"")
    places = [tmp_path / name / "games.sqlite" for name in ("link", "pipe", "folder")]
    for place in places:
        place.parent.mkdir()
    places[0].symlink_to(target)
    os.mkfifo(places[1])
    places[2].mkdir()

    for place in places:
        with pytest.raises(HoadError, match=r"games\.sqlite: not a plain file"):
            KeptFile(place, "games").add(entry("a"))
    assert target.read_bytes() == b""
    file = kept_file(tmp_path)
    file.add(entry("a"))
    for suffix in ("-journal", "-wal"):
        os.mkfifo(f"{file.path}{suffix}")
        for use in (lambda: file.names("iggi"), lambda: file.add(entry("b"))):
            with pytest.raises(HoadError, match=rf"{suffix}: not a plain file"):
                use()
        os.remove(f"{file.path}{suffix}")


def test_arrays_that_expand_beyond_measure_are_refused(tmp_path: Path, monkeypatch) -> None:
    file = kept_file(tmp_path)
    monkeypatch.setattr("hoad.core.kept._MOST_BYTES", 1000)
    file.add(Kept("iggi", "a", {}, {"scores": np.zeros(1000)}))

    with pytest.raises(HoadError, match=r"iggi/a: arrays cut short, or too long"):
        file.find("iggi", "a")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    with pytest.raises(HoadError, match=r"games\.sqlite: .*Permission denied"):
        kept_file(tmp_path).add(entry("a"))
