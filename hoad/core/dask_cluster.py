"""Workers of a Dask cluster. This module needs Dask: ``pip install 'hoad[cluster]'``."""

import re
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, Final

from dask.typing import Key
from distributed import Client, KilledWorker, as_completed

from hoad.core.errors import HoadError

_SECONDS_TO_CONNECT: Final = 5

_PATIENCE: Final = 60
"""Seconds for a scheduler to answer, on a machine that is busy."""

_SECONDS_WITHOUT_WORKERS: Final = 60
"""How often a wait for results looks whether there are workers, and says if there are none."""

_ITEMS_A_THREAD: Final = 2
"""Items that are sent for each thread of a worker: one that it does, and the next one."""


@contextmanager
def cluster(scheduler: str) -> Iterator[Client]:
    """Connect to a cluster; a HoadError if none answers, or an item killed several workers."""
    address = re.fullmatch(r"(?:\w+://)?([^/]+):(\d+)", scheduler)
    if not address:
        raise HoadError(
            f"{scheduler}: expected an address of a scheduler, such as tcp://10.0.0.1:8786"
        )
    try:
        # Dask would try a port on which nothing listens again and again.
        socket.create_connection((address[1].strip("[]"), address[2]), _SECONDS_TO_CONNECT).close()
        client = Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, OverflowError, ValueError) as error:  # such as a port above 65535
        raise HoadError(f"{scheduler}: no Dask scheduler answers; is the address right?") from error
    try:
        with client:
            yield client
    except KilledWorker as error:
        raise HoadError(
            f"{scheduler}: workers died one after another of the same item; give them more memory"
        ) from error


def work_on(
    client: Client, function: Callable[..., Any], items: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    """Yield ``function(*item)`` for each item, in the order of the items.

    Workers may join and leave at any time. Where there are none, a line says so, again each
    minute, and items wait.
    """
    numbered = enumerate(items)
    running = as_completed(loop=client.loop)
    numbers: dict[Key, int] = {}  # of the items, by the keys of their futures
    results: dict[int, Any] = {}  # of items that were done before an earlier one
    due = 0

    def submit() -> None:
        threads = sum(client.nthreads().values())
        if not threads:
            _say_that_none_is_there(client)
        wanted = _ITEMS_A_THREAD * max(1, threads) - running.count()
        for number, item in islice(numbered, max(0, wanted)):
            future = client.submit(function, *item, pure=False)
            numbers[future.key] = number
            running.add(future)

    with _watched(client):
        try:
            submit()
            for future in running:
                results[numbers.pop(future.key)] = future.result()
                submit()
                while due in results:
                    yield results.pop(due)
                    due += 1
        finally:
            running.clear()  # the cluster drops what no future asks for


@contextmanager
def _watched(client: Client) -> Iterator[None]:
    """Say again and again, in another thread, when there are no workers."""
    over = threading.Event()

    def watch() -> None:
        with suppress(OSError):  # the scheduler is gone, which the wait for results raises
            while not over.wait(_SECONDS_WITHOUT_WORKERS) and client.status == "running":
                if not client.nthreads():
                    _say_that_none_is_there(client)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _say_that_none_is_there(client: Client) -> None:
    address = client.scheduler_info()["address"]
    print(f"waiting for workers of the cluster at {address}", file=sys.stderr, flush=True)
