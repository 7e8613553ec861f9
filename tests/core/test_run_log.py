"""The log of a run has the lines that its terminal saw; bars of progress."""

import io
import sys
from pathlib import Path

import pytest

from hoad.core.progress import counted, progress
from hoad.core.run_log import LOG, LoggedStream, log_line, log_run, write_log_to


@pytest.fixture
def terminal() -> LoggedStream:
    return LoggedStream(io.BytesIO(), "utf-8")


def log_of(folder: Path) -> list[str]:
    return (folder / LOG).read_text().splitlines()


def test_a_log_begins_with_its_command_and_ends_with_time(
    tmp_path: Path, terminal: LoggedStream
) -> None:
    with log_run("record.py play"):
        terminal.write("before there is a fol")
        terminal.write("der\n")
        write_log_to(tmp_path)
        terminal.write("two\nlines\n")
        log_line("what a bar hides")

    first, *lines, last = log_of(tmp_path)
    assert first.startswith("== ") and first.endswith(" record.py play")
    assert lines == ["before there is a folder", "two", "lines", "what a bar hides"]
    assert last.startswith("== ended after 0 s") and last.endswith(" MiB of memory")


def test_a_bar_is_logged_as_it_was_at_last(tmp_path: Path, terminal: LoggedStream) -> None:
    with log_run("train"):
        write_log_to(tmp_path)
        terminal.write("\rsteps: 1 of 2")
        terminal.write("\rsteps: \x1b[1m2\x1b[0m of 2\n")

    assert log_of(tmp_path)[1:-1] == ["steps: 2 of 2"]


def test_of_a_long_bar_only_the_last_state_is_kept(tmp_path: Path, terminal: LoggedStream) -> None:
    with log_run("train"):
        write_log_to(tmp_path)
        for step in range(1_000):
            terminal.write(f"\rstep {step}")
            terminal.write("\r")
            assert len(terminal._unfinished) <= len("step 999\r")
        terminal.write("\r")
        terminal.write("\n")

    assert log_of(tmp_path)[1:-1] == ["step 999"]


def test_a_long_log_begins_with_the_command_all_the_same(tmp_path: Path) -> None:
    with log_run("record.py play"):
        for line in range(10_001):
            log_line(str(line))
        write_log_to(tmp_path)

    first, second, *_ = log_of(tmp_path)
    assert first.endswith(" record.py play") and second == "1"


def test_runs_in_a_folder_follow_each_other_with_their_exceptions_and_others_keep_no_log(
    tmp_path: Path,
) -> None:
    write_log_to(tmp_path)
    log_line("a line")
    assert not list(tmp_path.iterdir())

    with log_run("first"):
        write_log_to(tmp_path)
    with pytest.raises(ZeroDivisionError), log_run("second"):
        write_log_to(tmp_path)
        1 / 0  # noqa: B018

    log = log_of(tmp_path)
    assert [line.split()[-1] for line in log if line.startswith("== 2")] == ["first", "second"]
    assert "ZeroDivisionError: division by zero" in log


def test_a_file_or_a_link_of_that_name_stays_as_it_is(tmp_path: Path) -> None:
    others = tmp_path / "others.txt"
    others.write_text("== mine\n")
    for name in ("link", "file", "none"):
        (tmp_path / name).mkdir()
    (tmp_path / "link" / LOG).symlink_to(others)
    (tmp_path / "file" / LOG).write_text("my notes\n")

    with log_run("train"):
        for name in ("link", "file", "none"):
            write_log_to(tmp_path / name)
        log_line("a line")

    assert others.read_text() == "== mine\n"
    assert log_of(tmp_path / "file") == ["my notes"]
    assert log_of(tmp_path / "none")[1] == "a line"


def test_counted_items_are_those_given_and_each_has_a_size() -> None:
    assert list(counted(iter("ab"), [3, 4], "letters", "games")) == ["a", "b"]
    with pytest.raises(ValueError, match="shorter"):
        list(counted(iter("ab"), [3], "letters", "games"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_counts_whole_steps_and_items_without_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    with progress(4_000, "training", "steps") as bar:
        bar.update(2_900)
        bar.refresh()
        bar.set_postfix(loss=0.5)
    items = list(progress(iter("abc"), "reading", "games"))

    assert "training: 2,900 of 4,000 steps |" in terminal.getvalue()
    assert "left, loss=0.5" in terminal.getvalue()
    assert items == ["a", "b", "c"]
    assert "reading: 3 games, " in terminal.getvalue()
