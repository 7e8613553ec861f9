"""A thread that computes while the server answers."""

import asyncio
import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")

_Task = tuple[asyncio.AbstractEventLoop, "asyncio.Future[Any]", Callable[[], Any]]


class Worker:
    """A thread that does one thing after another.

    Compiled code leaves the other threads alone, plain Python lets them in every few milliseconds.
    The thread does not keep the program from ending, even if an agent never answers.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        Thread(target=self._work, daemon=True).start()

    async def do(
        self, function: Callable[P, ResultT], *arguments: P.args, **keys: P.kwargs
    ) -> ResultT:
        """Call a function in the thread, and return or raise what it does."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[ResultT] = loop.create_future()
        self._tasks.put((loop, future, lambda: function(*arguments, **keys)))
        return await future

    def end(self) -> None:
        """Let the thread end after what it was asked to do so far."""
        self._tasks.put(None)

    def _work(self) -> None:
        while asked := self._tasks.get():
            loop, future, task = asked
            settle: Callable[[Any], None]
            try:
                result: Any = task()
                settle = future.set_result
            except BaseException as error:  # somebody's program may call exit()
                known = isinstance(error, Exception)
                result = error if known else RuntimeError(f"{type(error).__name__} {error}")
                settle = future.set_exception
            with contextlib.suppress(RuntimeError):  # the program is ending: the loop is closed
                loop.call_soon_threadsafe(_settle, future, settle, result)


def _settle(future: "asyncio.Future[Any]", settle: Callable[[Any], None], result: Any) -> None:
    if not future.done():
        settle(result)
