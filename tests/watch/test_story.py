"""A watched game: turns, thoughts of agents, text for a terminal and a page to keep."""

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import Agent, get_agent, play
from hoad.agents.follow import follow
from hoad.bayes.matchups import Matchups
from hoad.bayes.moves import BayesMovesAgent
from hoad.core.errors import HoadError
from hoad.game.game import Game
from hoad.game.log import GameLogs, logs_of
from hoad.game.view import move_names, turns_of
from hoad.partners.model import Ensemble
from hoad.replay.formats.convert import import_games
from hoad.replay.formats.jsonl import write_records
from hoad.search.agent import SearchAgent
from hoad.search.effort import Effort
from hoad.watch.page import page_of
from hoad.watch.position import card_odds, moves_made, position
from hoad.watch.story import Story, Thought, story_of, thoughts_of
from hoad.watch.text import WIDTH, Style, style_of, text_of
from tests.game.examples import deck_from
from tests.replay.formats.records import records_of
from tests.scripts import run_here


def test_two_agents_play_the_game_of_the_seed_with_this_number() -> None:
    story = story_of(["iggi", "piers"], seed=5, game=3)

    logs = play([get_agent("iggi"), get_agent("piers")], 1, seed=5, first_game=3)
    assert [turn.move.action for turn in story.turns if turn.move] == logs.actions.tolist()
    assert story.players == ("iggi", "piers")


def test_a_recorded_game_is_told_with_the_thoughts_of_agents_that_are_here(tmp_path: Path) -> None:
    logs = play([get_agent("iggi"), get_agent("iggi")], 2, seed=5)
    write_records(tmp_path / "games.jsonl", records_of(logs, "iggi", "Donald"))

    story = story_of([str(tmp_path / "games.jsonl")], seed=0, game=1)

    with pytest.raises(HoadError, match="no game 2"):
        story_of([str(tmp_path / "games.jsonl")], seed=0, game=2)
    for words in (["iggi"], ["iggi", "iggi", "iggi"], ["iggi", "nobody-here"]):
        with pytest.raises(HoadError):
            story_of(words, seed=0, game=0)
    assert story.agents[1] is None
    told = list(story.told())
    assert len(told) == len(logs.actions_of(1)) + 1
    for turn, thought in told[:-1]:
        assert (thought is None) == (turn.view.player == 1)


def test_a_page_has_the_notes_of_a_person_on_cards(tmp_path: Path) -> None:
    logs = play([get_agent("iggi"), get_agent("iggi")], 1, seed=5)
    [record] = records_of(logs, "iggi", "Donald")
    noted = record.model_copy(update={"card_notes": {"7": "a 5?"}})
    write_records(tmp_path / "games.jsonl", [noted])
    import_games(tmp_path / "games.jsonl", tmp_path / "games.h5")

    for name in ("games.jsonl", "games.h5"):
        story = story_of([str(tmp_path / name)], seed=0, game=0)
        assert json.loads(Elements(page_of(story, [])).texts["script"][0])["notes"] == {"7": "a 5?"}


@pytest.mark.parametrize(
    "name", ["process:touch {mark}", "python:{code}:A", "search:python:{code}:A"]
)
def test_a_recorded_game_starts_no_program(tmp_path: Path, name: str) -> None:
    mark, code = tmp_path / "mark", tmp_path / "code.py"
    code.write_text(f"open({str(mark)!r}, 'w')")
    logs = play([get_agent("iggi"), get_agent("iggi")], 1, seed=5)
    players = ["iggi", name.format(mark=mark, code=code)]
    write_records(tmp_path / "games.jsonl", records_of(logs, *players))

    story = story_of([str(tmp_path / "games.jsonl")], seed=0, game=0)
    list(story.told())

    assert story.players == tuple(players)
    assert story.agents[1] is None
    assert not mark.exists()


def thoughts(agent: Agent, logs: GameLogs, seat: int = 0) -> list[Thought | None]:
    return list(thoughts_of(agent, seat, turns_of(logs.decks[0], logs.actions)))


