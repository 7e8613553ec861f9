"""The command with which a person plays: what it refuses. Games are tested in tests/human."""

import importlib.util
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from hoad.commands import play
from hoad.core.files import only_writer
from hoad.core.program import signals
from hoad.human.door import address_of, listen
from hoad.human.session import Session
from tests.scripts import assert_refused, runner_here

run = runner_here("play.py")


def test_a_port_or_a_folder_in_use_and_a_damaged_folder_are_refused(tmp_path: Path) -> None:
    with listen(0) as taken:
        port = taken.getsockname()[1]
        assert_refused(run("--port", port, "--out", tmp_path), f"port {port} is in use", "--port")
    with only_writer(tmp_path):
        assert_refused(run("--port", 0, "--out", tmp_path), tmp_path)
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


def test_the_page_ends_as_after_ctrl_c_if_preparing_fails_because_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("half a function")

    monkeypatch.setattr(signals, "_interrupted", threading.Event())
    monkeypatch.setattr(play, "_prepared", broken)

    with pytest.raises(RuntimeError, match="half a function"):
        play.play(out=tmp_path, port=0)
    signals._interrupted.set()  # the interrupt was dropped while numba compiled
    play.play(out=tmp_path, port=0)

    assert capsys.readouterr().err.startswith("Stopped.")


@pytest.mark.parametrize(("agent", "lines"), [("piers", 2), ("iggi", 1), (None, 1)])
def test_an_agent_that_an_unfinished_game_keeps_waiting_is_told_of(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    agent: str | None,
    lines: int,
) -> None:
    (session := Session(tmp_path)).begin("iggi")
    monkeypatch.setattr(play, "_prepared", lambda *_: session)
    monkeypatch.setattr("hoad.human.server.make_server", mock.Mock())

    play.play(agent=agent, out=tmp_path, port=0)

    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == lines
    assert lines == 1 or all(name in printed[1] for name in ("iggi", "piers"))


@pytest.mark.parametrize(
    "words", [["--watch", "iggi"], ["--watch", "iggi", "piers", "--agent", "iggi"]]
)
def test_watching_takes_two_agents_and_no_partner(words: list[str], tmp_path: Path) -> None:
    assert_refused(run(*words, "--port", 0, "--out", tmp_path), "--watch", "two agents")


def test_the_browser_is_told_the_address_by_a_file_that_the_user_alone_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)

    with listen(0) as listening:
        play._announce("Play", listening, "secret", tmp_path)
        address = address_of(listening, "secret")

    [page] = tmp_path.iterdir()
    assert opened == [page.as_uri()] and "secret" not in opened[0]
    assert f"url={address}" in page.read_text()
    assert page.stat().st_mode & 0o777 == 0o600
