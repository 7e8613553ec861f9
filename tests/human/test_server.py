"""The server: who may connect, and what tabs are told."""

import json
import stat
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from unittest import mock

import numpy as np
import pytest

from hoad.agents.imagined import imagine
from hoad.core.errors import HoadError
from hoad.game.game import Game
from hoad.game.state import full_game
from hoad.human.door import kept_token, listen
from hoad.human.server import WatchedGames
from hoad.human.session import Partner
from hoad.replay.formats.jsonl import read_records
from hoad.watch.position import card_odds
from tests.human.tables import Table, port_of, served

websockets = pytest.importorskip("websockets.sync.client", reason="websockets is not installed")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a folder with one finished game."""
    folder = tmp_path_factory.mktemp("served")
    table = Table(folder)
    table.begin("iggi")
    table.finish()
    with served(folder) as address:
        yield address


def status(address: str, **headers: str) -> int:
    """The status with which a request is answered."""
    try:
        request = urllib.request.Request(address, headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return int(error.code)


def origin_of(address: str) -> str:
    return "/".join(address.split("/")[:3])


class Tab:
    """A tab without a browser."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    def close(self) -> None:
        self._socket.close()

    def ask(self, **what: Any) -> None:
        self._socket.send(json.dumps(what))

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that is wanted."""
        while True:
            told: dict[str, Any] = json.loads(self._socket.recv(timeout=20))
            if wanted(told):
                return told

    def state(self, wanted: Callable[[dict[str, Any]], bool] = lambda told: True) -> dict[str, Any]:
        return self.wait(lambda told: told["type"] == "state" and wanted(told))


@contextmanager
def tab(address: str, **changed: str | None) -> Iterator[Tab]:
    headers = {"origin": origin_of(address)} | changed
    url = address.replace("http:", "ws:") + "table"
    with websockets.connect(url, proxy=None, **headers) as socket:
        yield Tab(socket)


@pytest.mark.parametrize(
    ("path", "answers"),
    [
        *((path, {200}) for path in ("", "page.js", "table.js", "style.css", "games/0.json")),
        *((path, {403, 404}) for path in ("other", "games/1.json", "../pyproject.toml")),
    ],
)
def test_page_and_files_are_served_alone(address: str, path: str, answers: set[int]) -> None:
    assert status(address + path) in answers


def test_other_hosts_and_origins_are_refused_and_nothing_is_loaded_from_them(address: str) -> None:
    port = port_of(address)

    assert status(address, Host=f"localhost:{port}") == 200
    assert status(address, Origin=origin_of(address)) == 200
    with urllib.request.urlopen(address, timeout=10) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "http" not in policy
    for path in ("/", "/page.js", "/wrong/", f"/{'x' * 32}/page.js", "//"):  # without the token
        assert status(origin_of(address) + path) == 403
    for host in ("example.com", f"example.com:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}"):
        assert status(address, Host=host) == 403
    for origin in ("http://example.com", "null", origin_of(address).replace("http", "https")):
        assert status(address, Origin=origin) == 403


@pytest.mark.parametrize("origin", ["http://example.com", "null", None])
def test_a_tab_of_another_site_or_token_cannot_connect(address: str, origin: str | None) -> None:
    with pytest.raises(websockets.InvalidStatus), tab(address, origin=origin):
        pass
    with pytest.raises(websockets.InvalidStatus), tab(f"{origin_of(address)}/wrong/"):
        pass


def test_the_token_of_a_folder_stays_and_only_the_user_may_read_it(tmp_path: Path) -> None:
    token, file = kept_token(tmp_path), tmp_path / "token"

    assert kept_token(tmp_path) == token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (tmp_path / "other").mkdir()
    assert kept_token(tmp_path / "other") != token
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "token").symlink_to(file)
    with pytest.raises(HoadError, match="token: a link or a pipe"):
        kept_token(tmp_path / "link")


@pytest.mark.parametrize(
    "spoil", [lambda file: file.chmod(0o644), lambda file: file.write_text("x")]
)
def test_a_token_that_others_know_is_replaced(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    token, file = kept_token(tmp_path), tmp_path / "token"
    spoil(file)

    assert kept_token(tmp_path) == file.read_text() != token
    assert len(file.read_text()) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_only_this_machine_can_connect_and_a_port_in_use_is_one_clear_error(address: str) -> None:
    port = port_of(address)

    with listen(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
    with pytest.raises(HoadError, match=f"port {port} is in use.*--port"):
        listen(port)


def test_what_cannot_be_done_is_answered_with_the_reason(tmp_path: Path) -> None:
    with served(tmp_path) as address, tab(address) as player:
        for agent, named in (("igi", "iggi"), ("python:none.py:None", "none.py")):
            player.ask(do="begin", agent=agent)
            assert named in player.state(lambda told: bool(told["error"]))["error"]
        refused: list[tuple[dict[str, Any], str]] = [
            ({"do": "move", "move": 1, "turn": 0}, "no game"),
            ({"do": "review", "game": 4}, "no game 4"),
            ({"do": "undo"}, "do"),
            ({"do": "move", "move": "1", "turn": 0}, "move"),
            ({"do": "note", "card": 0, "note": "new"}, "over"),
            ({"do": "note", "card": 50, "note": "new"}, "card"),
            ({"do": "note", "card": 0, "note": "x" * 61}, "note"),
        ]
        for asked, named in refused:
            player.ask(**asked)
            assert named in player.wait(lambda told: told["type"] == "refused")["reason"]


def test_a_second_tab_cannot_play_but_follows_and_takes_over(tmp_path: Path) -> None:
    with served(tmp_path, agent="iggi") as address, tab(address) as player:
        assert player.state(lambda told: told["playing"])["plays"]
        with tab(address) as watcher:
            assert not watcher.state()["plays"]
            for asked in ({"do": "move", "move": 5, "turn": 0}, {"do": "give up"}):
                watcher.ask(**asked)
                told = watcher.wait(lambda told: told["type"] == "refused")
                assert "watches" in told["reason"]
            player.ask(do="move", move=5, turn=0)
            assert watcher.state(lambda told: told["position"]["turn"] == 2)
            player.close()
            assert watcher.state(lambda told: told["tabs"] == 1)["plays"]


def test_a_tab_is_never_told_the_persons_own_cards(tmp_path: Path) -> None:
    with served(tmp_path, agent="iggi") as address, tab(address) as player:
        told = player.state(lambda told: told["playing"] and told["belief"])

    mine, partners = (told["position"]["hands"][seat] for seat in (told["seat"], 1 - told["seat"]))
    assert {held["card"] for held in mine} == {None}
    assert None not in {held["card"] for held in partners}
    assert sum(told["belief"]["shares"]) == pytest.approx(1)


def test_what_cards_may_be_depends_on_nothing_that_is_hidden_from_the_person(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(12)
    with served(tmp_path) as address, tab(address) as player:
        told = player.state(lambda told: told["playing"])
    seat, now = told["seat"], full_game(2).new_states(1)
    now[0] = table.session.at_table.state
    decks, _ = imagine(now, seat, samples=1)  # other cards that the person may hold as well
    other = Game(deck=decks[0, 0])
    for action in table.session.actions:
        other.step(action)

    assert not np.array_equal(other.state.hands[seat], now[0].hands[seat])
    assert told["odds"]["mine"] == card_odds(other.state, seat, sees_partner=True)
    assert told["odds"]["mine_to_partner"] == card_odds(other.state, seat, sees_partner=False)
    assert told["odds"]["partner"] == card_odds(other.state, 1 - seat, sees_partner=False)


def test_what_the_agent_thinks_is_told_on_request_only_and_recorded(tmp_path: Path) -> None:
    with served(tmp_path, agent="search:iggi") as address, tab(address) as player:
        player.state(lambda told: told["playing"])
        player.ask(do="thought")
        assert "has not moved" in player.wait(lambda told: told["type"] == "refused")["reason"]
        player.ask(do="move", move=5, turn=0)
        state = player.state(lambda told: told["position"] and told["position"]["turn"] == 2)
        assert state["thought"] == 1  # the turn, and nothing of the thought
        assert "shown" not in (tmp_path / "unfinished.jsonl").read_text()
        for _ in range(2):
            player.ask(do="thought")
            thought = player.wait(lambda told: told["type"] == "thought")
            assert thought["turn"] == 1 and len(thought["odds"]) == 5
    assert (tmp_path / "unfinished.jsonl").read_text().count("shown") == 1

    with served(tmp_path) as address, tab(address) as player:  # which knows it from the disk
        player.ask(do="give up")
        player.state(lambda told: not told["playing"])
        player.ask(do="begin", agent="iggi")
        player.state(lambda told: told["playing"] and told["position"]["turn"] == 1)
        player.ask(do="move", move=5, turn=1)
        player.state(lambda told: told["position"]["turn"] == 3)
        player.ask(do="give up")
        player.state(lambda told: not told["playing"])

    first, second = read_records(tmp_path / "games.jsonl")
    assert (first.thoughts_shown, second.thoughts_shown) == (True, None)


def test_the_threads_of_abandoned_games_end(tmp_path: Path) -> None:
    with served(tmp_path) as address, tab(address) as player:
        player.state()
        before = threading.active_count()
        for number in range(60):
            player.ask(do="begin", agent=("iggi", "piers")[number % 2])
            player.ask(do="give up")
        player.ask(do="begin", agent="iggi")
        player.state(lambda told: told["playing"] and not told["busy"])
        deadline = time.monotonic() + 30
        while threading.active_count() > before + 5 and time.monotonic() < deadline:
            time.sleep(0.01)

        assert threading.active_count() <= before + 5


OWN = """
import time
from pathlib import Path

