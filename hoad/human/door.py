"""The door of the server: it listens on this machine only, and lets in who has its address.

It listens on the loopback interface. The address holds a random token; a request without it, or
from another site (by its Host or Origin), is refused, so that no other page in the browser and no
other user of the machine can play.
"""

import errno
import os
import re
import secrets
import socket
import stat
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.responses import PlainTextResponse

from hoad.core.errors import HoadError
from hoad.core.files import open_regular, reporting

LOOPBACK: Final = "127.0.0.1"

HEADERS: Final = {
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


def new_token() -> str:
    """Return a random token for an address."""
    return secrets.token_urlsafe(24)


def kept_token(folder: Path) -> str:
    """Return the token of a folder of games, so that an open page finds a server that restarts.

    It is in the file ``token``, which only the user may read; one that others may read, or that
    holds something else, is replaced.

    Raises:
        HoadError: the file cannot be read or written.
    """
    path = folder / "token"
    with reporting(path, "cannot read or write this file"):
        with suppress(FileNotFoundError), os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
            kept = file.read(100).decode("latin-1")
            is_private = not stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077
            if is_private and re.fullmatch(r"[\w-]{32}", kept, re.ASCII):
                return kept
        path.unlink(missing_ok=True)
        token = new_token()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(token.encode())
    return token


def address_of(listening: socket.socket, token: str) -> str:
    """Return the address of the page."""
    return f"http://{LOOPBACK}:{port_of(listening)}/{token}/"


def port_of(listening: socket.socket) -> int:
    """Return the port of a socket that listens."""
    return listening.getsockname()[1]


def server_of(app: App, listening: socket.socket, token: str, **settings: Any) -> uvicorn.Server:
    """Return a server of an application for those who have the token, with settings of uvicorn."""
    config = uvicorn.Config(
        OnlyHere(app, token, port_of(listening)),
        log_level="critical",
        access_log=False,
        timeout_graceful_shutdown=1,
        **settings,
    )
    return uvicorn.Server(config)


class OnlyHere:
    """Refuses requests without the token, or that another site made the browser send."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, or refuse."""
        if scope["type"] == "lifespan" or self._may_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            text = "Open the address that play.py has printed when it started.\n"
            await PlainTextResponse(text, 403, HEADERS)(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        headers = dict(scope["headers"])
        host, origin = (headers.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        token = scope["path"].split("/")[1] if scope["path"].startswith("/") else ""
        own = origin == f"http://{host}" or (scope["type"] == "http" and not origin)
        known = secrets.compare_digest(token.encode(), self._token.encode())
        return host in self._hosts and own and known
