"""What the page shows while the game and the agents are compiled."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse
from starlette.routing import Route

from hoad.core.program.compiling import compiled
from hoad.human.door import HEADERS, server_of
from hoad.watch.page import FILES

_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="1">
<title>HOAD: preparing</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<header><h1>HOAD</h1><p id="message" role="status">{words}</p></header>
</html>
"""

_LOADING: Final = "Preparing: the agents are being loaded …"
_COMPILING: Final = (
    "Preparing: the game and the agents are being compiled, once after each change of code or "
    "version, which takes about 90 seconds. {done} functions are done …"
)


@contextmanager
def preparing(listening: socket.socket, token: str) -> Iterator[None]:
    """Show how far the compilation is, on the page, until the block ends.

    The page loads itself again each second; what serves next on the socket then answers.
    """
    routes = [Route("/{token}/", _show), Route("/{token}/style.css", _style)]
    server = server_of(Starlette(routes=routes), listening, token, lifespan="off")
    thread = Thread(target=server.run, kwargs={"sockets": [listening.dup()]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


async def _show(request: Request) -> HTMLResponse:
    done = compiled()
    words = _COMPILING.format(done=done) if done else _LOADING
    return HTMLResponse(_PAGE.format(words=words), headers=HEADERS)


async def _style(request: Request) -> FileResponse:
    return FileResponse(FILES / "style.css", headers=HEADERS)
