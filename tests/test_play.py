"""The command with which a person plays: what it refuses. Games are tested in tests/human."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hoad.core.files import only_writer
from hoad.human.door import listen
from tests.scripts import assert_refused, runner_here

run = runner_here("play.py")


def test_an_unknown_agent_is_refused(tmp_path: Path) -> None:
    assert_refused(run("--agent", "igi", "--out", tmp_path), "igi", "iggi")


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with listen(0) as taken:
        port = taken.getsockname()[1]
        assert_refused(run("--port", port, "--out", tmp_path), f"port {port} is in use", "--port")


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    with only_writer(tmp_path):
        assert_refused(run("--port", 0, "--out", tmp_path), tmp_path)


def test_a_damaged_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text("{}\n")

    assert_refused(run("--port", 0, "--out", tmp_path), tmp_path / "games.jsonl", "line 1")


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "websockets"])
def test_a_missing_package_is_named_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str
) -> None:
    find: Callable[..., Any] = importlib.util.find_spec
    monkeypatch.setattr(
        "hoad.commands.play.find_spec", lambda name: None if name == package else find(name)
    )

    assert_refused(run("--out", tmp_path), package, "pip install 'hoad[play]'")