from hoad.agents import PlainAgent

class Slow(PlainAgent):
    name = "slow"

    def choose(self, view):
        time.sleep(60)
        return view.legal_moves[-1]

class Broken(PlainAgent):
    name = "broken"

    def choose(self, view):
        raise ValueError("out of ideas")

class Tired(PlainAgent):
    name = "tired"

    def choose(self, view):
        if not Path(__file__).with_name("rested").exists():
            raise ValueError("too tired")
        return view.legal_moves[-1]
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(OWN)
    return f"python:{tmp_path / 'mine.py'}"


def test_the_server_answers_while_an_agent_thinks(own: str, tmp_path: Path) -> None:
    with served(tmp_path / "games", agent=f"{own}:Slow") as address, tab(address) as player:
        player.state(lambda told: told["playing"])
        player.ask(do="move", move=5, turn=0)
        player.state(lambda told: told["busy"] == "thinking")
        player.ask(do="review", game=0)
        assert player.wait(lambda told: told["type"] == "refused")
        player.ask(do="give up")
        assert player.state(lambda told: not told["playing"])["busy"] is None
        player.ask(do="begin", agent="iggi")
        assert player.state(lambda told: told["playing"] and told["position"]["turn"] == 1)


def test_an_abandoned_search_tells_nothing_of_the_next_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: SimpleQueue[Callable[[float], None]] = SimpleQueue()
    end = threading.Event()

    def think(partner: Partner, actions: object, stream: int, progress: Any) -> None:
        searches.put(progress)
        end.wait(20)
        raise HoadError("the test is over")

    monkeypatch.setattr(Partner, "think", think)
    with served(tmp_path, agent="iggi") as address, tab(address) as player:
        player.state(lambda told: told["playing"])
        player.ask(do="move", move=5, turn=0)
        abandoned = searches.get(timeout=20)
        player.ask(do="give up")
        player.ask(do="begin", agent="iggi")  # which moves first
        present = searches.get(timeout=20)

        abandoned(0.5)
        present(0.25)

        assert player.state(lambda told: told["done"])["done"] == 0.25
        end.set()


