"""The server in a thread of this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from hoad.human.server import listen, make_server
from hoad.human.session import Session
from hoad.human.warm_up import warm_up

_warm_up = cache(warm_up)


@contextmanager
def served(folder: Path, seed: int = 3, agent: str | None = None) -> Iterator[str]:
    """Serve the games of a folder; yield the address of the page."""
    _warm_up()
    addresses: SimpleQueue[str] = SimpleQueue()
    with listen(0) as listening:
        server = make_server(Session(folder, seed), listening, agent, addresses.put)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield addresses.get(timeout=30)
        finally:
            server.should_exit = True
            thread.join()


def port_of(address: str) -> int:
    """The port of an address."""
    return int(address.split(":")[2].partition("/")[0])
