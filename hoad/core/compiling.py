"""A word to the user of a program while numba compiles, which takes a minute at the first start.

The package of the game imports this module before anything that is compiled.
"""

import sys
import time
from typing import Any, Final

from numba.core import event
from tqdm import tqdm

from hoad.core.early import is_program

_PATIENCE: Final = 2.0
"""Seconds of compiling before anything is said."""

_WORDS: Final = "compiling the game and the agents: a minute, after an installation or update"


class _Listener(event.Listener):
    """Counts compiled functions with a bar on a terminal; elsewhere it shows one line."""

    def __init__(self) -> None:
        self._began = 0.0
        self._bar: Any = None

    def on_start(self, event: Any) -> None:
        self._began = self._began or time.monotonic()
        if self._bar is None and time.monotonic() - self._began > _PATIENCE:
            self._bar = tqdm(desc=_WORDS, unit=" functions", disable=None, leave=False)
            if self._bar.disable:
                print(_WORDS, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        if self._bar is not None:
            self._bar.update()


if is_program():
    event.register("numba:compile", _Listener())
