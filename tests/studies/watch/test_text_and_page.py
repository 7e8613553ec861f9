"""A game as text for a terminal, and as a page to keep."""

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hoad.studies.watch.page import page_of
from hoad.studies.watch.story import Story, story_of
from hoad.studies.watch.text import WIDTH, Style, style_of, text_of
from hoad.studies.watch.thoughts import Thought
from tests.scripts import run_here


@pytest.fixture(scope="module")
def story() -> Story:
    return story_of(["noisy:0.2:iggi", "bayes-moves:iggi+piers"], seed=1, game=0)


class Terminal(io.TextIOWrapper):
    """A stream that is a terminal."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding)

    def isatty(self) -> bool:
        return True


def test_text_is_plain_and_fits_into_80_columns(story: Story) -> None:
    parts = list(text_of(story, story.told(), Style()))

    assert len(parts) == len(story.turns) + 2
    text = "\n".join(parts)
    assert text.isascii()
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_long_names_fit_into_80_columns(story: Story) -> None:
    name = "rules:" + ",".join(map(str, range(90)))
    named = Story((name, f"{name} {name}"), name, story.turns, story.agents)
    thought = Thought(((0, 1.0),), partner=((name, 0.6), ("iggi", 0.4)))

    parts = list(text_of(named, ((turn, thought) for turn in story.turns), Style(unicode=True)))

    assert max(len(line) for part in parts for line in part.splitlines()) <= WIDTH
    assert "rules:0,1,2" in parts[5]


def test_every_turn_shows_both_hands_and_the_move(story: Story) -> None:
    _, *parts, _ = text_of(story, story.told(), Style())

    for turn, part in zip(story.turns, parts, strict=True):
        rows = {line[:10].strip(): line[10:].split() for line in part.splitlines()}
        for player, hand in enumerate(turn.view.hands):
            assert len(rows[f"player {player}"]) == len(hand)
        if turn.move:
            assert part.splitlines()[-1].startswith(f"player {turn.view.player}: ")
            assert "moves" in rows


def test_colours_are_extra(story: Story) -> None:
    plain = list(text_of(story, story.told(), Style()))
    coloured = list(text_of(story, story.told(), Style(colours=True)))

    assert "".join(coloured).count("\x1b[") > 100
    assert [re.sub(r"\x1b\[\d+m", "", part) for part in coloured] == plain


@pytest.mark.parametrize(
    ("no_colour", "encoding", "expected"),
    [
        ("", "utf-8", Style(colours=True, unicode=True)),
        ("1", "utf-8", Style(colours=False, unicode=True)),
        ("", "ascii", Style(colours=True, unicode=False)),
    ],
)
def test_a_terminal_decides_the_style(
    no_colour: str, encoding: str, expected: Style, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", no_colour)
    monkeypatch.setenv("TERM", "xterm")

    assert style_of(Terminal(encoding)) == expected
    assert not style_of(io.TextIOWrapper(io.BytesIO(), encoding)).colours  # a pipe


class Elements(HTMLParser):
    """What a page holds: tags, addresses, its policy, and the texts of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.policy = ""
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self._tag = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self._tag = tag
        self.addresses += [given[key] for key in ("src", "href") if key in given]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]

    def handle_endtag(self, tag: str) -> None:
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag in self.texts:
            self.texts[self._tag].append(data)


def test_a_page_needs_nothing_else_and_runs_its_own_script_alone(story: Story) -> None:
    page = Elements(page_of(story, story.told()))

    assert page.addresses == ["data:,"]
    data, script = page.texts["script"]
    assert len(json.loads(data)["positions"]) == len(story.turns)
    assert page.policy == (
        f"default-src 'none'; style-src '{hash_of(page.texts['style'][0])}'; "
        f"script-src '{hash_of(script)}'; img-src data:"
    )


def hash_of(text: str) -> str:
    """A script's hash as a Content-Security-Policy has it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_a_page_escapes_names() -> None:
    story = story_of(["iggi", "piers"], seed=1, game=0)
    name = "</script><b>&amp;"
    named = Story((name, "piers"), story.source, story.turns, story.agents)

    page = page_of(named, named.told())

    assert name not in page
    data, _ = Elements(page).texts["script"]
    assert json.loads(data)["players"] == [name, "piers"]


def test_the_command_prints_a_game_and_writes_a_page(tmp_path: Path) -> None:
    html = tmp_path / "game.html"

    done = run_here("evaluate.py", "watch", "iggi", "piers", "--seed", 3, "--html", html)

    assert (done.returncode, done.stderr) == (0, "")
    assert "turn 0: player 0, iggi" in done.stdout
    assert html.read_text().startswith("<!doctype html>")
