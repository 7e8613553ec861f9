"""Command lines: functions with typed parameters become commands, recipes become options.

A command is a function whose docstring has an ``Args:`` section. At most one of its parameters
is a `Recipe`: on the command line it is the path of a TOML file, and each of its keys is an
option that overrides the file. A parameter that is a dataclass, such as `Workers`, stands for its
fields. The module of a function is imported only when its `Command` is chosen.
"""

import atexit
import difflib
import functools
import inspect
import io
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, get_origin, get_type_hints

import tyro
from pydantic import Field, TypeAdapter, ValidationError
from tyro.conf import Positional, arg
from tyro.constructors import (
    MISSING_NONPROP,
    ConstructorRegistry,
    StructConstructorSpec,
    StructFieldSpec,
    StructTypeInfo,
)

from hoad.core.capacity import is_out_of_memory
from hoad.core.errors import HoadError
from hoad.core.interrupt_at_import import INTERRUPTED, end_at_once
from hoad.core.provenance import forget_networks
from hoad.core.recipe import (
    RECIPE_SUFFIX,
    Recipe,
    check_recipe,
    explain,
    load_draft,
    load_recipe,
    renamed_keys,
    tables_of,
)
from hoad.core.signals import interruptible, is_interrupt, was_interrupted
from hoad.core.standard_streams import prepare_streams
from hoad.core.workers import Backend, settings, workers

Function = Callable[..., int | None]
Call = Callable[[], int | None]

USAGE_ERROR = 2
READER_GONE = 141