@pytest.mark.parametrize("name", ["noisy:0.3:iggi", "smartbot"])
def test_an_agent_thinks_when_it_is_to_move_of_the_moves_with_what_it_remembers(name: str) -> None:
    agent = get_agent(name)
    logs = play([get_agent("iggi"), agent], 1, seed=2)
    seats = np.array([[False, True]])

    thinks = [thought is not None for thought in thoughts(agent, logs, seat=1)]
    told = [thought for thought in thoughts(agent, logs, seat=1) if thought]

    assert thinks == [*(turn % 2 == 1 for turn in range(len(logs.actions))), False]
    for thought, decision in zip(told, follow(agent, logs, seats), strict=True):
        expected = decision.weights[0]
        for move, share in thought.moves:
            assert share == pytest.approx(expected[move])
        assert [share for _, share in thought.moves] == sorted(expected[expected > 0])[::-1]


def test_bayes_moves_comes_to_believe_in_its_partner() -> None:
    logs = play([get_agent("bayes-moves:iggi+outer"), get_agent("outer")], 1, seed=3)

    told = [t for t in thoughts(get_agent("bayes-moves:iggi+outer"), logs) if t]

    assert dict(told[0].partner) == pytest.approx({"iggi": 0.5, "outer": 0.5})
    assert dict(told[-1].partner)["outer"] > 0.9
    assert all(sum(share for _, share in t.partner) > 0.98 for t in told)


def test_a_belief_is_in_the_hypotheses_where_the_responses_are_others() -> None:
    names, scores = ("iggi", "outer", "piers"), np.zeros((3, 3))
    known = Matchups(names, scores, scores, np.zeros((3, 3, 2, 2)), roles=(names[2:], names[:2]))
    logs = play([get_agent("piers"), get_agent("outer")], 1, seed=3)

    first, *_ = thoughts(BayesMovesAgent("bayes-moves", known), logs)

    assert first is not None
    assert dict(first.partner) == pytest.approx({"iggi": 0.5, "outer": 0.5})


def test_search_tells_the_expected_score_of_each_move_and_what_its_cards_may_be() -> None:
    iggi = get_agent("iggi")
    effort = Effort(rollouts=400, round=160, particles=40)
    agent = SearchAgent("small", iggi, Ensemble.of(iggi, 0.01), effort)
    played = play([iggi, iggi], 1, seed=4)
    logs = logs_of(2, [played.decks[0]], [played.actions[:3]])

    turns = list(turns_of(logs.decks[0], logs.actions))
    chosen = int(agent.decide(turns[2].state, 0, lambda done: None).move)
    [thought] = [t for t in thoughts_of(agent, 0, turns[2:3]) if t]

    assert thought.moves == ((chosen, 1.0),)
    assert {one.move for one in thought.candidates} == set(turns[2].view.legal)
    assert all(0 <= one.mean <= 25 and one.rollouts > 1 for one in thought.candidates)
    assert all(one.half_width is not None and one.half_width >= 0 for one in thought.candidates)
    assert len(thought.odds) == 5
    view = turns[2].view
    for card, believed in zip(view.hands[0], thought.odds, strict=True):
        assert set(np.flatnonzero(believed)) <= set(view.possible_to_holder(0, card))


# Red 1, 2, 3, 4, 5 for player 0; white 1, 1, blue 1, yellow 1, green 1 for player 1; then red 1.
GAME = Game(deck=deck_from([0, 1, 2, 3, 4, 15, 15, 20, 5, 10, 0]))


def after(*moves: str) -> Game:
    game = Game(deck=GAME.state.deck)
    for move in moves:
        game.step(move)
    return game


def test_own_cards_are_hidden_and_without_an_observer_all_are_shown() -> None:
    seen, everything = position(GAME.view(0)), position(GAME.view())

    assert [held["card"] for held in seen["hands"][0]] == [None] * 5
    assert [held["card"] for held in seen["hands"][1]] == [15, 15, 20, 5, 10]
    assert [held["card"] for held in everything["hands"][0]] == [0, 1, 2, 3, 4]
    hand = position(after("play 0").view(1))["hands"][0]
    assert [held["id"] for held in hand] == [1, 2, 3, 4, 10]  # by index in the deck


def test_a_hint_narrows_the_cards_that_it_touches_and_those_that_it_does_not() -> None:
    hand = position(after("hint white").view(1))["hands"][1]

    assert [held["colours"] for held in hand] == [[3], [3], *[[0, 1, 2, 4]] * 3]
    assert [held["colour_hinted"] for held in hand] == [True, True, False, False, False]
    assert [held["touched"] for held in hand] == [True, True, False, False, False]
    assert all(held["ranks"] == [0, 1, 2, 3, 4] and not held["rank_hinted"] for held in hand)
    # Its mark leaves with the card and after two moves.
    played = position(after("hint white", "play 0").view())["hands"][1]
    later = position(after("hint white", "hint red", "hint blue").view())["hands"][1]
    assert [held["touched"] for held in played] == [True, False, False, False, False]
    assert [held["drawn"] for held in played] == [False] * 4 + [True]
    assert [held["touched"] for held in later] == [False, False, True, False, False]


