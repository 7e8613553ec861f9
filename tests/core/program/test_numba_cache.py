"""Compiled code is shared by all checkouts, but never used after a source has changed."""

import ast
import os
import shutil
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import hoad
from hoad.core.program import numba_cache

PACKAGE = Path(hoad.__file__).parent

PROGRAM = """
import os
import hoad
from numba.core import event
with event.install_recorder("numba:compile") as compiled:
    from hoad.game.deck import shuffled_deck
    from hoad.game.state import full_game
    print(shuffled_deck(full_game().full_deck(), 0, 0).tolist())
print(len(compiled.buffer) // 2, "NUMBA_CACHE_LOCATOR_CLASSES" in os.environ)
print(os.path.dirname(hoad.__file__))
"""


class Run(NamedTuple):
    deck: str
    compiled: int
    package: Path


def run(folder: Path, cache: Path) -> Run:
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment |= {"HOAD_CACHE": str(cache), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    deck, counted, package = done.stdout.splitlines()
    compiled, leaked = counted.split()
    assert leaked == "False"  # other programs, which this one starts, do without
    return Run(deck, int(compiled), Path(package))


def test_two_checkouts_share_compiled_code_until_one_changes(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for name in "ab":
        ignored = shutil.ignore_patterns("__pycache__", "shipped")
        shutil.copytree(PACKAGE, tmp_path / name / "hoad", ignore=ignored)

    first, second = run(tmp_path / "a", cache), run(tmp_path / "b", cache)
    callee = second.package / "game" / "stream.py"
    callee.write_text(callee.read_text().replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"))
    changed, as_before = run(tmp_path / "b", cache), run(tmp_path / "a", cache)

    assert (first.package, second.package) == (tmp_path / "a/hoad", tmp_path / "b/hoad")
    assert first.compiled > 5
    assert second.compiled == as_before.compiled == 0
    assert first.deck == second.deck == as_before.deck != changed.deck
    assert len(list(cache.iterdir())) == 2  # a change of one checkout leaves the other's code
    assert not list(tmp_path.glob("*/hoad/**/*.nbc"))


def folder_of(**environment: str) -> subprocess.CompletedProcess[str]:
    program = "from hoad.core.program.numba_cache import shared_folder; folder = shared_folder()"
    program += "; assert folder == shared_folder() and folder.is_dir(); print(folder)"
    command, environ = [sys.executable, "-c", program], os.environ | environment
    return subprocess.run(
        command, cwd=PACKAGE.parent, env=environ, capture_output=True, text=True, check=True
    )


def test_without_a_folder_that_can_be_written_a_line_says_so_and_nothing_stays(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "temporary").mkdir()

    done = folder_of(HOAD_CACHE=str(tmp_path / "file/x"), TMPDIR=str(tmp_path / "temporary"))

    assert done.stdout.startswith(str(tmp_path / "temporary"))
    assert done.stderr.count("\n") == 1
    assert "Not a directory" in done.stderr and "HOAD_CACHE" in done.stderr
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"HOAD_CACHE": "own", "XDG_CACHE_HOME": "/else"}, "own"),
        ({"HOAD_CACHE": "", "XDG_CACHE_HOME": "{tmp}/caches"}, "caches/hoad"),
        ({"HOAD_CACHE": "", "XDG_CACHE_HOME": "relative", "HOME": "{tmp}"}, ".cache/hoad"),
    ],
)
def test_the_folder_is_the_named_one_or_in_that_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in environment.items():
        monkeypatch.setenv(name, value.format(tmp=tmp_path))

    assert numba_cache._root() == tmp_path / folder


def test_code_of_a_checkout_that_nobody_has_used_for_a_month_goes(tmp_path: Path) -> None:
    old, used, foreign = f"numba-{'0a' * 8}", f"numba-{'1b' * 8}", ("others", "numba-of-others")
    ages = {old: 31, used: 29} | dict.fromkeys(foreign, 31)  # days
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        then = time.time() - days * 24 * 3600
        os.utime(tmp_path / name, (then, then))

    new = Path(folder_of(HOAD_CACHE=str(tmp_path)).stdout.strip())

    assert {path.name for path in tmp_path.iterdir()} == {used, *foreign, new.name}
    then = time.time() - 29 * 24 * 3600
    os.utime(new, (then, then))
    folder_of(HOAD_CACHE=str(tmp_path))
    assert time.time() - new.stat().st_mtime < 3600  # a program that uses it says so


@cache
def _imported(module: Path) -> set[Path]:
    """Return the files that are imported before the body of a module goes on."""
    files = set()
    for node in ast.parse(module.read_text()).body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            path = PACKAGE.parent.joinpath(*name.split("."))
            files |= {path.with_suffix(".py"), path / "__init__.py"}
    files |= {folder / "__init__.py" for folder in module.parents}
    return {file for file in files if file.is_relative_to(PACKAGE) and file.is_file()}


def test_all_compiled_modules_import_first_what_lets_numba_share() -> None:
    for module in PACKAGE.rglob("*.py"):
        if "numba import" not in module.read_text() or module.parent.name == "program":
            continue
        seen, new = set(), {module}
        while new:
            seen |= new
            new = set().union(*map(_imported, new)) - seen
        assert PACKAGE / "core" / "program" / "compiling.py" in seen, module
