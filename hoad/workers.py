"""Many independent items, shared out among threads, processes or the machines of a cluster.

Everything that is many independent items goes through :func:`work`. Who does it is decided in one
place, with :func:`workers`, and changes nothing of the results: an item depends on its arguments
alone, so those who play games take their seed and the games' numbers.
"""

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Literal, TypeVar

from joblib import Parallel, delayed, parallel_config
from joblib._dask import DaskDistributedBackend

from hoad.errors import HoadError

Backend = Literal["threads", "loky", "dask"]
"""Threads of this process, processes of this machine, workers of a Dask cluster."""

Result = TypeVar("Result")

_SECONDS_TO_ANSWER = 5


@contextmanager
def workers(backend: Backend, scheduler: str | None = None) -> Iterator[None]:
    """Let all items inside of this context be done by these workers.

    The workers of a cluster need this version of HOAD and, for agents that are files, the same
    files in the same places.

    Args:
        backend: who works.
        scheduler: address of the Dask scheduler, e.g. ``tcp://10.0.0.1:8786``; for dask only.

    Raises:
        HoadError: Dask is not installed, has no address, or does not answer there; a worker
            died, or again and again whoever did an item.
    """
    if (backend == "dask") != (scheduler is not None):
        raise HoadError("--backend dask needs --scheduler ADDRESS; no other backend takes one")
    if scheduler is not None:
        with _dask(scheduler):
            yield
        return
    try:
        with parallel_config(backend="threading" if backend == "threads" else backend):
            yield
    except BrokenProcessPool as error:
        raise HoadError(
            "a worker process died, perhaps for lack of memory; use fewer with --threads"
        ) from error


def work(
    function: Callable[..., Result], items: Iterable[tuple[Any, ...]], threads: int
) -> Iterator[Result]:
    """Yield ``function(*item)`` for each item, in the order of the items.

    Args:
        function: a function of a module of HOAD, so that other processes find it.
        items: its arguments; small, for they may travel.
        threads: how many items are done at a time by threads or processes of this machine; a
            cluster does as many as it has threads.

    Raises:
        HoadError: whatever ``function`` raises.
    """
    calls = (delayed(_call)(_packages(), function, item) for item in items)
    parallel = Parallel(threads, prefer="threads", batch_size=1, return_as="generator")
    results = parallel(calls)
    try:
        for result in results:  # noqa: UP028 (the results shall not be closed before us)
            yield result
    finally:
        with warnings.catch_warnings(action="ignore"):  # that some were done in vain
            results.close()


def _call(packages: tuple[str, ...], function: Callable[..., Result], item: tuple) -> Result:
    """Do one item, perhaps in another process, where agents must be registered first."""
    for package in packages:
        import_module(package)
    return function(*item)


def _packages() -> tuple[str, ...]:
    """Return the packages of HOAD that are in use; importing some lets the registry find agents."""
    used = (name for name in list(sys.modules) if name.startswith("hoad."))
    return tuple(sorted(name for name in used if hasattr(sys.modules[name], "__path__")))


@contextmanager
def _dask(scheduler: str) -> Iterator[None]:
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise HoadError("Dask is not installed: pip install 'hoad[cluster]'") from error
    if not re.fullmatch(r"(\w+://)?[^/]+:\d+", scheduler):
        raise HoadError(
            f"{scheduler}: expected an address of a scheduler as in tcp://10.0.0.1:8786"
        )
    try:
        client = Client(scheduler, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except OSError as error:
        raise HoadError(f"{scheduler}: no Dask scheduler answers; is the address right?") from error
    try:
        with client, parallel_config(backend=_Cluster(client=client)):
            yield
    except KilledWorker as error:
        raise HoadError(
            f"{scheduler}: workers died one after another of the same item; give them more memory"
        ) from error
    except TimeoutError as error:
        raise HoadError(f"{scheduler}: this Dask scheduler has no workers; start some") from error


class _Cluster(DaskDistributedBackend):
    """Joblib's backend, which by itself waits for ever for an item that kills its workers."""

    def submit(self, func: Any, callback: Any = None) -> Any:
        future = super().submit(func, callback)
        future.add_done_callback(lambda done: done.exception() and callback(done.exception()))
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        if isinstance(out, Exception):
            raise out
        return super().retrieve_result_callback(out)