_HELP: Final = {"-h", "--help"}
_TRACEBACK: Final = "--traceback"
_RECIPE_HELP: Final = (
    "Recipe: a TOML file, or the name of one that comes with HOAD. It sets the keys below; options "
    "override it."
)
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
class Group:
    """Commands by name; the former ones, now in another group, are accepted but not listed."""

    summary: str
    commands: Mapping[str, "Command | Group"]
    former: Mapping[str, "Command | Group"] = field(default_factory=dict)

    def help(self, program: str) -> str:
        """Return the page that ``--help`` prints."""
        width = max(map(len, self.commands)) + 2
        lines = [f"usage: {program} [-h] {{{','.join(self.commands)}}} ...", "", self.summary, ""]
        for name, command in self.commands.items():
            lines.append(f"  {name:{width}}{command.summary}")
            if isinstance(command, Group):
                lines.append(f"  {'':{width}}({', '.join(command.commands)})")
        lines += ["", f"{program} COMMAND --help lists the options of a command."]
        return "\n".join(
            [*lines, "--traceback, with any command, shows where an error comes from."]
        )


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

    threads: Annotated[int, Field(ge=1, le=_MOST_THREADS)] = os.cpu_count() or 1
    backend: Backend = "threads"
    scheduler: Annotated[str | None, tyro.conf.DisallowNone] = None
    children: Annotated[int | None, Field(ge=1), tyro.conf.DisallowNone] = None
    timeout: Annotated[float | None, Field(gt=0), tyro.conf.DisallowNone] = None

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let these workers do the work of this context (:func:`hoad.core.workers.workers`)."""
        given = settings(children=self.children, timeout=self.timeout)
        with given, workers(self.backend, self.scheduler):
            yield


DEFAULT_WORKERS: Final = Workers()
"""A thread for each core."""


def at_least_one(metavar: str) -> tuple[object, ...]:
    """Return the annotations of a positional parameter that is a tuple of names or files."""
    hint = "(at least one)"
    return Positional, arg(metavar=metavar, help_behavior_hint=hint), Field(min_length=1)


def renamed(**current: str) -> Callable[[Function], Function]:
    """Decorate a command with new names of old options, which are refused (`Recipe.renamed`)."""

    def decorate(function: Function) -> Function:
        function.renamed = current  # type: ignore[attr-defined]
        return function

    return decorate


def run(command: Command | Group | Function, program: str | None = None) -> NoReturn:
    """Run a program, by default named as the script: :func:`main`, then end with its status."""
    # Before torch is loaded: threads that wait take no processor from another training.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    prepare_streams()
    if sys.stdout is None:
        closed = "standard output is closed; send what you do not need to /dev/null"
        sys.exit(_complain(closed, USAGE_ERROR))
    status = main(command, sys.argv[1:], program or Path(sys.argv[0]).name, interruptible)
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
    command: Command | Group | Function,
    words: Sequence[str],
    program: str,
    begin: Callable[[], None] = lambda: None,
) -> int:
    """Read a command line and call its command in this process; ``begin`` is called before it.

    ``--traceback``, with any command, shows where an error of HOAD comes from.

    Returns:
        The exit status: what the command returns (None is 0); 2, with one line on standard error,
        for mistakes that the user can correct; 130 after Ctrl-C or SIGTERM.
    """
    shown = _TRACEBACK in words
    forget_networks()
    try:
        call = read(command, [word for word in words if word != _TRACEBACK], program)
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
    elif isinstance(error, MemoryError | RuntimeError) and is_out_of_memory(error):
        message = f"not enough memory: {error or 'no allocation is possible'}"
    else:
        raise error
    return _complain(message, USAGE_ERROR)


def read(command: Command | Group | Function, words: Sequence[str], program: str) -> Call:
    """Read a command line into a call; a HoadError if an option, command or value is refused."""
    if isinstance(command, Group):
        return _read_group(command, words, program)
    function = command.load() if isinstance(command, Command) else command
    _refuse_renamed(words, function)
    _refuse_other_digits(words)
    if _HELP & set(words):
        return functools.partial(_show_help, _reader(function, None), words, program)
    reader, box = _reader(function, words), io.StringIO()
    try:
        with redirect_stderr(box), _wide_terminal():
            return tyro.cli(reader, prog=program, args=words, registry=_REGISTRY)
    except SystemExit:
        wrong = _unknown_option(reader, words) or _one_line(box.getvalue())
        raise HoadError(f"{wrong} (see {program} --help)") from None


def _complain(message: str, status: int) -> int:
    print("error:", " ".join(message.split()), file=sys.stderr)
    return status


def _read_group(group: Group, words: Sequence[str], program: str) -> Call:
    name, *rest = words or [""]
    if name in _HELP:
        return functools.partial(print, group.help(program))
    chosen = group.commands.get(name) or group.former.get(name)
    if chosen:
        return read(chosen, rest, f"{program} {name}")
    problem = f"unknown command {name!r}" if name else "no command"
    nearest = difflib.get_close_matches(name, group.commands, n=1)
    remedy = f"did you mean {nearest[0]}?" if nearest else f"choose {', '.join(group.commands)}"
    raise HoadError(f"{program}: {problem}; {remedy} (see --help)")


def _show_help(reader: Callable[..., Call], words: Sequence[str], program: str) -> None:
    try:
        tyro.cli(reader, prog=program, args=words, registry=_REGISTRY)
    except SystemExit as end:  # tyro ends the process, which is for run() to decide
        if end.code:
            raise


@contextmanager
def _wide_terminal() -> Iterator[None]:
    """Keep tyro from breaking the lines of a message."""
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "10000"
    try:
        yield
    finally:
        del os.environ["COLUMNS"]
        if columns is not None:
            os.environ["COLUMNS"] = columns


def _one_line(box: str) -> str:
    """Return the first section of a box in which tyro names a mistake, and its first suggestion."""
    rows = [row.strip("╭│╰╮╯ ") for row in box.splitlines()[1:]]  # without the title
    text = " ".join(row if row.strip("─-") else "\n" for row in rows)
    sections = [section.strip() for section in text.split("\n") if section.strip()]
    nearest = re.search(r"Perhaps you meant:? +(--[\w.-]+)", text)
    first = sections[0].replace("Unrecognized options:", "unexpected words:")
    return first + (f"; did you mean {nearest[1]}?" if nearest else "")


def _unknown_option(reader: Callable[..., Call], words: Sequence[str]) -> str:
    """Return a sentence about the first option that does not exist; empty if all do."""
    page = io.StringIO()
    with redirect_stdout(page), suppress(SystemExit):
        tyro.cli(reader, args=["--help"], registry=_REGISTRY)
    known = set(re.findall(r"--?[a-z][\w.-]*", page.getvalue()))
    for word in words:
        option = word.partition("=")[0]
        if re.match(r"--?[^\W\d]", option) and option.replace("_", "-") not in known:
            nearest = difflib.get_close_matches(option, known, n=1)
            return f"unknown option {option}" + (f"; did you mean {nearest[0]}?" if nearest else "")
    return ""


def _refuse_renamed(words: Sequence[str], function: Function) -> None:
    keys = dict(getattr(function, "renamed", {}))
    for parameter in _parameters(function).values():
        if _is_recipe(parameter.annotation):
            keys |= renamed_keys(parameter.annotation)
    options = {old.replace("_", "-"): new.replace("_", "-") for old, new in keys.items()}
    for word in words:
        option = _option(word)
        current = options.get(option.removeprefix("--").removeprefix("no-"))
        if current and option.startswith("--"):
            raise HoadError(f"option {option} was renamed to --{current}")


def _option(word: str) -> str:
    return word.partition("=")[0].replace("_", "-")


def _refuse_other_digits(words: Sequence[str]) -> None:
    for word in words:
        value = word.rpartition("=")[2]
        if value.isdecimal() and not value.isascii():
            raise HoadError(f"command line: {value!r} is not a number; write it with 0 to 9")


def _parameters(function: Function) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function, eval_str=True).parameters


def _reader(function: Function, words: Sequence[str] | None) -> Callable[..., Call]:
    """Return what tyro calls: it takes raw arguments and returns the function bound to them.

    tyro reads its signature and docstring. ``words`` are None for ``--help``: it needs no recipe.
    """
    parameters = _parameters(function)

    def reader(**values: Any) -> Call:
        checked = {name: _checked(parameters[name], values) for name in parameters}
        return functools.partial(function, **checked)

    seen = [argument for p in parameters.values() for argument in _arguments(p, words)]
    reader.__signature__ = inspect.Signature(seen)  # type: ignore[attr-defined]
    reader.__annotations__ = {argument.name: argument.annotation for argument in seen}
    # Join the lines of each argument's description, which tyro would break where the code does.
    reader.__doc__ = re.sub(r"\n {8}(?=\S)", " ", inspect.cleandoc(function.__doc__ or ""))
    return reader


def _arguments(
    parameter: inspect.Parameter, words: Sequence[str] | None
) -> list[inspect.Parameter]:
    """Return what stands for a command's parameter on the command line."""
    kind = parameter.annotation
    parameter = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    no_prefix = arg(name="")  # --threads, not --workers.threads
    if _is_recipe(kind):
        file = parameter.replace(name=_file_of(parameter), annotation=_RecipeFile)
        default = _from_file(kind, words)
        return [file, parameter.replace(annotation=Annotated[kind, no_prefix], default=default)]
    if is_dataclass(kind):
        how: Any = no_prefix
    else:  # an option without a value is left out; "None" is not a value
        how = tyro.conf.FlagCreatePairsOff if kind is bool else tyro.conf.DisallowNone
    return [parameter.replace(annotation=Annotated[kind, how])]


