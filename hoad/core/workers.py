"""Independent items, distributed among threads, processes or the machines of a cluster.

:func:`work` does them, and :func:`workers` decides in one place by what. The results do not depend
on that: items that play games take their seed and the games' numbers as arguments.
"""

import hashlib
import os
import platform
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar
from uuid import uuid4

from hoad.core.errors import HoadError, refuse_outside

if TYPE_CHECKING:
    from distributed import Client


Backend = Literal["threads", "loky", "dask"]
"""Threads of this process, processes of this machine, workers of a Dask cluster."""

Result = TypeVar("Result")

SETTINGS: Final = {"children": "HOAD_CHILDREN", "timeout": "HOAD_TIMEOUT"}
"""Options that all workers read from their environment, where no option has set them."""

_SECONDS_TO_LOOK: Final = 0.2  # whether the program is still there

_PACKAGE: Final = Path(__file__).parents[1]
_SUFFIXES: Final = frozenset({".py", ".toml", ".csv"})
_THIS_PROGRAM: Final = uuid4().hex
_last_program = _THIS_PROGRAM
_forget: list[Callable[[], None]] = []
_client: ContextVar["Client | None"] = ContextVar("client", default=None)  # of the cluster in use


def forget_between_programs(forget: Callable[[], None]) -> None:
    """Let workers of a cluster, which outlive programs, call this before they work for another."""
    _forget.append(forget)


def forget_agents() -> None:
    """Forget agents, and what is known of them: their networks and populations may have changed."""
    for forget in _forget:
        forget()


@contextmanager
def workers(backend: Backend, scheduler: str | None = None) -> Iterator[None]:
    """Let these workers do all items inside of this context.

    Workers read this program's folder and its ``HOAD_CHECKPOINTS``. Those of a cluster need this
    version of HOAD and, for agents that are files, the same files in the same places; dask alone
    has the address of a scheduler, e.g. ``tcp://10.0.0.1:8786``.

    A cluster without workers is waited for.

    Raises:
        HoadError: Dask is not installed, has no address, or does not answer there; a worker runs
            other code of HOAD; a worker process died, or one item killed several workers.
    """
    if (backend == "dask") != (scheduler is not None):
        raise HoadError("--backend dask needs --scheduler ADDRESS; no other backend takes one")
    try:
        with _cluster(scheduler) if scheduler else _this_machine(backend):
            yield
    except BrokenProcessPool as error:
        message = "a worker process died, perhaps for lack of memory; use fewer with --threads"
        raise HoadError(message) from error


@contextmanager
def settings(**values: float | None) -> Iterator[None]:
    """Set these ``SETTINGS`` for all workers inside of this context; those that are None stay."""
    variables = {SETTINGS[name]: str(value) for name, value in values.items() if value is not None}
    before = {variable: os.environ.get(variable) for variable in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for variable, value in before.items():
            if value is None:
                del os.environ[variable]
            else:
                os.environ[variable] = value


def number_setting(name: str) -> float | None:
    """Return one of the ``SETTINGS``, a number above 0 (else a HoadError); None if not set."""
    variable = SETTINGS[name]
    text = os.environ.get(variable)
    if text is None:
        return None
    with suppress(ValueError):
        if (value := float(text)) > 0:
            return value
    raise HoadError(f"{variable} is {text!r}, expected a number above 0")


def work(
    function: Callable[..., Result], items: Iterable[tuple[Any, ...]], threads: int
) -> Generator[Result, None, None]:
    """Yield ``function(*item)`` for each item, in the order of the items.

    Args:
        function: a function of a module of HOAD, so that other processes find it.
        items: its arguments, which are small, because they may be sent to another machine.
        threads: items that this machine does at a time; a cluster does one on each thread.
    """
    refuse_outside("threads", threads, 1)
    if (client := _client.get()) is not None:
        from hoad.core.dask_cluster import work_on

        yield from work_on(client, _call, ((_surroundings(), function, item) for item in items))
        return
    from joblib import Parallel, delayed  # --help does not wait for it

    calls = (delayed(_call)(_surroundings(), function, item) for item in items)
    parallel = Parallel(threads, prefer="threads", batch_size=1, return_as="generator")
    results = parallel(calls)
    try:
        for result in results:  # noqa: UP028 (the results must not be closed before us)
            yield result
    finally:
        with warnings.catch_warnings(action="ignore"):  # about results that were not used
            results.close()


_Surroundings = tuple[str, dict[str, str], str, str]


def _surroundings() -> _Surroundings:
    """Return what an item depends on besides its arguments: folder, environment, program, code."""
    return os.getcwd(), _variables(), _THIS_PROGRAM, identity_of_sources()


def _variables() -> dict[str, str]:
    """Return the environment variables that change what HOAD does."""
    return {name: value for name, value in os.environ.items() if name.startswith("HOAD_")}


def _call(surroundings: _Surroundings, function: Callable[..., Result], item: tuple) -> Result:
    """Do one item, perhaps in another process, which gets the surroundings of the program."""
    folder, variables, program, code = surroundings
    with suppress(OSError):  # without such a folder, only agents that are files are missing
        os.chdir(folder)
    if _variables() != variables:
        os.environ.update(variables)
        for name in _variables().keys() - variables.keys():
            os.environ.pop(name, None)
    global _last_program
    if program != _last_program:
        if code != identity_of_sources():
            raise HoadError(
                f"a worker on {platform.node()} runs other code of HOAD, from {_PACKAGE}; install "
                "this version there and start the worker again"
            )
        forget_agents()
        _last_program = program
    return function(*item)


@contextmanager
def _this_machine(backend: Backend) -> Iterator[None]:
    from joblib import parallel_config

    # Workers of loky would wait for minutes for a program that was killed, or go on with its items.
    ending: dict[str, Any] = {"initializer": _end_with, "initargs": (os.getpid(),)}
    chosen = {"backend": "threading"} if backend == "threads" else {"backend": backend, **ending}
    # joblib takes a process in which torch has allocated memory for a leak, and replaces it.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given")
        with parallel_config(**chosen):
            yield


def _end_with(program: int) -> None:
    """Let this process end when the program that started it has ended, perhaps already."""

    def watch() -> None:
        while os.getppid() == program:
            time.sleep(_SECONDS_TO_LOOK)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def _cluster(scheduler: str) -> Iterator[None]:
    try:
        from hoad.core.dask_cluster import cluster  # Dask is optional, and its import takes a while
    except ImportError as error:
        raise HoadError("Dask is not installed: pip install 'hoad[cluster]'") from error
    with cluster(scheduler) as client:
        token = _client.set(client)
        try:
            yield
        finally:
            _client.reset(token)


@cache
def identity_of_sources() -> str:
    """Return the identity of all files of the package that decide what it does.

    It is computed once: a process goes on with the code that it has loaded.
    """
    digest = hashlib.sha1()
    for path in sorted(_PACKAGE.rglob("*")):
        if path.suffix in _SUFFIXES:
            digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
