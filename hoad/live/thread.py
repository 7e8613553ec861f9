"""Work in a thread, while the event loop goes on."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

ResultT = TypeVar("ResultT")


async def in_thread(function: Callable[[], ResultT]) -> ResultT:
    """Return what a function returns, or raise what it raises, from a thread of its own.

    The program does not wait for the thread when it ends.
    """
    done: Future[ResultT] = Future()
    done.set_running_or_notify_cancel()  # from now on it cannot be cancelled

    def work() -> None:
        try:
            done.set_result(function())
        except Exception as error:
            done.set_exception(error)

    Thread(target=work, daemon=True).start()
    return await asyncio.wrap_future(done)
