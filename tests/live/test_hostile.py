"""Servers that answer anything at all: the client tries again, or leaves that table."""

import asyncio
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from hoad.agents import get_agent
from hoad.live.site import Account, Site
from tests.live.record_sessions import BOT
from tests.live.server import COOKIE, PASSWORD, Server, ServerTable
from tests.live.test_client import Seated, compiled, connected, joined, table_of, waiting, whole
from tests.scripts import ROOT

__all__ = ["compiled"]  # a fixture

VALUES: list[Any] = [
    *(None, True, -1, 5, 50, 2**31, 2**63, -(2**63), 10**30, 1.5, 1e308),
    *("", "x", "\x1b[31mred", "\x00", "1" * 5_000, "Bot-x\r\nSet-Cookie: a=b"),
    *([], [[]], [None], [-1], [2**63], list(range(2_000)), {}, {"type": "draw"}),
]
"""What stands in a field where something else is expected."""

DRAW = {"type": "draw", "playerIndex": 0, "order": 0, "suitIndex": 0, "rank": 1}
PLAY = {"type": "play", "playerIndex": 0, "order": 0, "suitIndex": 0, "rank": 1}
CLUE = {"type": "clue", "clue": {"type": 1, "value": 1}, "giver": 0, "target": 1, "list": [5]}

MESSAGES: dict[str, dict[str, Any]] = {
    "init": {"tableID": 77, "playerNames": ["a", "b"], "ourPlayerIndex": 0, "options": {}},
    "table": {"id": 77, "variant": "", "running": False, "joined": False, "players": []},
    "tableGone": {"tableID": 77},
    "tableStart": {"tableID": 77, "replay": False},
    "game": {"tableID": 77, "options": {}},
    "pause": {"tableID": 77, "active": True},
    "warning": {"warning": "no"},
    "error": {"error": "no"},
    "chat": {"msg": "/x", "who": "a", "recipient": "b"},
    "finishOngoingGame": {"tableID": 77},
}


