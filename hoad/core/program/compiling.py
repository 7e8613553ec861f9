"""How numba compiles: few signatures, one cache, and a word to the user meanwhile.

The packages of the game and of rules import this module before anything that is compiled.
"""

import sys
import time
from typing import Any, Final

from numba.core import event, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typing.templates import Signature, make_concrete_template
from tqdm import tqdm

from hoad.core.program.numba_cache import share_compiled_code
from hoad.core.program.signals import is_program

tqdm.monitor_interval = 0  # no thread looks after bars: a system may allow no more threads

_PATIENCE: Final = 2.0  # seconds of compiling before anything is said
_INTERVAL: Final = 60.0  # seconds from line to line where there is no terminal

_WORDS: Final = "compiling what is new (all of the game and the agents: about 90 s)"
_BAR: Final = "{desc}: {n_fmt} functions so far, {elapsed}"


class _Listener(event.Listener):
    """Counts compiled functions (``done``): a bar on a terminal, elsewhere a line a minute."""

    def __init__(self) -> None:
        self.done = 0
        self._depth = 0
        self._began = 0.0  # when the outermost function that is being compiled began
        self._spent = 0.0  # seconds before that
        self._said: float | None = None
        self._bar: Any = None

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._began = time.monotonic()
        self._depth += 1
        if self._bar is None and self._seconds() > _PATIENCE:
            self._bar = tqdm(
                desc=_WORDS, bar_format=_BAR, dynamic_ncols=True, disable=None, leave=False
            )
            self._bar.start_t = time.time() - self._seconds()
        self._show()

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        self.done += 1
        self._show()
        if self._depth == 0:
            self._spent = self._seconds()
            if self._bar is not None:
                self._bar.clear()  # what the program prints now begins a line

    def _seconds(self) -> float:
        return self._spent + time.monotonic() - self._began

    def _show(self) -> None:
        if self._bar is None:
            return
        self._bar.n = self.done
        self._bar.refresh()
        now = time.monotonic()
        if self._bar.disable and (self._said is None or now - self._said >= _INTERVAL):
            self._said = now
            so_far = f"{self.done} functions so far, {self._seconds():.0f} s"
            print(f"{_WORDS}: {so_far}", file=sys.stderr, flush=True)


_listener: Final = _Listener()


def compiled() -> int:
    """Return how many functions this program has compiled so far."""
    return _listener.done


_numba_compile: Final = Dispatcher.compile
_numba_add_overload: Final = Dispatcher.add_overload

_WITHOUT_WRAPPERS: Final = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _compile(self: Any, signature: Any) -> Any:
    """Leave out the code by which Python calls a function, where compiled code calls it.

    That code takes more than a quarter of the time. If Python calls the function too, it is
    compiled once more.
    """
    if not _is_of_hoad(self):
        return _numba_compile(self, signature)
    with global_compiler_lock:
        types_, return_type = normalize_signature(signature)
        hidden = self.__dict__.setdefault("_hidden_from_python", set())
        if isinstance(signature, Signature) and return_type is None:  # see _call_template
            options = self._compiler.targetoptions
            self._compiler.targetoptions = options | _WITHOUT_WRAPPERS
            try:
                return _numba_compile(self, signature)
            finally:
                self._compiler.targetoptions = options
        if tuple(types_) in hidden:
            hidden.remove(tuple(types_))
            del self.overloads[tuple(types_)]
        return _numba_compile(self, signature)


def _add_overload(self: Any, compiled: Any) -> None:
    """Keep what has no such code where only compiled code finds it."""
    if self._compiler.targetoptions is self.targetoptions:  # but see _compile
        _numba_add_overload(self, compiled)
        return
    types_ = tuple(compiled.signature.args)
    self.overloads[types_] = compiled
    self._hidden_from_python.add(types_)


_numba_call_template: Final = Dispatcher.get_call_template


def _call_template(self: Any, args: Any, kws: Any) -> Any:
    """Let compiled functions of HOAD call each other with one type of integer for constants too.

    Numba itself compiles a function once more for each constant that it is called with, and for
    bytes beside integers. That is a quarter of all compiled functions.
    """
    if not _is_of_hoad(self):
        return _numba_call_template(self, args, kws)
    args = tuple(map(_widened, args))
    kws = {name: _widened(value) for name, value in kws.items()}
    python_signature, args = self.fold_argument_types(args, kws)
    if self._can_compile:
        self.compile(Signature(None, args, None))  # numba gives the types alone
    name = f"CallTemplate({self.py_func.__name__})"
    template = make_concrete_template(name, self.py_func.__name__, self.nopython_signatures)
    return template, python_signature, args, {}


def _is_of_hoad(function: Any) -> bool:
    return str(function.py_func.__module__).partition(".")[0] == __package__.partition(".")[0]


def _widened(type_: Any) -> Any:
    plain = types.unliteral(type_)
    return types.int64 if plain == types.uint8 else plain


Dispatcher.compile = _compile  # type: ignore[assignment, method-assign]
Dispatcher.add_overload = _add_overload  # type: ignore[assignment, method-assign]
Dispatcher.get_call_template = _call_template  # type: ignore[method-assign]
share_compiled_code()
if is_program():
    event.register("numba:compile", _listener)
