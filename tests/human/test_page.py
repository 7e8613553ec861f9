"""The page in a browser: what a person sees, clicks and types."""

import itertools
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from hoad.core.errors import HoadError
from hoad.human.session import Session
from hoad.replay.formats.convert import import_games
from hoad.watch.page import page_of
from hoad.watch.story import story_of
from tests.agents.own_agent import write_agent
from tests.human.tables import Table, port_of, served, watching
from tests.scripts import ROOT, command

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

HINTS = '.hints button:not([aria-disabled="true"])'
MY_TURN = "#message.turn"

DESKS: tuple["ViewportSize", ...] = ({"width": 1280, "height": 800}, {"width": 1366, "height": 768})
PHONE: "ViewportSize" = {"width": 390, "height": 844}
SCREENS = (*DESKS, PHONE)

FITS = """() => {
    const isInside = (node) => {
        const { top, bottom, left, right } = node.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
    };
    const needed = "#partner, #mine, #table, #log, #discards, #steps, [data-move]";
    const scrolls = (node) => node.scrollHeight > node.clientHeight;
    return document.documentElement.scrollHeight <= innerHeight
        && ![...document.querySelectorAll("#view, #record, #discards")].some(scrolls)
        && [...document.querySelectorAll(needed)].every(isInside);
}"""
"""Whether the page does not scroll, and shows the table, the log, the discards and all buttons."""

UNCOVERED = """() => [...document.querySelectorAll("#view .card")].every((card) => {
    const { bottom } = card.querySelector(".face").getBoundingClientRect();
    const below = [...card.querySelectorAll(".note, .known")];
    const symbols = [...card.querySelectorAll(".face *")];
    return below.every((node) => node.getBoundingClientRect().top >= bottom - 1)
        && symbols.every((node) => node.getBoundingClientRect().bottom <= bottom + 1);
})"""
"""Whether notes and what holders know cover no rank and no symbol of a card."""

COUNTS_IN_A_ROW = """(() => {
    const counts = [...document.querySelectorAll("#table [data-count]")];
    const top = (node) => Math.round(node.getBoundingClientRect().top);
    return counts.filter((node) => top(node) === top(counts[0])).map((node) => node.dataset.count);
})()"""
"""The counts below the fireworks that stand in the row of the first."""

PENCILS_AS_RANKS = """[...document.querySelectorAll(".note.empty")].every((pencil) => {
    const face = pencil.parentNode.querySelector(".face");
    return getComputedStyle(pencil).color === getComputedStyle(face).color;
})"""
"""Whether the pencils on cards have the colour of the ranks, which can be seen on the card."""

TURNS_THAT_FIT = f"""() => review.positions.map((_, turn) => {{
    goTo(review, turn, render);
    return ({FITS})();
}})"""

REFUSED = re.compile(r"WebSocket connection to .* failed")
"""What the browser writes while it tries to connect to a server that has stopped."""


@contextmanager
def opened(browser: "Browser", address: str, **options: Any) -> Iterator["Page"]:
    """Open the page in a tab of its own; complaints of the page fail the test."""
    complaints: list[str] = []
    with browser.new_context(**options) as context:
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda told: complaints.append(told.text))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(address)
        yield page
    assert [told for told in complaints if not REFUSED.match(told)] == []


def turn_of(page: "Page") -> int:
    return int(page.evaluate("state.position.turn"))


def wait_until(page: "Page", expression: str) -> None:
    """Wait for what a script in the page would see.

    The page forbids scripts made of strings (its Content-Security-Policy), and so
    `wait_for_function` after its first look.
    """
    deadline = time.monotonic() + 60
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, f"not within a minute: {expression}"
        page.wait_for_timeout(20)


def labels(page: "Page") -> list[str]:
    """What is read out of the cards, piles and buttons."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#view [aria-label]')].map((node) => node.ariaLabel)"
    )
    return found


def make_move(page: "Page", selector: str) -> None:
    """Click, and wait for the agent's answer or the end of the game."""
    turn = turn_of(page)
    page.locator(selector).first.click()
    wait_until(page, f"!state.playing || state.position.turn >= {turn + 2}")


