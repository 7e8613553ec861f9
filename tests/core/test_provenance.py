"""Every result says what it was made with."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hoad import __version__
from hoad.core.provenance import (
    describe_networks,
    forget_networks,
    networks_used,
    note_network,
    provenance,
)
from tests.scripts import ROOT

ASK = "from hoad.core.provenance import provenance; print(provenance()['commit'])"


def commit_seen_from(folder: Path, code: str = ASK) -> str:
    """Ask the copy of hoad in a folder for its commit."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def git(folder: Path, *words: str) -> str:
    me = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    command = ["git", "-C", str(folder), *me, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit_all(folder: Path) -> str:
    """Commit the copy of hoad in a folder, and all else that is there; return the commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=one")
    return git(folder, "rev-parse", "HEAD")


def copy_package(folder: Path) -> Path:
    package = folder / "hoad"
    (package / "core" / "program").mkdir(parents=True)
    files = ("__init__.py", "core/__init__.py", "core/program/__init__.py")
    for name in (*files, "core/program/signals.py", "core/provenance.py"):
        shutil.copy(ROOT / "hoad" / name, package / name)
    return package


def test_versions_and_machine_are_plain_values() -> None:
    record = provenance()

    assert record["hoad"] == __version__
    assert record["python"] == ".".join(map(str, sys.version_info[:3]))
    assert {"date", "command", "numpy", "numba", "torch", "platform", "cpus"} <= set(record)
    assert all(isinstance(value, str | int) for value in record.values())


def test_a_command_of_any_bytes_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["record.py", "info", os.fsdecode(b"caf\xe9.h5")])

    assert str(provenance()["command"]).encode() == rb"record.py info 'caf\udce9.h5'"


def test_commit_of_a_checkout_says_whether_it_was_changed(tmp_path: Path) -> None:
    package = copy_package(tmp_path)
    assert commit_seen_from(tmp_path) == "unknown"
    recipe, result = tmp_path / "results" / "table.toml", tmp_path / "results" / "table" / "a.csv"
    result.parent.mkdir(parents=True)
    for file in (recipe, result):
        file.touch()
    head = commit_all(tmp_path)

    assert commit_seen_from(tmp_path) == head
    result.write_text("made again")
    assert commit_seen_from(tmp_path) == head
    for file in (recipe, package / "core" / "provenance.py"):
        file.open("a").write("\n")
        assert commit_seen_from(tmp_path) == f"{head}-dirty"
        git(tmp_path, "checkout", "--quiet", str(file))


def test_a_program_s_commit_is_that_with_which_it_began(tmp_path: Path) -> None:
    copy_package(tmp_path)
    head = commit_all(tmp_path)
    change = "open('hoad/__init__.py', 'a').write('# changed')"

    seen = commit_seen_from(tmp_path, f"{ASK}; {change}; {ASK}")

    assert seen.split() == [head, head]
    assert commit_seen_from(tmp_path) == f"{head}-dirty"


def test_networks_are_named_with_their_places(tmp_path: Path) -> None:
    forget_networks()
    assert (networks_used(), describe_networks()) == ({}, "")

    first = tmp_path / "imitator" / "iggi" / "model.safetensors"
    note_network("imitator:iggi", first)
    assert describe_networks() == f"Networks: imitator:iggi from {tmp_path}."

    other = tmp_path / "other.safetensors"
    note_network("maml:iggi", other)
    assert networks_used() == {str(first): "imitator:iggi", str(other): "maml:iggi"}
    assert "different trainings" in describe_networks()
    forget_networks()
