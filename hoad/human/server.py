"""The servers of the page: of a table, and of games of two agents that a person watches.

The first has the files of the page, the web socket of the table and games for hanab.live; the
second serves each game as a page of its own (``play.py --watch``).
"""

import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from hoad.core.errors import HoadError
from hoad.core.thinking import Worker
from hoad.human.door import HEADERS, App, server_of
from hoad.human.review import site_game
from hoad.human.room import Room
from hoad.human.session import Session
from hoad.watch.page import FILES, help_dialog, page_of, policy
from hoad.watch.story import story_of

_PAGE: Final = Path(__file__).with_name("page")
_FILES: Final = {
    "page.js": _PAGE / "page.js",
    "style.css": FILES / "style.css",
    "table.js": FILES / "table.js",
}
"""The files that the page loads, by their path below the token."""

_KEPT: Final = 8  # pages of watched games

_LONGEST_REQUEST: Final = 4_096
"""Bytes of a message of a tab; the longest holds the name of an agent."""


def make_server(
    session: Session, listening: socket.socket, token: str, agent: str | None = None
) -> uvicorn.Server:
    """Return the server of the page; its ``run(sockets=[listening])`` ends with Ctrl-C.

    The socket is that of :func:`hoad.human.door.listen`. If no game is being played, one with the
    ``agent`` begins.
    """
    app = make_app(session, agent)
    return server_of(app, listening, token, lifespan="on", ws_max_size=_LONGEST_REQUEST)


def make_app(session: Session, agent: str | None) -> App:
    """Return the application: the page, its files, games for hanab.live, and the web socket."""
    room = Room(session, agent)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await room.open()
        yield

    async def index(request: Request) -> Response:
        text = (_PAGE / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(text.replace("{{ help }}", help_dialog()), headers=HEADERS)

    def page(file: Path) -> Callable[[Request], Awaitable[Response]]:
        async def send(request: Request) -> Response:
            return FileResponse(file, headers=HEADERS)

        return send

    async def game(request: Request) -> Response:
        index = request.path_params["game"]
        try:
            record = site_game(session.games, index)
        except HoadError as error:
            return PlainTextResponse(str(error), 404, HEADERS)
        name = f'attachment; filename="hanab-live-{index}.json"'
        return JSONResponse(record, headers=HEADERS | {"Content-Disposition": name})

    async def table(socket: WebSocket) -> None:
        await socket.accept()
        await room.visit(socket)

    routes = [
        Route("/", index),
        *(Route(f"/{path}", page(file)) for path, file in _FILES.items()),
        Route("/games/{game:int}.json", game),
        WebSocketRoute("/table", table),
    ]
    return Starlette(routes=[Mount("/{token}", routes=routes)], lifespan=lifespan)


_HEADERS: Final = HEADERS | {
    "Content-Security-Policy": f"{policy()}; frame-ancestors 'none'; base-uri 'none'"
}


class WatchedGames:
    """Games of two agents, by name, as pages; each game is played when it is asked for.

    The last few pages are kept; a game that is asked for again is the same.
    """

    def __init__(self, players: Sequence[str], seed: int) -> None:
        self._players, self._seed = players, seed
        self._pages: dict[int, str] = {}

    def page(self, game: int) -> str:
        """Return the page of a game by its number; a HoadError if an agent fails."""
        if game not in self._pages:
            story = story_of(self._players, self._seed, game)
            others = {"Previous game": f"?game={game - 1}"} if game else {}
            others["Next game"] = f"?game={game + 1}"
            self._pages[game] = page_of(story, story.told(), others)
            if len(self._pages) > _KEPT:
                del self._pages[next(iter(self._pages))]
        return self._pages[game]


def make_watching_server(
    games: WatchedGames, listening: socket.socket, token: str
) -> uvicorn.Server:
    """Return the server; its ``run(sockets=[listening])`` ends with Ctrl-C.

    ``?game=N`` shows the game with the number N, without it 0. The socket is that of
    :func:`hoad.human.door.listen`.
    """
    worker = Worker()

    async def show(request: Request) -> Response:
        asked = request.query_params.get("game", "0")
        if not re.fullmatch("[0-9]{1,9}", asked):
            return PlainTextResponse("There is no such game.", 404, HEADERS)
        try:
            page = await worker.do(games.page, int(asked))
        except HoadError as error:
            return PlainTextResponse(str(error), 500, HEADERS)
        return HTMLResponse(page, headers=_HEADERS)

    return server_of(Starlette(routes=[Route("/{token}/", show)]), listening, token)
