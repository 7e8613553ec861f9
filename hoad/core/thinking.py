"""A thread that computes while other messages are answered."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class Worker:
    """A thread that does one thing after another.

    Compiled code leaves the other threads alone, plain Python lets them in every few milliseconds.
    The thread does not keep the program from ending, even if an agent never answers.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        Thread(target=self._work, daemon=True).start()

    async def do(
        self, function: Callable[P, ResultT], *arguments: P.args, **keys: P.kwargs
    ) -> ResultT:
        """Call a function in the thread, and return or raise what it does."""
        done: Future[ResultT] = Future()
        done.set_running_or_notify_cancel()  # from now on it cannot be cancelled
        self._tasks.put((done, partial(function, *arguments, **keys)))
        return await asyncio.wrap_future(done)

    def end(self) -> None:
        """Let the thread end after what it was asked to do so far."""
        self._tasks.put(None)

    def _work(self) -> None:
        while asked := self._tasks.get():
            done, task = asked
            try:
                done.set_result(task())
            except Exception as error:
                done.set_exception(error)
            except BaseException as error:  # somebody's program may call exit()
                done.set_exception(RuntimeError(f"{type(error).__name__} {error}"))