def test_an_agent_that_has_failed_tries_again_when_the_page_is_loaded_again(
    own: str, tmp_path: Path
) -> None:
    with served(tmp_path / "games", agent=f"{own}:Tired") as address:
        with tab(address) as player:
            player.state(lambda told: told["playing"])
            player.ask(do="move", move=5, turn=0)
            player.state(lambda told: bool(told["error"]))
            player.ask(do="note", card=0, note="red?")
            player.ask(do="experience", played_before=True)
            assert "tired" in player.state(lambda told: told["played_before"])["error"]
        (tmp_path / "rested").touch()
        with tab(address) as player:
            told = player.state(lambda told: told["position"]["turn"] == 2)

    assert (told["error"], told["notes"]) == (None, {"0": "red?"})


def test_an_agent_that_fails_is_named(own: str, tmp_path: Path) -> None:
    with served(tmp_path / "games", agent=f"{own}:Broken") as address, tab(address) as player:
        player.state(lambda told: told["playing"])
        player.ask(do="move", move=5, turn=0)
        assert "out of ideas" in player.state(lambda told: bool(told["error"]))["error"]


def test_an_agent_that_fails_in_a_game_taken_up_again_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)
    table.begin("piers")
    table.turn()
    monkeypatch.setattr(Partner, "think", mock.Mock(side_effect=RuntimeError("out of ideas")))

    with served(tmp_path) as address, tab(address) as player:
        error = player.state(lambda told: told["error"])["error"]

    assert error.startswith("piers fails with RuntimeError: out of ideas; ")


def test_a_server_keeps_the_last_pages_of_watched_games_alone() -> None:
    games = WatchedGames(("iggi", "iggi"), seed=3)
    first = games.page(0)

    for game in range(1, 10):
        games.page(game)

    assert sorted(games._pages) == list(range(2, 10))
    assert games.page(0) == first