def _file_of(parameter: inspect.Parameter) -> str:
    return f"{parameter.name}_file"


def _from_file(model: type[Recipe], words: Sequence[str] | None) -> Any:
    """Load the recipe that a command line names, to be the default of its options."""
    from hoad.core.recipe_files import find_recipe  # imports numpy, which `hoad --help` does not

    if words is None:
        return MISSING_NONPROP
    named = [word for word in words if word.endswith(RECIPE_SUFFIX) and not word.startswith("-")]
    if not named and words and not words[0].startswith("-"):  # a name, as in demo/imitator
        named = [words[0]]
    if not named:
        raise HoadError("no recipe given; `hoad recipes` lists those that come with HOAD")
    options = {_option(word).removeprefix("--").replace("-", "_") for word in words}
    return load_draft(find_recipe(named[0], model.folder), model, options)


def _checked(parameter: inspect.Parameter, values: Mapping[str, Any]) -> Any:
    kind, value = parameter.annotation, values[parameter.name]
    if _is_recipe(kind):
        try:
            return check_recipe(value, kind, source="command line")
        except HoadError as error:
            from hoad.core.recipe_files import find_recipe

            path = find_recipe(str(values[_file_of(parameter)]), kind.folder)
            _blame_recipe(path, kind, error)
            raise
    if is_dataclass(kind):
        kinds = get_type_hints(kind, include_extras=True)
        return replace(value, **{n: _valid(n, kinds[n], given) for n, given in vars(value).items()})
    return _valid(parameter.name, kind, value)


def _blame_recipe(path: Path, model: type[Recipe], error: HoadError) -> None:
    """Raise a HoadError that names the recipe if it is refused for the same reason."""
    try:
        load_recipe(path, model)
    except HoadError as alone:
        if str(alone).removeprefix(str(path)) == str(error).removeprefix("command line"):
            raise alone from None


def _valid(name: str, kind: Any, value: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise HoadError(f"command line: {name} = {value!r}: {explain(error)}") from error


def _is_recipe(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Recipe)


_RecipeFile = Annotated[Path, Positional, arg(metavar="RECIPE", help=_RECIPE_HELP)]
_REGISTRY = ConstructorRegistry()


@_REGISTRY.struct_rule
def _table(info: StructTypeInfo) -> StructConstructorSpec | None:
    """Let tyro collect a recipe as plain nested mappings, to be checked once and as a whole."""
    if not _is_recipe(info.type):
        return None

    def collect(**values: Any) -> dict[str, Any]:
        return values

    collect.__doc__ = info.type.__doc__
    given = info.default if isinstance(info.default, Recipe) else None
    fields = tuple(
        StructFieldSpec(
            name=name,
            type=kind,
            default=getattr(given, name) if hasattr(given, name) else _default(info.type, name),
            helptext=info.type.model_fields[name].description,
        )
        for name, kind in get_type_hints(info.type, include_extras=True).items()
        if name in info.type.model_fields
    )
    return StructConstructorSpec(instantiate=collect, fields=fields)


def _default(model: type[Recipe], name: str) -> Any:
    key = model.model_fields[name]
    if not key.is_required():
        return key.get_default(call_default_factory=True)
    is_array = name in tables_of(model) and get_origin(key.annotation) is tuple
    return () if is_array else MISSING_NONPROP
