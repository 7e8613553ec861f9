"""The client at a small server that speaks as the site does."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Any
from unittest import mock

import pytest

from hoad.agents import Agent, PlainAgent, View, get_agent
from hoad.core.errors import HoadError
from hoad.live.client import Client
from hoad.live.seat import Seat
from hoad.live.site import Account, Site
from tests.live.record_sessions import BOT, PERSON, SESSIONS
from tests.live.server import PASSWORD, Server, ServerTable
from tests.scripts import assert_refused, run_here

SECONDS = 60


class Seated:
    """A client connected to a server.

    Attributes:
        said: the lines that the client reported.
    """

    def __init__(self, server: Server, agent: Agent, first_wait: float = 0.01) -> None:
        self.said: list[str] = []
        site, account = Site(server.address), Account(BOT, PASSWORD)
        self.client = Client(site, account, agent, 4, self.said.append, first_wait)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile what the agents need, before anything waits for a server."""
    for session in SESSIONS.values():
        logs = session.play()
        for name in (session.agent, "iggi"):
            Seat(get_agent(name), 0, 0, 0).choose(logs.decks[0], logs.actions[:2].tolist())


def waiting(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Let pytest run a test that waits for a server; it fails if it waits too long."""

    @wraps(test)
    def run(*arguments: Any, **keywords: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*arguments, **keywords), SECONDS))

    return run


@asynccontextmanager
async def connected(agent: Agent, *tables: ServerTable) -> AsyncIterator[tuple[Server, Seated]]:
    """A server with tables, and a client that has connected to it."""
    async with Server(*tables).running() as server:
        seated = Seated(server, agent)
        running = asyncio.create_task(seated.client.run())
        await server.connected.wait()
        try:
            yield server, seated
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def joined(server: Server, table: ServerTable) -> None:
    """Let Donald invite the client to a table and start the game."""
    before = len(server.commands("tableJoin"))
    await server.whisper("/join")
    await server.until_heard("tableJoin", before + 1)
    await server.start(table)


def table_of(name: str) -> ServerTable:
    return ServerTable(SESSIONS[name])


def whole(table: ServerTable) -> None:
    """Check that the client made all moves that HOAD's own game has."""
    assert table.differences == []
    assert table.game and table.game.expected is None
    assert table.game.made == table.session.game["actions"]


@pytest.mark.parametrize("name", SESSIONS)
@waiting
async def test_the_client_plays_as_the_agent_plays_in_hoads_own_game(name: str) -> None:
    table = table_of(name)
    async with connected(get_agent(table.session.agent), table) as (server, seated):
        await joined(server, table)
        await table.over.wait()
        await server.until_heard("tableUnattend")
    whole(table)
    assert table.session.record() == table.session.game
    assert any(f"table {table.number}: the game is over" in line for line in seated.said)


@pytest.mark.parametrize(("error", "ends"), [(OSError, False), (BrokenPipeError, True)])
@waiting
async def test_games_go_on_while_no_line_can_be_printed_unless_nobody_reads_them(
    error: type[OSError], ends: bool
) -> None:
    async with Server(table := table_of("first")).running() as server:
        site, account, say = Site(server.address), Account(BOT, PASSWORD), mock.Mock()
        say.side_effect = error
        client = Client(site, account, get_agent(table.session.agent), 4, say, 0.01)
        running = asyncio.create_task(client.run())
        if ends:
            with pytest.raises(BrokenPipeError):
                await running
            return
        await server.connected.wait()
        await joined(server, table)
        await table.over.wait()
        running.cancel()
    whole(table)


@pytest.mark.parametrize("after", [set(), {6, 20}])
@waiting
async def test_a_lost_connection_is_made_again_and_the_game_goes_on(after: set[int]) -> None:
    table = table_of("first")
    table.cut, table.cut_after = {4, 18}, after
    async with connected(get_agent(table.session.agent), table) as (server, _):
        await joined(server, table)
        await table.over.wait()
    whole(table)
    assert server.logins == 1 + len(after) + 2


@waiting
async def test_a_new_process_goes_on_with_the_game_as_the_old_one_would() -> None:
    table = table_of("second")
    agent = get_agent(table.session.agent)
    table.cut_after = {9}
    async with connected(agent, table) as (server, _):
        await joined(server, table)
        while not (table.game and len(table.game.made) > 9):
            await asyncio.sleep(0.002)
    table.cut_after = set()
    async with connected(agent, table) as (server, _):  # another process, on another port
        await table.over.wait()
        assert server.commands("tableReattend") == [{"tableID": table.number}]
    whole(table)


class Slow(PlainAgent):
    """Waits in its first turn until it is let go on."""

    name = "slow"

    def __init__(self) -> None:
        self.asked, self.go_on = threading.Event(), threading.Event()

    def choose(self, view: View) -> str:
        if len(view.history) < 2:
            self.asked.set()
            self.go_on.wait(SECONDS)
        return view.legal_moves[-1]


@waiting
async def test_an_agent_that_thinks_long_does_not_block_the_connection() -> None:
    table, agent = table_of("first"), Slow()
    async with connected(agent, table) as (server, _):
        await joined(server, table)
        await asyncio.to_thread(agent.asked.wait, SECONDS)
        assert server.connection
        for _ in range(3):
            before = time.perf_counter()
            await (await server.connection.ping())
            assert time.perf_counter() - before < 1
        await server.whisper("/hello")
        await server.until_heard("chatPM")
        assert server.commands("action") == []
        agent.go_on.set()
        await server.until_heard("action")


@waiting
async def test_one_process_sits_at_two_tables() -> None:
    tables = [ServerTable(SESSIONS[name]) for name in ("first", "second")]
    tables[1].players = []
    async with connected(get_agent("noisy:0.3:iggi"), *tables) as (server, _):
        await joined(server, tables[0])
        tables[1].players = ["Donald"]
        await server.say("table", tables[1].message)
        await joined(server, tables[1])
        await asyncio.gather(*(table.over.wait() for table in tables))
    for table in tables:
        whole(table)


@waiting
async def test_the_command_says_in_one_line_that_the_password_is_wrong() -> None:
    async with Server().running() as server:
        words = "hanab_live.py", "iggi", "--site", server.address
        secrets = {"HANAB_LIVE_NAME": BOT, "HANAB_LIVE_PASSWORD": "hunter2"}
        done = await asyncio.to_thread(run_here, *words, **secrets)
        assert server.logins == 0

    assert_refused(done, BOT, "not the correct password")
    assert "hunter2" not in done.stdout + done.stderr


@waiting
async def test_a_second_login_elsewhere_ends_it() -> None:
    async with Server().running() as server:
        seated = Seated(server, get_agent("iggi"))
        running = asyncio.create_task(seated.client.run())
        await server.connected.wait()
        await server.say("error", {"error": "You have logged on from somewhere else, so ..."})
        with pytest.raises(HoadError, match="in use elsewhere"):
            await running


@waiting
async def test_a_closed_server_is_tried_again_less_and_less_often() -> None:
    async with Server().running() as server:
        seated = Seated(server, get_agent("iggi"))
    running = asyncio.create_task(seated.client.run())
    while len(seated.said) < 4:
        await asyncio.sleep(0.002)
    running.cancel()
    waits = [float(line.split()[-2]) for line in seated.said]
    assert waits[:4] == [0.01, 0.02, 0.04, 0.08]


async def be_refused(times: int) -> tuple[Server, ServerTable, Seated]:
    table = table_of("first")
    table.refusals = {4: times}
    async with connected(get_agent(table.session.agent), table) as (server, seated):
        await joined(server, table)
        await (table.over.wait() if times < 3 else server.until_heard("tableUnattend"))
    return server, table, seated


@waiting
async def test_a_refused_move_is_made_again_after_asking_for_the_game() -> None:
    server, table, _ = await be_refused(2)

    whole(table)
    assert len(server.commands("getGameInfo1")) == 3
    actions = server.commands("action")
    assert actions[2] == actions[3] == actions[4]


@waiting
async def test_an_agent_whose_move_is_refused_again_and_again_leaves_the_table() -> None:
    server, table, seated = await be_refused(9)

    assert table.game and len(table.game.made) == 4
    assert len(server.commands("action")) == 5
    assert server.commands("chat")[0]["room"] == f"table{table.number}"
    assert "the server refuses my move" in seated.said[-1]


class Failing(PlainAgent):
    """Fails in its first turn."""

    name = "failing"

    def choose(self, view: View) -> str:
        raise RuntimeError("out of ideas")


@waiting
async def test_an_agent_that_fails_leaves_the_table_and_the_client_goes_on() -> None:
    table = table_of("first")
    async with connected(Failing(), table) as (server, _):
        await joined(server, table)
        await server.until_heard("tableUnattend")
        await server.whisper("/hello")
        await server.until_heard("chatPM")

    assert "out of ideas" in server.commands("chat")[0]["msg"]


@waiting
async def test_a_table_that_was_left_takes_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoad.live.client._MOST_GAMES", 1)
    table = table_of("first")
    init = {"tableID": 12, "playerNames": [PERSON, BOT], "ourPlayerIndex": 1}
    async with connected(Failing(), table) as (server, seated):
        await joined(server, table)
        await server.until_heard("tableUnattend")
        await server.say("tableGone", {"tableID": table.number})
        await server.say("init", {**init, "options": table.all_options})
        await server.whisper("/hello")
        await server.until_heard("chatPM")

    assert [data["tableID"] for data in server.commands("getGameInfo2")] == [table.number, 12]
    assert list(seated.client._games) == [12]


@pytest.mark.parametrize(
    "table",
    [
        ServerTable(SESSIONS["first"], variant="Rainbow (5 Suits)"),
        ServerTable(SESSIONS["first"], players=["Donald", "Daisy"]),
        ServerTable(SESSIONS["first"], players=["Daisy"]),
    ],
    ids=["variant", "three", "other"],
)
@waiting
async def test_invitations_to_other_games_are_declined_politely(table: ServerTable) -> None:
    async with connected(get_agent("iggi"), table) as (server, _):
        await server.whisper("/join")
        await server.until_heard("chatPM")

    [answer] = server.commands("chatPM")
    assert answer["recipient"] == "Donald"
    assert server.commands("tableJoin") == []


@waiting
async def test_a_table_with_other_rules_is_left_with_a_reason() -> None:
    table = table_of("first")
    table.options = {"emptyClues": True}
    async with connected(get_agent("iggi"), table) as (server, _):
        await server.whisper("/join secret")
        await server.until_heard("tableLeave")

    assert server.commands("tableJoin") == [{"tableID": 11, "password": "secret"}]
    assert "emptyClues" in server.commands("chat")[0]["msg"]


@waiting
async def test_messages_that_are_not_understood_are_reported_and_change_nothing() -> None:
    table = table_of("first")
    async with connected(get_agent(table.session.agent), table) as (server, seated):
        nonsense: list[Any] = [{"tableID": 5}, [], "text", None]
        for data in nonsense:
            for command in ("init", "gameAction", "gameActionList", "table", "pause", "warning"):
                await server.say(command, data)
        assert server.connection
        await server.connection.send("nothing")
        await joined(server, table)
        await table.over.wait()
    whole(table)
    assert sum("not understood" in line for line in seated.said) >= 20
