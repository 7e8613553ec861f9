"""The server in a thread of this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from socket import socket
from threading import Thread

import uvicorn

from hoad.human.door import address_of, listen, new_token
from hoad.human.server import make_server
from hoad.human.session import Session
from hoad.human.warm_up import warm_up
from hoad.human.watching import WatchedGames, make_watching_server

_warm_up = cache(warm_up)


@contextmanager
def served(folder: Path, agent: str | None = None) -> Iterator[str]:
    """Serve the games of a folder; yield the address of the page."""
    _warm_up()
    token = new_token()
    with listen(0) as listening:
        server = make_server(Session(folder, seed=3), listening, token, agent)
        with _running(server, listening):
            yield address_of(listening, token)


@contextmanager
def watching(*players: str, seed: int) -> Iterator[str]:
    """Serve games of two agents; yield the address of the page."""
    token = new_token()
    with listen(0) as listening:
        server = make_watching_server(WatchedGames(players, seed), listening, token)
        with _running(server, listening):
            yield address_of(listening, token)


@contextmanager
def _running(server: uvicorn.Server, listening: socket) -> Iterator[None]:
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def port_of(address: str) -> int:
    """The port of an address."""
    return int(address.split(":")[2].partition("/")[0])
