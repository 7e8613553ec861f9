import io
import sys

import pytest

from hoad.core.progress import counted, progress


def test_counted_items_are_those_given() -> None:
    assert list(counted(iter("ab"), [3, 4], "letters", "games")) == ["a", "b"]


def test_each_item_has_a_size() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(counted(iter("ab"), [3], "letters", "games"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_counts_whole_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    with progress(4_000, "training", "steps") as bar:
        bar.update(2_900)
        bar.refresh()
        bar.set_postfix(loss=0.5)

    assert "training: 2,900 of 4,000 steps |" in terminal.getvalue()
    assert "left, loss=0.5" in terminal.getvalue()


def test_a_bar_of_items_without_a_number_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    assert list(progress(iter("abc"), "reading", "games")) == ["a", "b", "c"]

    assert "reading: 3 games, " in terminal.getvalue()
