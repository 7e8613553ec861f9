"""The server of the page, for this machine only.

It listens on the loopback interface. The address that it prints holds a random token; a request
without it, or from another site (by its Host or Origin), is refused, so that no other page in the
browser and no other user of the machine can play.
"""

import errno
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from hoad.core.errors import HoadError
from hoad.human.review import site_game
from hoad.human.room import Room
from hoad.human.session import Session

LOOPBACK: Final = "127.0.0.1"

_PAGE: Final = Path(__file__).with_name("page")
_FILES: Final = {"": "index.html", "style.css": "style.css", "page.js": "page.js"}
"""The files of the page by their path below the token."""

_LONGEST_REQUEST: Final = 4_096
"""Bytes of a message of a tab; the longest holds the name of an agent."""

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def listen(port: int) -> socket.socket:
    """Return a socket that listens on this port of the loopback interface; 0 is any free port.

    Raises:
        HoadError: the port is in use, or may not be used.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()
    except OSError as error:
        listening.close()
        reason = "is in use" if error.errno == errno.EADDRINUSE else f"fails: {error.strerror}"
        raise HoadError(f"port {port} {reason}; choose another with --port, or 0") from error
    return listening


def make_server(
    session: Session, listening: socket.socket, agent: str | None, announce: Callable[[str], None]
) -> uvicorn.Server:
    """Return the server of the page; its ``run(sockets=[listening])`` ends with Ctrl-C.

    Args:
        session: the person's games.
        listening: of :func:`listen`.
        agent: an agent to begin a game with, if none is being played.
        announce: is called with the page's address once it can be opened.
    """
    token = secrets.token_urlsafe(24)
    port = listening.getsockname()[1]
    address = f"http://{LOOPBACK}:{port}/{token}/"
    app = make_app(session, agent, token, port, lambda: announce(address))
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        ws_max_size=_LONGEST_REQUEST,
    )
    return uvicorn.Server(config)


def make_app(
    session: Session, agent: str | None, token: str, port: int, ready: Callable[[], None]
) -> App:
    """Return the application: the page, its files, games for hanab.live, and the web socket."""
    room = Room(session, agent)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await room.open()
        ready()
        yield

    def page(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def send(request: Request) -> Response:
            return FileResponse(_PAGE / name, headers=_HEADERS)

        return send

    async def game(request: Request) -> Response:
        index = request.path_params["game"]
        try:
            found = site_game(session.games, index)
        except HoadError as error:
            return PlainTextResponse(str(error), 404, _HEADERS)
        name = f'attachment; filename="hanab-live-{index}.json"'
        return JSONResponse(found, headers=_HEADERS | {"Content-Disposition": name})

    async def table(socket: WebSocket) -> None:
        await socket.accept()
        await room.visit(socket)

    routes = [
        *(Route(f"/{path}", page(name)) for path, name in _FILES.items()),
        Route("/games/{game:int}.json", game),
        WebSocketRoute("/table", table),
    ]
    app = Starlette(routes=[Mount(f"/{token}", routes=routes)], lifespan=lifespan)
    return _OnlyHere(app, token, port)


class _OnlyHere:
    """Refuses requests without the token, or that another site made the browser send."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._may_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            text = "Open the address that play.py has printed when it started.\n"
            await PlainTextResponse(text, 403, _HEADERS)(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        headers = dict(scope["headers"])
        host, origin = (headers.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        token = scope["path"].split("/")[1] if scope["path"].startswith("/") else ""
        own = origin == f"http://{host}" or (scope["type"] == "http" and not origin)
        known = secrets.compare_digest(token.encode(), self._token.encode())
        return host in self._hosts and own and known
