"""A small server that speaks as the site does, and plays recorded sessions with a client.

Donald's moves are those of the recording; the client's are checked under the site's rules and
compared with the recording.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from websockets.asyncio.server import Request, Response, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.live.record_sessions import BOT, PERSON, Session

PASSWORD = "correct horse"
COOKIE = "hanabi.sid=MTYx"
PLAY, DISCARD, COLOUR_CLUE, RANK_CLUE = range(4)
TOKENS, STRIKES = 8, 3


class Game:
    """A game under the site's rules, from its recording.

    Attributes:
        made: actions so far.
        told: what everybody is told, with all identities.
    """

    def __init__(self, recorded: dict[str, Any]) -> None:
        self.recorded = recorded
        self.made: list[dict[str, int]] = []
        self.told: list[dict[str, Any]] = []
        self.hands: list[list[int]] = [[], []]
        self.stacks = [0] * 5
        self.tokens, self.strikes, self.drawn = TOKENS, 0, 0
        for seat in (0, 1):
            for _ in range(5):
                self._draw(seat)

    @property
    def seat(self) -> int:
        return len(self.made) % 2

    @property
    def expected(self) -> dict[str, int] | None:
        """The action that was recorded for this turn; None at the end."""
        actions = self.recorded["actions"]
        return actions[len(self.made)] if len(self.made) < len(actions) else None

    def fault(self, seat: int, action: dict[str, int]) -> str | None:
        """Return the site's words for an action that breaks its rules."""
        kind, target = action["type"], action["target"]
        if seat != self.seat or self.expected is None:
            return "It is not your turn, so you cannot perform an action."
        if kind in (PLAY, DISCARD) and target not in self.hands[seat]:
            return "You cannot play a card that is not in your hand."
        if kind == DISCARD and self.tokens == TOKENS:
            return "You cannot discard while the team has 8 clues."
        if kind in (COLOUR_CLUE, RANK_CLUE) and not self.tokens:
            return "You need at least 1 clue token available in order to give a clue."
        if kind in (COLOUR_CLUE, RANK_CLUE) and not self._touched(action):
            return "You cannot give a clue that touches 0 cards in the hand."
        return None

    def make(self, action: dict[str, int]) -> list[dict[str, Any]]:
        """Carry out an action; return what is told of it."""
        start, seat, target = len(self.told), self.seat, action["target"]
        if action["type"] in (PLAY, DISCARD):
            self._remove(seat, target, action["type"] == PLAY)
        else:
            self.tokens -= 1
            clue = {"type": action["type"] - COLOUR_CLUE, "value": action["value"]}
            given = {"giver": seat, "target": target, "list": self._touched(action)}
            self._tell("clue", clue=clue, turn=len(self.made), **given)
        self.made.append(action)
        score = sum(self.stacks)
        self._tell("status", clues=self.tokens, score=score, maxScore=25)
        if self.expected is None:
            self._tell("gameOver", endCondition=1, playerIndex=-1)
        now = -1 if self.expected is None else self.seat
        self._tell("turn", num=len(self.made), currentPlayerIndex=now)
        return self.told[start:]

    def _remove(self, seat: int, order: int, play: bool) -> None:
        card = self.recorded["deck"][order]
        self.hands[seat].remove(order)
        told = {"playerIndex": seat, "order": order, **card}
        if play and card["rank"] == self.stacks[card["suitIndex"]] + 1:
            self.stacks[card["suitIndex"]] += 1
            self.tokens = min(TOKENS, self.tokens + (card["rank"] == 5))
            self._tell("play", **told)
        elif play:
            self.strikes += 1
            self._tell("strike", num=self.strikes, order=order, turn=len(self.made))
            self._tell("discard", failed=True, **told)
        else:
            self.tokens += 1
            self._tell("discard", failed=False, **told)
        self._draw(seat)

    def _draw(self, seat: int) -> None:
        if self.drawn < 50:
            card = self.recorded["deck"][self.drawn]
            self._tell("draw", playerIndex=seat, order=self.drawn, **card)
            self.hands[seat].append(self.drawn)
            self.drawn += 1

    def _touched(self, action: dict[str, int]) -> list[int]:
        key = "suitIndex" if action["type"] == COLOUR_CLUE else "rank"
        deck = self.recorded["deck"]
        return [o for o in self.hands[action["target"]] if deck[o][key] == action["value"]]

    def _tell(self, kind: str, **fields: Any) -> None:
        self.told.append({"type": kind, **fields})


