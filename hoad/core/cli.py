"""Command lines of programs: groups of commands, and how a command ends.

A command is a function whose docstring has an ``Args:`` section. At most one of its parameters
is a `Recipe`: on the command line it is the path of a TOML file, and each of its keys is an
option that overrides the file. A parameter that is a dataclass, such as `Workers`, stands for its
fields. The module of a function is imported only when its `Command` is chosen.
"""

import atexit
import difflib
import functools
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final, NoReturn

from pydantic import Field

from hoad import __version__
from hoad.core.capacity import cores, is_out_of_memory
from hoad.core.command_line import (
    EPILOG,
    HELP,
    TRACEBACK,
    VERSION,
    Call,
    CommandLine,
    Function,
    Positional,
    at_least_one,
    one_of,
)
from hoad.core.errors import HoadError
from hoad.core.files import printable
from hoad.core.program.signals import (
    INTERRUPTED,
    end_at_once,
    interruptible,
    is_interrupt,
    was_interrupted,
)
from hoad.core.provenance import forget_networks
from hoad.core.run_log import log_line, log_run, prepare_streams
from hoad.core.workers import Backend, settings, workers

__all__ = [
    "DEFAULT_WORKERS",
    "READER_GONE",
    "USAGE_ERROR",
    "Command",
    "CommandGroup",
    "Positional",
    "Workers",
    "at_least_one",
    "main",
    "one_of",
    "read",
    "run",
]

USAGE_ERROR = 2
READER_GONE = 141

_WHEN_INTERRUPTED: Final = (
    "interrupted; what is complete on disk stays valid, and --resume, where a command has it, "
    "continues from it"
)


@dataclass(frozen=True)
class Command:
    """A command: a function as ``hoad.commands.record:play``, and its docstring's first line."""

    function: str
    summary: str

    def load(self) -> Function:
        """Import the function."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(module), name)


@dataclass(frozen=True)
class CommandGroup:
    """Commands by name."""

    summary: str
    commands: Mapping[str, "Command | CommandGroup"]

    def help(self, program: str) -> str:
        """Return the page that ``--help`` prints."""
        width = max(map(len, self.commands)) + 2
        lines = [f"usage: {program} [-h] {{{','.join(self.commands)}}} ...", "", self.summary, ""]
        for name, command in self.commands.items():
            lines.append(f"  {name:{width}}{command.summary}")
            if isinstance(command, CommandGroup):
                lines.append(f"  {'':{width}}({', '.join(command.commands)})")
        lines += ["", f"{program} COMMAND --help lists the options of a command.", EPILOG]
        return "\n".join(lines)


_MOST_THREADS: Final = max(64, 8 * (os.cpu_count() or 1))
"""More than this cost memory and bring nothing."""


@dataclass(frozen=True)
class Workers:
    """What plays games and does other independent work; the results do not depend on it.

    Attributes:
        threads: Number of threads or processes.
        backend: Threads, processes of this machine (loky), or a Dask cluster.
        scheduler: Address of the cluster's scheduler, such as tcp://10.0.0.1:8786; for dask.
        children: Games at a time with agents in other programs (process:COMMAND); None for one on
            each thread. HOAD_CHILDREN is its default.
        timeout: Seconds that such an agent may take for a move; by default HOAD_TIMEOUT, or 10.
    """

    threads: Annotated[int, Field(ge=1, le=_MOST_THREADS)] = cores()
    backend: Backend = "threads"
    scheduler: str | None = None
    children: Annotated[int | None, Field(ge=1)] = None
    timeout: Annotated[float | None, Field(gt=0)] = None

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let these workers do the work of this context (:func:`hoad.core.workers.workers`)."""
        adjusted = settings(children=self.children, timeout=self.timeout)
        with adjusted, workers(self.backend, self.scheduler):
            yield


DEFAULT_WORKERS: Final = Workers()
"""A thread for each core that this process may use."""


