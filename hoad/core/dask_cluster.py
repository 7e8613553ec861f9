"""Workers of a Dask cluster. This module needs Dask: ``pip install 'hoad[cluster]'``."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from distributed import Client, KilledWorker
from joblib import parallel_config
from joblib._dask import DaskDistributedBackend  # joblib has no other name for it

from hoad.core.errors import HoadError

_SECONDS_TO_CONNECT = 5

_PATIENCE = 60
"""Seconds for a scheduler to answer, and for workers to start, on machines that are busy."""


@contextmanager
def cluster(scheduler: str) -> Iterator[None]:
    """Let joblib give all items inside of this context to a cluster.

    Raises:
        HoadError: no scheduler with workers answers there, or an item killed several workers.
    """
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
    backend = _Cluster(client=client, wait_for_workers_timeout=_PATIENCE)
    try:
        with client, parallel_config(backend=backend):
            yield
    except KilledWorker as error:
        raise HoadError(
            f"{scheduler}: workers died one after another of the same item; give them more memory"
        ) from error
    except TimeoutError as error:
        raise HoadError(f"{scheduler}: this Dask scheduler has no workers; start some") from error


class _Cluster(DaskDistributedBackend):
    """Joblib's backend, which alone would wait for ever for an item that kills its workers."""

    def effective_n_jobs(self, n_jobs: int) -> int:
        # Joblib would do all items in this process if the cluster has one thread, as while the
        # other workers start.
        return max(2, super().effective_n_jobs(n_jobs))

    def submit(self, func: Any, callback: Any = None) -> Any:
        future = super().submit(func, callback)
        future.add_done_callback(lambda done: done.exception() and callback(done.exception()))
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        if isinstance(out, Exception):
            raise out
        return super().retrieve_result_callback(out)