def scrubbed(told: dict[str, Any], seat: int) -> dict[str, Any]:
    """What a player is told: nothing of the cards that it draws."""
    if told["type"] == "draw" and told["playerIndex"] == seat:
        return {**told, "suitIndex": -1, "rank": -1}
    return told


@dataclass
class ServerTable:
    """A table at which Donald waits, and then a game of a session.

    Attributes:
        cut: turns whose action is lost with the connection, before it is carried out.
        cut_after: turns after whose action the connection is lost before it is told.
        refusals: by turn, how often the client's action is refused although it is legal.
        differences: turns at which the client did not do what was recorded.
    """

    session: Session
    variant: str = "No Variant"
    options: dict[str, Any] = field(default_factory=dict)
    players: list[str] = field(default_factory=lambda: [PERSON])
    game: Game | None = None
    cut: set[int] = field(default_factory=set)
    cut_after: set[int] = field(default_factory=set)
    refusals: dict[int, int] = field(default_factory=dict)
    differences: list[tuple[int, Any, Any]] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def number(self) -> int:
        return self.session.table

    @property
    def message(self) -> dict[str, Any]:
        return {
            "id": self.number,
            "name": "Donald's table",
            "passwordProtected": False,
            "joined": BOT in self.players,
            "numPlayers": len(self.players),
            "running": self.game is not None,
            "variant": self.variant,
            "sharedReplay": False,
            "players": self.players,
        }

    @property
    def all_options(self) -> dict[str, Any]:
        return {"numPlayers": 2, "startingPlayer": 0, "variantName": self.variant, **self.options}