def drag(page: "Page", *places: float) -> list[str]:
    """Drag the slider from its start to places from 0 to 1; what it says at each."""
    page.locator("[data-key=slider]").press("Home")
    box = page.locator("[data-key=slider]").bounding_box()
    assert box
    height, said = box["y"] + box["height"] / 2, []
    page.mouse.move(box["x"] + 4, height)
    page.mouse.down()
    for place in places:
        page.mouse.move(box["x"] + place * box["width"], height, steps=5)
        said.append(page.locator("output").inner_text())
    page.mouse.up()
    return said


def test_a_whole_game_is_played_by_clicking(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path) as address, opened(browser, address, viewport=DESKS[1]) as page:
        page.locator('[data-agent="iggi"]').click()
        page.locator("[data-key=begin]").click()
        page.wait_for_selector(MY_TURN)
        while page.evaluate("state.playing"):  # until the third life is lost
            assert page.evaluate(FITS)
            make_move(page, "[data-move='5']")
        page.wait_for_selector("#result")
        [game] = Session(tmp_path).games

        assert game.hle_score == 0
        assert f"{game.score} of 25" in page.locator("#result").inner_text()
        assert f"strict score {game.hle_score}" in page.locator("#result").inner_text()
        assert page.locator("#mine [data-card=hidden]").count() == 0
        assert page.locator("#learned td").count() >= 6
        assert page.locator("output").inner_text() == f"{game.turns} / {game.turns}"

        page.locator("[data-key=slider]").press("Home")
        assert page.locator("output").inner_text() == f"0 / {game.turns}"
        page.locator("[data-key=next]").click()
        page.locator("body").press("ArrowRight")
        assert page.locator("output").inner_text() == f"2 / {game.turns}"
        turns = game.turns or 0
        assert drag(page, 0.6, 1.0) == [f"{round(0.6 * turns)} / {turns}", f"{turns} / {turns}"]

        link = page.locator("[data-key=link]")
        assert str(link.get_attribute("href")).startswith("https://hanab.live/shared-replay-json/")
        with page.expect_download() as download:
            page.locator("[data-key=json]").click()
        download.value.save_as(tmp_path / "game.json")
    imported = import_games(tmp_path / "game.json", tmp_path / "game.h5")
    assert imported.names.tolist() == [["person", "iggi"]]


def test_a_second_tab_watches_and_takes_over(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path, agent="iggi") as address, opened(browser, address) as first:
        first.wait_for_selector(MY_TURN)
        with opened(browser, address) as second:
            second.wait_for_selector("#mine")
            assert second.locator("#connection").inner_text() == "watching"
            assert second.locator("[data-move]").count() == 0

            make_move(first, HINTS)
            wait_until(second, "state.position.turn === 2")
            first.close()
            second.wait_for_selector("[data-move]")

            make_move(second, HINTS)


def test_an_open_page_goes_on_when_a_server_starts_again(
    browser: "Browser", tmp_path: Path
) -> None:
    words = ("--out", tmp_path, "--seed", 3)
    begun = started(*words, "--port", 0, "--agent", "iggi")
    with begun as (server, address), opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        make_move(page, "[data-move='5']")
        before = labels(page)
        server.kill()
        page.wait_for_selector("#message.alarm")
        assert "Start it again" in page.locator("#message").inner_text()
        page.evaluate("window.isTheSamePage = true")

        with started(*words, "--port", port_of(address)) as (server, same_address):
            page.wait_for_selector(MY_TURN, timeout=60_000)  # by itself
            assert same_address == address
            assert page.evaluate("window.isTheSamePage")
            assert turn_of(page) == 2
            assert labels(page) == before
            make_move(page, HINTS)
            server.send_signal(signal.SIGINT)
            _, told = server.communicate(timeout=20)

    assert server.returncode == 0
    assert re.fullmatch(r"(compiling.*\n)*Stopped\. The game goes on .*\n", told)