def run(command: Command | CommandGroup | Function, program: str | None = None) -> NoReturn:
    """Run a program, by default named as the script: :func:`main`, then end with its status."""
    # Before torch is loaded: threads that wait take no processor from another training.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    prepare_streams()
    if sys.stdout is None:
        closed = "standard output is closed; send what you do not need to /dev/null"
        sys.exit(_complain(closed, USAGE_ERROR))
    program = program or Path(sys.argv[0]).name
    with log_run(f"hoad {__version__}: {shlex.join([program, *sys.argv[1:]])}"):
        status = main(command, sys.argv[1:], program, interruptible)
        log_line(f"status {status}")
    end_at_once()  # another Ctrl-C while threads and workers end
    try:
        sys.stdout.flush()
    except OSError:  # drop output that cannot be written, or Python complains when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    # Threads may be in compiled code, which must not outlive Python. And where a caught interrupt
    # had stopped an exec() of text, `python -m` would end by SIGINT whatever the status.
    if was_interrupted() or status == INTERRUPTED:
        atexit._run_exitfuncs()
        os._exit(status)
    sys.exit(status)


def main(
    command: Command | CommandGroup | Function,
    words: Sequence[str],
    program: str,
    begin: Callable[[], None] = lambda: None,
) -> int:
    """Read a command line and call its command in this process; ``begin`` is called before it.

    ``--traceback``, with any command, shows where an error of HOAD comes from.

    Returns:
        The exit status: what the command returns (None is 0); 2, with one line on standard error,
        for mistakes that the user can correct; 130 after Ctrl-C, SIGTERM or SIGHUP.
    """
    shown = TRACEBACK in words
    forget_networks()
    try:
        call = read(command, [word for word in words if word != TRACEBACK], program)
        begin()
        status = call() or 0
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        return _end(error, shown)
    return status


def _end(error: BaseException, shown: bool) -> int:
    """Say in one line what ended a command, and return its status; a bug is raised again."""
    if is_interrupt(error):
        message = str(error) if isinstance(error, KeyboardInterrupt) else ""
        return _complain(message or _WHEN_INTERRUPTED, INTERRUPTED)
    if isinstance(error, BrokenPipeError):
        return READER_GONE
    if isinstance(error, HoadError):
        if shown:
            traceback.print_exception(error)
        message = str(error)
    elif isinstance(error, OSError):
        reason = error.strerror or str(error)
        message = f"{error.filename}: {reason}" if error.filename else reason
    elif isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        message = "the system allows no more threads; raise the limit (ulimit -u) or use fewer"
    elif isinstance(error, ValueError) and "embedded null" in str(error):
        message = "the name of a file holds a NUL character; correct it"
    elif isinstance(error, MemoryError | RuntimeError) and is_out_of_memory(error):
        message = f"not enough memory: {error or 'no allocation is possible'}"
    else:
        raise error
    return _complain(message, USAGE_ERROR)


def read(command: Command | CommandGroup | Function, words: Sequence[str], program: str) -> Call:
    """Read a command line into a call; a HoadError if an option, command or value is refused."""
    if VERSION in words:
        return functools.partial(print, f"hoad {__version__}")
    if isinstance(command, CommandGroup):
        return _read_group(command, words, program)
    line = CommandLine(command.load() if isinstance(command, Command) else command, program)
    return functools.partial(print, line.help()) if {*HELP} & {*words} else line.read(words)


def _complain(message: str, status: int) -> int:
    with suppress(OSError):  # the terminal may have been closed
        print("error:", printable(" ".join(message.split())), file=sys.stderr)
    return status


def _read_group(group: CommandGroup, words: Sequence[str], program: str) -> Call:
    name, *rest = words or [""]
    if name in HELP:
        return functools.partial(print, group.help(program))
    if chosen := group.commands.get(name):
        return read(chosen, rest, f"{program} {name}")
    problem = f"unknown command {name!r}" if name else "no command"
    nearest = difflib.get_close_matches(name, group.commands, n=1)
    remedy = f"did you mean {nearest[0]}?" if nearest else f"choose {', '.join(group.commands)}"
    raise HoadError(f"{program}: {problem}; {remedy} (see --help)")