class Server:
    """The site: one account, some tables, any number of logins.

    Attributes:
        address: of the server, for a browser.
        heard: all commands of the client with their data, in order.
        logins: how many logins succeeded.
    """

    def __init__(self, *tables: ServerTable) -> None:
        self.address = ""
        self.tables = {table.number: table for table in tables}
        self.heard: list[tuple[str, dict[str, Any]]] = []
        self.logins = 0
        self.connection: ServerConnection | None = None
        self.connected = asyncio.Event()
        self._pipes: set[asyncio.StreamWriter] = set()
        self._port = 0

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator["Server"]:
        """Listen on a port of this machine; 0 is any free one."""
        async with serve(self._session, "127.0.0.1", 0, process_request=_authenticated) as sockets:
            self._port = sockets.sockets[0].getsockname()[1]
            front = await asyncio.start_server(self._front, "127.0.0.1", port)
            self.address = f"http://127.0.0.1:{front.sockets[0].getsockname()[1]}"
            try:
                yield self
            finally:
                front.close()
                self.cut()

    def cut(self) -> None:
        """Break all connections without a goodbye."""
        self.connected.clear()
        for writer in self._pipes:
            writer.transport.abort()

    async def say(self, command: str, data: Any) -> None:
        if self.connection is not None:
            with suppress(ConnectionClosed):
                await self.connection.send(f"{command} {json.dumps(data)}")

    async def whisper(self, words: str) -> None:
        """Let Donald send the client a private message."""
        await self.say("chat", {"msg": words, "who": PERSON, "room": "", "recipient": BOT})

    async def start(self, table: ServerTable) -> None:
        """Start the game of a table at which the client sits."""
        table.players = table.session.game["players"]
        table.game = Game(table.session.game)
        await self.say("tableStart", {"tableID": table.number, "replay": False})
        await self.say("table", table.message)

    def commands(self, command: str) -> list[dict[str, Any]]:
        """The data of all messages of the client with this command."""
        return [data for name, data in self.heard if name == command]

    async def until_heard(self, command: str, times: int = 1) -> None:
        """Wait until the client has sent a command so often."""
        while len(self.commands(command)) < times:
            await asyncio.sleep(0.002)

    async def _front(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a login; lead other requests to the websocket."""
        head = await reader.readuntil(b"\r\n\r\n")
        self._pipes.add(writer)
        if head.startswith(b"POST /login "):
            [length] = [
                int(r.split(b":")[1]) for r in head.lower().split(b"\r\n") if b"-length" in r
            ]
            writer.write(self._log_in((await reader.readexactly(length)).decode()))
            await writer.drain()
            writer.close()
            return
        inner, outer = await asyncio.open_connection("127.0.0.1", self._port)
        outer.write(head)
        await asyncio.gather(_pipe(reader, outer), _pipe(inner, writer))

    def _log_in(self, form: str) -> bytes:
        given = {key: values[0] for key, values in parse_qs(form).items()}
        if given != {"username": BOT, "password": PASSWORD, "version": "bot"}:
            body = b"That is not the correct password.\n"
            return b"HTTP/1.1 401 Unauthorized\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        self.logins += 1
        return (
            f"HTTP/1.1 200 OK\r\nSet-Cookie: {COOKIE}; Path=/; HttpOnly\r\n"
            "Content-Length: 0\r\nConnection: close\r\n\r\n"
        ).encode()

    async def _session(self, connection: ServerConnection) -> None:
        self.connection = connection
        running = [t.number for t in self.tables.values() if t.game and not t.over.is_set()]
        await self.say("welcome", {"userID": 7, "username": BOT, "playingAtTables": running})
        await self.say("userList", [{"userID": 7, "name": BOT, "status": 0}])
        await self.say("tableList", [table.message for table in self.tables.values()])
        await self.say("chat", {"msg": "Welcome!", "who": "", "room": "lobby", "recipient": ""})
        self.connected.set()
        with suppress(ConnectionClosed):
            async for text in connection:
                command, _, data = str(text).partition(" ")
                self.heard.append((command, json.loads(data)))
                await self._answer(command, json.loads(data))

    async def _answer(self, command: str, data: dict[str, Any]) -> None:
        table = self.tables.get(data.get("tableID", -1))
        if table is None:
            return
        match command:
            case "tableJoin":
                table.players.append(BOT)
                await self.say("table", table.message)
                pregame = {"tableID": table.number, "options": table.all_options}
                await self.say("game", {**pregame, "owner": 1, "players": []})
                await self.say("joined", {"tableID": table.number})
            case "tableLeave":
                table.players.remove(BOT)
                await self.say("table", table.message)
            case "tableReattend":
                await self.say("tableStart", {"tableID": table.number, "replay": False})
            case "getGameInfo1":
                await self.say("init", self._init(table))
            case "getGameInfo2":
                assert table.game
                told = [scrubbed(one, table.session.seat) for one in table.game.told]
                await self.say("gameActionList", {"tableID": table.number, "list": told})
            case "loaded":
                await self._let_donald_move(table)
            case "action":
                await self._act(table, {key: data[key] for key in data if key != "tableID"})

    def _init(self, table: ServerTable) -> dict[str, Any]:
        return {
            "tableID": table.number,
            "playerNames": table.session.game["players"],
            "ourPlayerIndex": table.session.seat,
            "spectating": False,
            "replay": False,
            "datetimeStarted": "2021-07-12T13:28:38Z",
            "options": table.all_options,
            "paused": False,
        }

    async def _act(self, table: ServerTable, action: dict[str, int]) -> None:
        game = table.game
        assert game
        turn = len(game.made)
        fault = game.fault(table.session.seat, action)
        if table.refusals.get(turn, 0) > 0:
            table.refusals[turn] -= 1
            fault = "You cannot perform a game action when the game is paused."
        if fault:
            await self.say("warning", {"warning": fault})
            return
        if turn in table.cut:
            table.cut.remove(turn)
            self.cut()
            return
        if action != game.expected:
            table.differences.append((turn, action, game.expected))
        told = game.make(action)
        if turn in table.cut_after:
            self.cut()
            return
        await self._tell(table, told)
        await self._let_donald_move(table)

    async def _let_donald_move(self, table: ServerTable) -> None:
        game = table.game
        assert game
        if game.expected is not None and game.seat != table.session.seat:
            await self._tell(table, game.make(game.expected))
        if game.expected is None and not table.over.is_set():
            await self.say("tableGone", {"tableID": table.number})
            await self.say("finishOngoingGame", {"tableID": table.number, "databaseID": 99})
            table.over.set()

    async def _tell(self, table: ServerTable, told: list[dict[str, Any]]) -> None:
        for one in told:
            action = scrubbed(one, table.session.seat)
            await self.say("gameAction", {"tableID": table.number, "action": action})


def _authenticated(connection: ServerConnection, request: Request) -> Response | None:
    if request.path == "/ws" and request.headers.get("Cookie") == COOKIE:
        return None
    return connection.respond(HTTPStatus.UNAUTHORIZED, "no cookie\n")


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