@contextmanager
def started(*words: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the program; yield it and the address that it prints."""
    pipe = subprocess.PIPE
    started = subprocess.Popen(
        command("play.py", *words), stdout=pipe, stderr=pipe, text=True, cwd=ROOT
    )
    with started as server:
        assert server.stdout
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            yield server, found[0]
        finally:
            server.kill()


def test_illegal_moves_say_why_and_moves_made_by_keys_stay_after_a_reload(
    browser: "Browser", tmp_path: Path
) -> None:
    with served(tmp_path, agent="iggi") as address, opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        off = page.locator("[data-move][aria-disabled=true]")

        for button in off.all():
            button.click(force=True)
            assert page.locator("#message.alarm").inner_text() == button.get_attribute("title")
        for key in "d1":
            page.keyboard.press(key)
        assert "tokens" in page.locator("#message.alarm").inner_text()
        assert off.count() > 5
        assert turn_of(page) == 0
        assert Session(tmp_path).actions == []

        for turn, keys in ((2, ("Escape", "p", "2")), (4, ("h", "Escape", "d", "4"))):
            for key in keys:
                page.keyboard.press(key)
            # The message alone may still be of the turn before.
            wait_until(page, f"state.position.turn === {turn}")
            page.wait_for_selector(MY_TURN)
        made = page.evaluate("state.made.map((made) => moveName(made.move))")
        assert made[0::2] == ["play card 2", "discard card 4"]

        before = page.locator("#view").inner_text()
        page.reload()
        page.wait_for_selector(MY_TURN)
        assert page.locator("#view").inner_text() == before
        make_move(page, HINTS)


def test_beliefs_are_shown_beside_the_table(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path, agent="search:iggi") as address, opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        make_move(page, HINTS)
        page.wait_for_selector("#panel-belief .bar")
        assert page.locator("#panel-thought .bar").count() == 0  # switched off: it gives cards away
        for panel in ("odds", "thought"):
            page.locator(f"#panel-{panel} input").check()

        assert page.locator("#panel-odds .grid").count() == 15  # mine as two see them
        assert page.locator("#panel-thought .bar").count() > 10
        assert page.locator("#panel-thought .chosen").count() == 1
        numbers = page.locator("#panel-thought .intervals .number").all_inner_texts()
        assert all(re.fullmatch(r"[0-9.]+ ± [0-9.]+", number) for number in numbers)
        page.reload()
        page.wait_for_selector("#panel-odds .grid")


def test_a_thought_that_cannot_be_recorded_is_asked_for_once_a_turn(
    browser: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = mock.Mock(side_effect=HoadError("no space"))
    monkeypatch.setattr(Session, "record_shown", record)
    with served(tmp_path, agent="iggi") as address, opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        page.locator("#panel-thought input").check()
        for turn in (1, 2):
            make_move(page, HINTS)
            wait_until(page, "notice !== null")
            page.wait_for_timeout(200)

            assert record.call_count == turn


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_a_desk_in_light_and_dark(
    browser: "Browser", tmp_path: Path, width: int, scheme: str
) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(20)
    options: dict[str, Any] = {"viewport": {"width": width, "height": 740}, "color_scheme": scheme}
    with served(tmp_path) as address, opened(browser, address, **options) as page:
        page.wait_for_selector(MY_TURN)
        bright = "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0] > 128"

        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(COUNTS_IN_A_ROW) == ["Score", "Hints", "Lives", "Deck", "Pace"]
        assert page.evaluate(bright) == (scheme == "light")
        page.locator("#theme-button").click()  # from the system's choice to light
        assert page.evaluate(bright)
        unnamed = page.locator("button:not([aria-label]), [role=img]:not([aria-label])")
        assert all(button.inner_text().strip() for button in unnamed.all())


def test_the_end_of_a_game_and_its_whole_review_fit_on_a_desk(
    browser: "Browser", tmp_path: Path
) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(50)
    desks = itertools.cycle(DESKS)
    with served(tmp_path) as address, opened(browser, address, viewport=next(desks)) as page:
        page.wait_for_selector(MY_TURN)
        while page.evaluate("state.playing"):
            turn = turn_of(page)
            assert page.evaluate(FITS), turn
            page.set_viewport_size(next(desks))
            assert page.evaluate(FITS), turn
            assert page.locator("#log li i").count() == turn
            page.evaluate(f"document.querySelector(`{HINTS}, #mine [data-move='0']`).click()")
            wait_until(page, f"!state.playing || state.position.turn === {turn + 2}")
        page.wait_for_selector("#result")

        for _ in DESKS:
            fits = page.evaluate(TURNS_THAT_FIT)
            assert len(fits) > 50 and all(fits)
            page.set_viewport_size(next(desks))


def test_notes_stay_on_cards_and_in_the_record(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path, agent="iggi") as address, opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        for key in ("n", "2", *"blue?", "Enter"):
            page.keyboard.press(key)
        page.wait_for_selector("#mine .note:not(.empty)")
        page.reload()
        page.wait_for_selector("#mine .note:not(.empty)")

        assert page.locator("#mine .note").all_inner_texts() == ["✎", "blue?", "✎", "✎", "✎"]
        assert page.evaluate(PENCILS_AS_RANKS)
        make_move(page, "[data-move='5']")  # the note stays on its card, which is the first now
        assert page.locator("#mine .note").nth(0).inner_text() == "blue?"
        page.locator("#give-up").click()
        page.wait_for_selector("#result")
        page.keyboard.press("Home")
        assert page.locator("#mine .note").all_inner_texts() == ["blue?"]
        page.keyboard.press("End")
        page.set_viewport_size(PHONE)
        assert page.evaluate(UNCOVERED)

    [game] = Session(tmp_path).games
    assert game.card_notes == {"1": "blue?"}


def test_it_says_that_a_game_without_a_move_of_the_person_is_not_recorded(
    browser: "Browser", tmp_path: Path
) -> None:
    with served(tmp_path, agent="iggi") as address, opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        page.locator("#give-up").click()
        page.wait_for_selector("#agents")
        assert "nothing was recorded" in page.locator("#message").inner_text()

    assert Session(tmp_path).games == []


def test_the_lobby_lists_agents_by_name_family_and_score_and_names_an_unknown_one(
    browser: "Browser", tmp_path: Path
) -> None:
    with served(tmp_path) as address, opened(browser, address) as page:
        row = page.locator('#agents tr:has([data-agent="iggi"])')
        row.wait_for()  # the page asks for the agents

        assert row.locator("td").all_inner_texts() == ["iggi", "Walton-Rivers et al. 2017", "17.1"]
        cheat = page.locator('#agents tr:has([data-agent="cheatbot"])')
        assert "sees its own cards" in cheat.inner_text()
        assert "search:iggi" in page.locator("#agents th[colspan]").inner_text()
        page.set_viewport_size(PHONE)
        assert page.evaluate("element('agents').scrollWidth === element('agents').clientWidth")
        page.locator("#agent").fill("search:nobody")
        page.locator("#agent").press("Enter")
        assert "nobody" in page.locator("#message.alarm").inner_text()


def test_folders_are_left_out_of_the_names_of_agents(browser: "Browser", tmp_path: Path) -> None:
    agent = write_agent(tmp_path)
    with served(tmp_path, agent=agent) as address, opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        make_move(page, HINTS)

        assert page.locator("#partner h2").inner_text().startswith("python:mine.py:Mine's hand")
        assert page.locator("#log .who").first.inner_text() == "python:mine.py:Mine"
        assert page.evaluate("state.agent") == agent


ODDS = """Object.fromEntries([...document.querySelectorAll("#panel-odds h3")].map((title) => {
    const grids = [...title.nextElementSibling.querySelectorAll(".grid")];
    return [title.textContent, grids.map((grid) => grid.ariaLabel)];
}))"""
"""What cards may be, by the titles of the grids."""


def test_the_review_shows_what_the_table_has_shown_of_the_cards(
    browser: "Browser", tmp_path: Path
) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(8)
    with served(tmp_path) as address, opened(browser, address) as page:
        page.wait_for_selector(MY_TURN)
        at_the_table = page.evaluate(ODDS)
        page.locator("#give-up").click()
        page.wait_for_selector("#result")
        reviewed = page.evaluate(ODDS)
        assert page.locator("output").inner_text() == "8 / 8"

    assert len(at_the_table) == 3 and len(reviewed) == 4  # the partner's cards as it sees them, too
    assert at_the_table.items() <= reviewed.items()
    assert all(len(labels) == 5 for labels in reviewed.values())


CUT_OFF = """[...document.querySelectorAll("main .box")].flatMap((box) => {
    const { left, right } = box.getBoundingClientRect(), text = document.createRange();
    const isOutside = (line) => line.left < left || line.right > right;
    const named = "h2, h3, .switch, .bars .name, #log .who, #games td, #learned td";
    return [...box.querySelectorAll(named)].filter((node) => {
        text.selectNodeContents(node);
        return node.scrollWidth > node.clientWidth && node.clientWidth > 0
            || [...text.getClientRects()].some(isOutside);
    });
}).map((node) => node.textContent)"""
"""The headings and names that cannot be read whole."""

LONG_NAMES = "noisy:0.2:canaan-van-den-bergh", f"rules:{','.join(map(str, range(20)))}"


@pytest.mark.parametrize("agent", LONG_NAMES)
def test_long_names_of_agents_are_shown_whole(
    browser: "Browser", tmp_path: Path, agent: str
) -> None:
    table = Table(tmp_path)
    table.begin(agent)
    table.finish()
    with served(tmp_path) as address, opened(browser, address) as page:
        page.locator("[data-key=review-0]").wait_for()
        for size in SCREENS:
            page.set_viewport_size(size)
            assert page.evaluate(CUT_OFF) == [], size
        page.locator("[data-key=review-0]").click()
        page.wait_for_selector("#result")
        page.keyboard.press("Home")
        assert "canaan-van-den-bergh" in page.locator("#panel-belief .name").all_inner_texts()
        for size in SCREENS:
            page.set_viewport_size(size)
            assert page.evaluate(CUT_OFF) == [], size


LOOKS = """[...document.querySelectorAll("#view .card, #view .pile")].map((node) => [
    node.dataset.card, node.querySelector("path").getAttribute("d"),
    getComputedStyle(node.querySelector(".face") || node).backgroundColor].join()).sort()"""
"""The symbols and colours of cards and fireworks."""


def test_reviews_and_watched_games_are_one_component(browser: "Browser", tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.finish()
    story = story_of([str(tmp_path / "games.jsonl")], seed=0, game=0)
    html = tmp_path / "game.html"
    html.write_text(page_of(story, story.told()))
    seen = []
    with served(tmp_path) as address, opened(browser, address) as page:
        page.locator("[data-key=review-0]").click()
        page.wait_for_selector("#result")
        page.keyboard.press("Home")
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        seen.append((page.locator("output").inner_text(), page.evaluate(LOOKS)))
        log = page.locator("#log li").all_inner_texts()
        assert page.locator("#log [aria-current]").inner_text().startswith("12")

    requests: list[str] = []
    with opened(browser, html.as_uri(), offline=True) as page:
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        seen.append((page.locator("output").inner_text(), page.evaluate(LOOKS)))
        by_name = page.locator("#log li").all_inner_texts()
        page.locator("#help-button").click()
        told = page.locator("#help").inner_text()
        assert "useless" in told and "write a note" not in told
        page.keyboard.press("Escape")
        page.locator("#log button").last.click()
        assert page.locator("output").inner_text().startswith("1 / ")
        assert page.locator("#log .later").count() == len(log) - 1
        page.locator("#log button").first.click()  # forward, to the end
        assert page.locator("output").inner_text() == f"{len(log)} / {len(log)}"

    assert seen[0] == seen[1]
    assert len(log) == len(by_name) == len(story.turns) - 1
    assert requests == [html.as_uri()]


def test_two_agents_play_while_a_person_watches(browser: "Browser") -> None:
    with watching("iggi", "simplebot", seed=3) as address, opened(browser, address) as page:
        page.keyboard.press("End")
        turn, _, turns = page.locator("output").inner_text().partition(" / ")
        assert turn == turns and int(turn) > 20
        assert "iggi" in page.locator("#partner h2").inner_text()
        assert "simplebot" in page.locator("#mine h2").inner_text()

        page.get_by_text("Next game").click()
        page.wait_for_url("**/?game=1")
        assert "game 1, seed 3" in page.locator("#title").inner_text()

        page.keyboard.press("End")
        page.locator("[data-key=run]").click()  # to the next game, which runs too
        page.wait_for_url("**/?game=2#run")
        page.locator("output", has_text=re.compile("^1 / ")).wait_for()


def test_after_three_games_the_page_tells_of_the_person(browser: "Browser", tmp_path: Path) -> None:
    table = Table(tmp_path)
    for _ in range(3):
        table.begin("iggi")
        table.finish()

    with served(tmp_path) as address, opened(browser, address) as page:
        page.wait_for_selector("#you")
        told = page.locator("#you").inner_text()
        page.locator('#experience [data-key="No"]').click()
        wait_until(page, "state.played_before === false")
        page.wait_for_selector("#experience", state="detached")

    assert re.search(r"P\d{3} plays most like you", told)
    assert "Your last 3 games" in told
    assert re.search(r"more or less than other people\n.+ \((more|less), .\d\.\d SD\)", told)
    assert Session(tmp_path).played_before is False