def test_moves_say_whether_a_card_fitted_and_the_lenient_score_is_shown() -> None:
    moves = moves_made(after("play 0", "play 0", "play 4", "play 0").view())

    assert [(made["seat"], made["card"], made["fitted"]) for made in moves] == [
        (0, 0, True),
        (1, 15, True),
        (0, 0, False),  # red 1, which was drawn
        (1, 15, False),
    ]
    game = after("play 0", "play 0", "play 1", "play 0", "play 1")
    seen = position(game.view())  # after the third lost life
    assert (seen["over"], seen["lives"]) == (True, 0)
    assert seen["score"] == game.score > 0


def test_moves_that_are_not_possible_have_a_reason() -> None:
    view = GAME.view(0)
    names, choices = move_names(view.variant), position(view)["choices"]
    refused = {names[made["move"]]: made["refused"] for made in choices if made["refused"]}

    assert set(refused) == {*(f"discard {card}" for card in range(5)), "hint red"} | {
        f"hint {rank}" for rank in range(2, 6)
    }
    assert "red" in str(refused["hint red"])
    assert "tokens" in str(refused["discard 0"])
    partners_turn = position(GAME.view(1))["choices"]
    assert all(choice["refused"] for choice in partners_turn)
    assert position(GAME.view())["choices"] == []  # of nobody


def test_the_last_copy_of_a_needed_card_is_critical() -> None:
    deck = deck_from([4, 0, 1, 2, 3, 15, 16, 16, 20, 10])  # red 5 first; player 1 has both white 2
    game = Game(deck=deck)
    for move in ("hint 1", "hint 5", "discard 2"):
        game.step(move)

    mine, partners = (position(game.view(1))["hands"][seat] for seat in (1, 0))
    own = position(game.view(0))["hands"][0]

    assert [held["critical"] for held in partners] == [True, False, False, False, False]
    assert not any(held["critical"] for held in mine)  # which may still be other cards
    assert own[0]["card"] is None and own[0]["critical"]  # every 5 is a last copy


@pytest.mark.parametrize(("sees_partner", "share"), [(False, 3 / 50), (True, 1 / 45)])
def test_odds_are_shares_of_the_copies_that_are_not_seen_and_hints_leave_open(
    sees_partner: bool, share: float
) -> None:
    game = Game(deck=deck_from([0, 0, 1, 2, 3, 15, 15, 20, 5, 10]))  # two of the red 1s at 0

    odds = card_odds(game.state, 1, sees_partner)

    assert np.shape(odds) == (5, 25)
    assert [card[0] for card in odds] == pytest.approx([share] * 5)
    game.step("hint white")
    first, *_, last = card_odds(game.state, 1, sees_partner)
    assert np.flatnonzero(first).tolist() == [15, 16, 17, 18, 19]
    assert not any(last[15:20])


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


def test_a_page_needs_nothing_else_runs_its_own_script_alone_and_escapes_names(
    story: Story,
) -> None:
    page = Elements(page_of(story, story.told()))

    assert page.addresses == ["data:,"]
    data, script = page.texts["script"]
    assert len(json.loads(data)["positions"]) == len(story.turns)
    assert page.policy == (
        f"default-src 'none'; style-src '{hash_of(page.texts['style'][0])}'; "
        f"script-src '{hash_of(script)}'; img-src data:"
    )
    name = "</script><b>&amp;"
    text = page_of(Story((name, "piers"), story.source, story.turns, story.agents), story.told())
    assert name not in text
    assert json.loads(Elements(text).texts["script"][0])["players"] == [name, "piers"]


def hash_of(text: str) -> str:
    """A script's hash as a Content-Security-Policy has it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_the_command_prints_a_game_and_writes_a_page(tmp_path: Path) -> None:
    html = tmp_path / "game.html"

    done = run_here("evaluate.py", "watch", "iggi", "piers", "--seed", 3, "--html", html)

    assert (done.returncode, done.stderr) == (0, "")
    assert "turn 0: player 0, iggi" in done.stdout
    assert html.read_text().startswith("<!doctype html>")
