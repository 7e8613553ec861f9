"""The connection of one agent to a hanabi-live server. It needs ``pip install 'hoad[live]'``."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, Literal

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from hoad.agents.agent import Agent
from hoad.core.errors import HoadError
from hoad.core.files import one_line
from hoad.core.thinking import Worker
from hoad.live.protocol import (
    ActionList,
    Chat,
    Failed,
    Init,
    OfTable,
    OneAction,
    Pause,
    Pregame,
    TableInfo,
    TableList,
    Warned,
    Welcome,
    decode,
    encode,
    read,
    read_told,
    refusal,
)
from hoad.live.site import PREFIX, Account, Site
from hoad.live.table import Table, leave

LONGEST_WAIT: Final = 60.0
"""Seconds between attempts to connect, after several that failed; they double from the first."""

HOW_TO: Final = (
    'Open a table for two players with the variant "No Variant", then send me "/join" or, if the '
    'table has a password, "/join PASSWORD".'
)
_LARGEST_MESSAGE: Final = 2**24
_MOST_TABLES: Final = 10_000  # that are remembered of the lobby
_MOST_GAMES: Final = 100  # that are played at a time
_ELSEWHERE: Final = "logged on from somewhere else"


class _Connect(connect):
    """A connection that follows no redirection."""

    def process_redirect(self, exc: Exception) -> Exception:
        return exc


class Client:
    """Plays as one fair agent at all tables of a server to which it is asked.

    Several tables may ask the agent at the same time. ``say`` prints a line about what happens;
    ``first_wait`` is the seconds before the first attempt to connect again.
    """

    def __init__(
        self,
        site: Site,
        account: Account,
        agent: Agent,
        seed: int,
        say: Callable[[str], None],
        first_wait: float = 1.0,
    ) -> None:
        self._site, self._account = site, account
        self._agent, self._seed = agent, seed
        self._print = say
        self._first_wait = self._wait = first_wait
        self._socket: ClientConnection | None = None
        self._me = account.name
        self._lobby: dict[int, TableInfo] = {}
        self._games: dict[int, Table] = {}
        self._handlers: dict[str, Callable[[Any], Awaitable[None]]] = {
            "welcome": self._on_welcome,
            "warning": self._on_warning,
            "error": self._on_error,
            "chat": self._on_chat,
            "table": self._on_table,
            "tableList": self._on_table_list,
            "tableGone": self._on_table_gone,
            "game": self._on_pregame,
            "tableStart": self._on_start,
            "init": self._on_init,
            "gameActionList": self._on_action_list,
            "gameAction": self._on_action,
            "pause": self._on_pause,
            "finishOngoingGame": self._on_finish,
        }

    def _say(self, line: str) -> None:
        """Print a line, which may hold what others wrote; games go on while a disk is full."""
        try:
            self._print(one_line(line))
        except BrokenPipeError:
            raise
        except OSError:
            pass

    async def run(self) -> None:
        """Play until cancelled; connect again whenever the connection ends.

        Raises:
            HoadError: the server refuses the account, or it is in use elsewhere.
        """
        try:
            while True:
                try:
                    await self._connected()
                    reason = "the server closed the connection"
                except HoadError:
                    raise
                except Exception as error:  # of the connection, or of whatever came over it
                    reason = str(error) or type(error).__name__
                self._say(f"{reason}; the next attempt is in {self._wait:g} s")
                await asyncio.sleep(self._wait)
                self._wait = min(2 * self._wait, LONGEST_WAIT)
        finally:
            for table in self._games.values():
                table.close()

    async def _connected(self) -> None:
        """Log in, connect, and answer messages until the connection ends."""
        worker = Worker()
        try:
            logging_in = worker.do(self._site.log_in, self._account)
            headers = {"Cookie": await asyncio.wait_for(logging_in, LONGEST_WAIT)}
        finally:
            worker.end()
        proxy: Literal[True] | None = True if self._site.is_secure else None
        async with _Connect(
            self._site.socket, additional_headers=headers, max_size=_LARGEST_MESSAGE, proxy=proxy
        ) as socket:
            self._socket = socket
            try:
                async for text in socket:
                    if isinstance(text, str):  # the site sends nothing else
                        await self._hear(text)
            finally:
                self._socket = None

    async def _send(self, command: str, **data: Any) -> None:
        """Send a message; without a connection it is dropped: the server tells all again."""
        if self._socket is not None:
            with suppress(ConnectionClosed):  # the reader of the connection notices too
                await self._socket.send(encode(command, **data))

    async def _hear(self, text: str) -> None:
        """Do what a message asks for; of a table where one is not understood, nothing is known."""
        data: Any = None
        try:
            command, data = decode(text)
            if command in self._handlers:
                await self._handlers[command](data)
        except ValueError as error:  # pydantic's errors too
            self._say(f"a message is not understood: {one_line(text, 80)}: {error}")
            number = data.get("tableID") if isinstance(data, dict) else None
            if isinstance(number, int) and number in self._games:
                await self._games[number].give_up("a message of the server is not understood")

    async def _on_welcome(self, data: Any) -> None:
        welcome = read(Welcome, data)
        if not welcome.username.startswith(PREFIX):
            raise OSError(f"the server calls the player {welcome.username}, not {PREFIX}...")
        self._wait = self._first_wait
        self._me = welcome.username
        self._say(f"connected as {self._me}")
        for number in welcome.playing_at:
            if number not in self._games or not self._games[number].left:
                await self._send("tableReattend", tableID=number)

    async def _on_warning(self, data: Any) -> None:
        self._say(f"the server refuses: {read(Warned, data).warning}")
        for table in list(self._games.values()):
            await table.refuse()

    async def _on_error(self, data: Any) -> None:
        message = read(Failed, data).error
        if _ELSEWHERE in message:  # connecting again would throw the other one out
            raise HoadError(f"{self._me} is in use elsewhere: {one_line(message)}")
        self._say(f"the server reports an error: {message}")

    async def _on_chat(self, data: Any) -> None:
        chat = read(Chat, data)
        words = invitation(chat, self._me)
        if words is None:
            return
        answer = answer_to(words, chat.who, self._lobby)
        if isinstance(answer, str):
            await self._send("chatPM", msg=answer, recipient=chat.who, room="lobby")
            return
        table, password = answer
        self._say(f"table {table.id}: {chat.who} asks the agent to join")
        secret = {"password": password} if password else {}
        await self._send("tableJoin", tableID=table.id, **secret)

    async def _on_table(self, data: Any) -> None:
        await self._see(read(TableInfo, data))

    async def _see(self, table: TableInfo) -> None:
        if len(self._lobby) < _MOST_TABLES:
            self._lobby[table.id] = table
        if table.joined and not (table.running or table.replay):
            reason = refusal({"variantName": table.variant}, len(table.players))
            await self._leave_waiting(table.id, reason)

    async def _on_table_list(self, data: Any) -> None:
        self._lobby = {}
        for table in read(TableList, {"tables": data}).tables:
            await self._see(table)

    async def _on_table_gone(self, data: Any) -> None:
        number = read(OfTable, data).number
        self._lobby.pop(number, None)
        if (game := self._games.get(number)) and game.left:
            del self._games[number]

    async def _on_pregame(self, data: Any) -> None:
        table = read(Pregame, data)
        await self._leave_waiting(table.number, refusal(table.options, 2))

    async def _leave_waiting(self, number: int, reason: str | None) -> None:
        """Leave a table before its game starts, if there is a reason."""
        if reason is not None:
            await self._send("chat", msg=f"Sorry, I must leave. {reason}", room=f"table{number}")
            await self._send("tableLeave", tableID=number)

    async def _on_start(self, data: Any) -> None:
        table = read(OfTable, data)
        if not table.replay:
            await self._send("getGameInfo1", tableID=table.number)

    async def _on_init(self, data: Any) -> None:
        init = read(Init, data)
        if init.replay or init.spectating:
            return
        table = self._games.get(init.number)
        reason = refusal(init.options, len(init.names), init.seat)
        playing = sum(not game.left for game in self._games.values())
        if reason is None and table is None and playing >= _MOST_GAMES:
            reason = f"I play at {_MOST_GAMES} tables already."
        if reason is not None:
            if table is not None:
                table.close()
                del self._games[init.number]
            await leave(init.number, reason, self._send, self._say)
            return
        if table is not None and table.started == init.started:
            table.tell_again(init)
        else:
            if table is not None:
                table.close()
            table = Table(self._agent, self._seed, init, self._send, self._say)
            self._games[init.number] = table
            self._say(f"table {init.number}: a game with {' and '.join(init.names)}")
        await self._send("getGameInfo2", tableID=init.number)

    async def _on_action_list(self, data: Any) -> None:
        actions = read(ActionList, data)
        await self._tell(actions.number, actions.told)
        await self._send("loaded", tableID=actions.number)

    async def _on_action(self, data: Any) -> None:
        action = read(OneAction, data)
        await self._tell(action.number, [action.told])

    async def _tell(self, number: int, actions: list[Any]) -> None:
        table = self._games.get(number)
        if table is None or table.left:
            return
        try:
            for action in actions:
                told = read_told(action)
                if told is not None:
                    table.hear(told)
        except (HoadError, ValueError) as error:  # pydantic's errors are ValueErrors
            await table.give_up(str(error))
        table.move_if_due()

    async def _on_pause(self, data: Any) -> None:
        pause = read(Pause, data)
        if pause.number in self._games:
            self._games[pause.number].paused = pause.active
            self._games[pause.number].move_if_due()

    async def _on_finish(self, data: Any) -> None:
        number = read(OfTable, data).number
        table = self._games.pop(number, None)
        if table is not None:
            table.close()
            self._say(f"table {number}: the game is over with {table.score} points")
            await self._send("tableUnattend", tableID=number)


def invitation(chat: Chat, me: str) -> str | None:
    """Return what a private message to ``me`` says after its slash; None for other messages."""
    for_me = chat.recipient == me and chat.who != me
    return chat.msg[1:].strip() if for_me and chat.msg.startswith("/") else None


def find_table(tables: Iterable[TableInfo], player: str) -> TableInfo | None:
    """Return the table that waits for players and at which a player sits."""
    waiting = (table for table in tables if not (table.running or table.replay or table.joined))
    return next((table for table in waiting if player in table.players), None)


def answer_to(
    words: str, player: str, tables: Mapping[int, TableInfo]
) -> tuple[TableInfo, str] | str:
    """Return the table to join and its password, or a line that says what is missing."""
    command, _, password = words.partition(" ")
    if command != "join":
        return HOW_TO
    table = find_table(tables.values(), player)
    if table is None:
        return f"I see no table at which you wait for players. {HOW_TO}"
    reason = refusal({"variantName": table.variant}, len(table.players) + 1)
    return f"Sorry, I cannot join. {reason}" if reason else (table, password.strip())
