"""Many independent items, shared out among threads, processes or the machines of a cluster.

Everything that is many independent items goes through :func:`work`. Who does it is decided in one
place, with :func:`workers`, and changes nothing of the results: an item depends on its arguments
alone, so those who play games take their seed and the games' numbers.
"""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar
from uuid import uuid4

from joblib import Parallel, delayed, parallel_config

from hoad.core.errors import HoadError

Backend = Literal["threads", "loky", "dask"]
"""Threads of this process, processes of this machine, workers of a Dask cluster."""

Result = TypeVar("Result")

_SETTINGS = "HOAD_"
"""How the names of environment variables begin that change what HOAD does."""

_THIS_PROGRAM: Final = uuid4().hex
_last_program = _THIS_PROGRAM
_forget: list[Callable[[], None]] = []


def forget_between_programs(forget: Callable[[], None]) -> None:
    """Let workers call this before they work for another program than before.

    Workers of a cluster outlive programs; what they remember of files may have changed by then.
    """
    _forget.append(forget)


@contextmanager
def workers(backend: Backend, scheduler: str | None = None) -> Iterator[None]:
    """Let all items inside of this context be done by these workers.

    Workers read this program's folder and its ``HOAD_CHECKPOINTS``. Those of a cluster need this
    version of HOAD and, for agents that are files, the same files in the same places.

    Args:
        backend: who works.
        scheduler: address of the Dask scheduler, e.g. ``tcp://10.0.0.1:8786``; for dask only.

    Raises:
        HoadError: Dask is not installed, has no address, or does not answer there; a worker
            died, or again and again whoever did an item.
    """
    if (backend == "dask") != (scheduler is not None):
        raise HoadError("--backend dask needs --scheduler ADDRESS; no other backend takes one")
    try:
        with _cluster(scheduler) if scheduler else _this_machine(backend):
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
    calls = (delayed(_call)(_Surroundings.of_this_process(), function, item) for item in items)
    parallel = Parallel(threads, prefer="threads", batch_size=1, return_as="generator")
    results = parallel(calls)
    try:
        for result in results:  # noqa: UP028 (the results shall not be closed before us)
            yield result
    finally:
        with warnings.catch_warnings(action="ignore"):  # that some were done in vain
            results.close()


@dataclass(frozen=True)
class _Surroundings:
    """What an item's result depends on besides its arguments, in whatever process it is done.

    Attributes:
        folder: what relative paths of agents begin at.
        settings: environment variables.
        program: whose item it is.
    """

    folder: str
    settings: dict[str, str]
    program: str

    @classmethod
    def of_this_process(cls) -> "_Surroundings":
        return cls(os.getcwd(), _settings(), _THIS_PROGRAM)

    def enter(self) -> None:
        """Make them those of this process, where they are not already."""
        with suppress(OSError):  # where there is no such folder, agents that are files are missed
            os.chdir(self.folder)
        if _settings() != self.settings:
            os.environ.update(self.settings)
            for name in _settings().keys() - self.settings.keys():
                os.environ.pop(name, None)
        global _last_program
        if self.program != _last_program:
            for forget in _forget:
                forget()
            _last_program = self.program


def _settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_SETTINGS)}


def _call(surroundings: _Surroundings, function: Callable[..., Result], item: tuple) -> Result:
    """Do one item, perhaps in another process."""
    surroundings.enter()
    return function(*item)


@contextmanager
def _this_machine(backend: Backend) -> Iterator[None]:
    # A process that torch has made large is taken for leaking, and another takes its place.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given")
        with parallel_config(backend="threading" if backend == "threads" else backend):
            yield


def _cluster(scheduler: str) -> AbstractContextManager[None]:
    try:
        from hoad.core.cluster import cluster  # Dask takes a while, and need not be there
    except ImportError as error:
        raise HoadError("Dask is not installed: pip install 'hoad[cluster]'") from error
    return cluster(scheduler)