def changed(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a message with each value in each field, and without each field."""
    for key, value in itertools.product(message, VALUES):
        yield {**message, key: value}
    for key in message:
        yield {name: value for name, value in message.items() if name != key}


def texts() -> Iterator[str]:
    """Yield messages that are none, and messages with wrong fields."""
    yield from ("", " ", "init", "init ", "init {", "\x00", "init nul", "é" * 1_000, "x" * 2**20)
    yield from (f"{command} {'[' * 100_000}" for command in ("init", "gameAction", "chat"))
    yield f"table {'9' * 100_000}"
    for command, message in MESSAGES.items():
        for value in (*VALUES, *changed(message)):
            yield f"{command} {json.dumps(value)}"


def told() -> Iterator[list[Any]]:
    """Yield what may be told of a table, each of which does not fit."""
    for action in (PLAY, CLUE):
        wrong = (one for one in changed(action) if one.get("type") == action["type"])
        yield from ([{**DRAW, "order": 5}, one] for one in wrong)
    yield [{**CLUE, "clue": {"type": 0, "value": 9}}]
    yield [CLUE] * 900
    yield [{**CLUE, "giver": n % 2, "target": 1 - n % 2, "list": []} for n in range(900)]
    yield [{**DRAW, "order": order} for order in range(50)]  # fifty copies of one card


@waiting
async def test_no_message_ends_the_client_or_disturbs_a_game() -> None:
    messages = list(texts())
    assert len(messages) > 200
    table = table_of("first")
    async with connected(get_agent(table.session.agent), table) as (server, seated):
        assert server.connection
        for text in messages:
            await server.connection.send(text)
        await server.connection.send(b"\xff\xfe")
        await joined(server, table)
        await table.over.wait()
        assert server.logins == 1

    whole(table)
    assert sum("not understood" in line for line in seated.said) > 200
    assert all(line.isprintable() and len(line) < 1_000 for line in seated.said)


@pytest.mark.parametrize("in_a_list", [True, False])
@waiting
async def test_tables_of_which_nonsense_is_told_are_left_and_the_others_go_on(
    in_a_list: bool,
) -> None:
    games = list(told())
    assert len(games) > 200
    table = table_of("first")
    async with connected(get_agent(table.session.agent), table) as (server, seated):
        for number, actions in enumerate(games, start=1_000):
            init = {**server._init(table), "tableID": number, "ourPlayerIndex": number % 2}
            await server.say("init", init)
            if in_a_list:
                await server.say("gameActionList", {"tableID": number, "list": actions})
            else:
                for action in actions:
                    await server.say("gameAction", {"tableID": number, "action": action})
            await server.say("finishOngoingGame", {"tableID": number})
        await joined(server, table)
        await table.over.wait()
        assert server.logins == 1

    whole(table)
    left = {data["tableID"] for data in server.commands("tableUnattend")}
    assert left >= set(range(1_000, 1_000 + len(games)))
    assert all(line.isprintable() for line in seated.said)


HEADS = [
    *(
        b"",
        b"\r\n\r\n",
        b"nothing",
        b"HTTP/1.1 ",
        b"\x00\xff\xfe" * 100,
        b"SSH-2.0-OpenSSH_9.6\r\n",
    ),
    *(b"HTTP/%s OK\r\n\r\n" % line for line in (b"1.1 abc", b"9.9 200", b"1.1 999999", b"1.1 -1")),
    b"HTTP/1.1 200 " + 100_000 * b"x" + b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n" + 1_000 * b"A: b\r\n" + b"\r\n",
    b"HTTP/1.1 200 OK\r\nA: " + 100_000 * b"b" + b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n: b\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
]
"""Beginnings of answers to a login."""

COOKIES = [
    b"a@b=c",
    b"",
    b"=",
    b";",
    b"\xff=\xfe",
    b"a=b\x00",
    b'a="\\012"; Path="\\',
    70_000 * b"a",
]
PLACES = [b"http://[bad/", b"//", b"file:///etc/passwd", b"http://127.0.0.1:1/", b"\xff", b"/login"]


def answers() -> Iterator[bytes]:
    """Yield answers to a login that are none."""
    yield from HEADS
    for cookie in COOKIES:
        yield b"HTTP/1.1 200 OK\r\nSet-Cookie: " + cookie + b"\r\nContent-Length: 0\r\n\r\n"
    for status, place in itertools.product((300, 301, 302, 303, 307, 308), PLACES):
        head = b"HTTP/1.1 %d Elsewhere\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
        yield head % (status, place)
    for status in (100, 101, 204, 304, 400, 404, 405, 407, 418, 429, 500, 502, 503, 599):
        yield b"HTTP/1.1 %d Status\r\nContent-Length: 9\r\n\r\nshort" % status


class Hostile(Server):
    """A server that answers logins with nonsense until it has no more."""

    def __init__(self, table: ServerTable, nonsense: list[bytes]) -> None:
        super().__init__(table)
        self.nonsense = nonsense

    def _log_in(self, form: str) -> bytes:
        return self.nonsense.pop(0) if self.nonsense else super()._log_in(form)


@waiting
async def test_logins_are_tried_again_whatever_the_answer_is() -> None:
    nonsense, table = list(answers()), table_of("first")
    assert len(nonsense) > 60
    async with Hostile(table, list(nonsense)).running() as server:
        seated = Seated(server, get_agent(table.session.agent), first_wait=0.0)
        running = asyncio.create_task(seated.client.run())
        await server.connected.wait()
        await joined(server, table)
        await table.over.wait()
        running.cancel()

    whole(table)
    assert sum("the next attempt is in" in line for line in seated.said) == len(nonsense)


@waiting
async def test_no_proxy_hears_a_password_that_is_sent_in_clear() -> None:
    variables = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "ws_proxy", "socks_proxy")
    heard: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(10_000))
        writer.close()

    async with Server().running() as server:
        listening = await asyncio.start_server(proxy, "127.0.0.1", 0)
        address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        words = [sys.executable, "hanab_live.py", "iggi", "--site", server.address]
        secrets = {"HANAB_LIVE_NAME": BOT, "HANAB_LIVE_PASSWORD": PASSWORD}
        proxies = dict.fromkeys(variables, address)
        process = await asyncio.create_subprocess_exec(
            *words, cwd=ROOT, env={**os.environ, **secrets, **proxies}, stdout=subprocess.DEVNULL
        )
        await server.connected.wait()
        process.terminate()
        await process.wait()
        listening.close()
    assert heard == []


def test_no_child_process_sees_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    from hoad.commands.live import PASSWORD as VARIABLE
    from hoad.commands.live import _secret

    monkeypatch.setenv(VARIABLE, PASSWORD)

    assert _secret(VARIABLE, input) == PASSWORD

    seen = subprocess.run(
        [sys.executable, "-c", "import os; print(dict(os.environ))"], capture_output=True, text=True
    )
    assert PASSWORD not in seen.stdout and VARIABLE not in seen.stdout
    assert VARIABLE not in os.environ


@waiting
async def test_the_cookie_is_sent_back_as_it_came() -> None:
    async with Server().running() as server:
        cookie = await asyncio.to_thread(Site(server.address).log_in, Account(BOT, PASSWORD))
    assert cookie == COOKIE
