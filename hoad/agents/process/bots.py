"""Bots: children that play; idle ones wait for the next game, and all end with the program."""

import atexit
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition
from typing import Final
from weakref import WeakSet

from hoad.agents.process import protocol
from hoad.agents.process.child import Child, quote
from hoad.core.workers import forget_between_programs, number_setting

_Place = tuple[str, ...]

_changed: Final = Condition()  # guards all that follows
_idle: dict[_Place, list["Bot"]] = {}
_started: "WeakSet[Child]" = WeakSet()
_games = 0


class Bot:
    """A child that has said who it is (``version``, and its name), and plays game after game."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.child = Child(f"agent {name}", command)
        with _changed:
            _started.add(self.child)
        self._place = _place(command)
        answer = self.child.ask(protocol.hello())
        try:
            self.version = protocol.read_hello(answer)
        except ValueError as error:
            self.child.fail(f"answered {quote(answer)} to hello: {error}")

    def release(self) -> None:
        """Let the next game have it."""
        with _changed:
            _idle.setdefault(self._place, []).append(self)


def take_bot(name: str, command: Sequence[str]) -> Bot:
    """Return an idle child with this command, or start one.

    Raises:
        HoadError: it cannot be started, or does not say who it is; ``name`` is in the message.
    """
    with _changed:
        idle = _idle.get(_place(command))
        if idle:
            return idle.pop()
    return Bot(name, command)


@contextmanager
def one_game() -> Iterator[None]:
    """Wait until fewer games than ``--children`` are being played, and then play one."""
    global _games
    most = number_setting("children")
    with _changed:
        _changed.wait_for(lambda: most is None or _games < most)
        _games += 1
    try:
        yield
    finally:
        with _changed:
            _games -= 1
            _changed.notify()


def _place(command: Sequence[str]) -> _Place:
    """Return what children have in common that are the same program: they share their folder."""
    return (os.getcwd(), *command)


def stop_idle() -> None:
    """Stop the children that play no game."""
    with _changed:
        bots = [bot for each in _idle.values() for bot in each]
        _idle.clear()
    for bot in bots:
        bot.child.stop()


@atexit.register
def _stop_all() -> None:
    stop_idle()
    with _changed:
        left = list(_started)
    for child in left:  # in games of threads that nobody waits for
        child.stop(seconds=0.0)


def _forget_all() -> None:
    """In a fork, which has started none of them."""
    _idle.clear()
    _started.clear()


forget_between_programs(stop_idle)
os.register_at_fork(after_in_child=_forget_all)
