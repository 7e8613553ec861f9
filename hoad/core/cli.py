"""Command lines: functions with typed parameters become scripts, recipes become options.

A command is a function whose docstring has an ``Args:`` section. At most one of its parameters
is a `Recipe`: on the command line it is the path of a TOML file, and each of its keys is an
option that overrides the file. A parameter that is a dataclass, such as `Crew`, stands for its
fields: each is an option.
"""

import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_args, get_origin, get_type_hints

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

from hoad.core.errors import HoadError
from hoad.core.recipe import Recipe, check_recipe, explain, load_recipe
from hoad.core.signals import INTERRUPTED, interrupt_when_terminated
from hoad.core.workers import Backend, workers

__all__ = ["DEFAULT_CREW", "INTERRUPTED", "Command", "Crew", "Positional", "arg", "run"]

Command = Callable[..., int | None]

USAGE_ERROR = 2
READER_GONE = 141

_WHEN_INTERRUPTED = (
    "interrupted; what is complete on disk stays valid, and --resume, where a command has it, "
    "goes on from it"
)

RECIPE_SUFFIX = ".toml"
RECIPE_HELP = "Recipe, a TOML file: it sets the keys that are options below, which override it."


@dataclass(frozen=True)
class Crew:
    """Who does the work; what comes out does not depend on it.

    Attributes:
        threads: Threads or processes that work.
        backend: Who works: threads, processes of this machine (loky), or a Dask cluster.
        scheduler: Address of the cluster's scheduler, as in tcp://10.0.0.1:8786; for dask.
    """

    threads: Annotated[int, Field(ge=1)] = os.cpu_count() or 1
    backend: Backend = "threads"
    scheduler: Annotated[str | None, tyro.conf.DisallowNone] = None

    def at_work(self) -> AbstractContextManager[None]:
        """Let this crew do what is done in this context (see :func:`hoad.core.workers.workers`)."""
        return workers(self.backend, self.scheduler)


DEFAULT_CREW = Crew()
"""A thread for each core."""


def run(commands: Command | Mapping[str, Command], description: str = "") -> NoReturn:
    """Run a script: read its command line, call the command, end with its exit status.

    The status is what the command returns (None is 0); 2, with one line on standard error, for
    whatever its user can mend; 130 after Ctrl-C or SIGTERM.

    Args:
        commands: One command, or several by the name that chooses one on the command line.
        description: What several commands have in common; one command has its docstring.
    """
    interrupt_when_terminated()
    status = _status_of(lambda: _parse(commands, description, sys.argv[1:])())
    _settle_standard_output()
    sys.exit(status)


def _status_of(script: Callable[[], int | None]) -> int:
    """Call a script; turn its failures into one line and an exit status."""
    try:
        status = script() or 0
        sys.stdout.flush()
    except HoadError as error:
        return _complain(str(error), USAGE_ERROR)
    except KeyboardInterrupt as interrupt:
        return _complain(str(interrupt) or _WHEN_INTERRUPTED, INTERRUPTED)
    except BrokenPipeError:
        return READER_GONE
    except OSError as error:
        return _complain(_name_the_file(error), USAGE_ERROR)
    return status


def _complain(message: str, status: int) -> int:
    print("error:", " ".join(message.split()), file=sys.stderr)
    return status


def _name_the_file(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def _settle_standard_output() -> None:
    """Drop what cannot be written any more, lest Python complain about it when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parse(
    commands: Command | Mapping[str, Command], description: str, words: Sequence[str]
) -> Command:
    """Read a command line into a call that waits to be made."""
    if not isinstance(commands, Mapping):
        return tyro.cli(_reader(commands, words), args=words, registry=_REGISTRY)
    chosen = words[0] if words else None
    readers = {
        name: _reader(command, words if name == chosen else None)
        for name, command in commands.items()
    }
    return tyro.extras.subcommand_cli_from_dict(
        readers, description=description, args=words, registry=_REGISTRY
    )


def _reader(command: Command, words: Sequence[str] | None) -> Callable[..., Command]:
    """Return what tyro is to call: it takes raw arguments and returns the command bound to them.

    tyro learns the arguments from this function's signature and docstring, and we call the
    command later, outside of tyro. Without words, because another command was chosen, it serves
    for ``--help`` only.
    """
    parameters = inspect.signature(command, eval_str=True).parameters

    def read(**values: Any) -> Command:
        checked = {name: _checked(parameters[name], values[name]) for name in parameters}
        return functools.partial(command, **checked)

    seen = [argument for p in parameters.values() for argument in _arguments(p, words)]
    read.__signature__ = inspect.Signature(seen)  # type: ignore[attr-defined]
    read.__annotations__ = {argument.name: argument.annotation for argument in seen}
    read.__doc__ = _unwrapped(command.__doc__ or "")
    return read


def _unwrapped(docstring: str) -> str:
    """Join the lines of each argument's description, which tyro would break where the code does."""
    return re.sub(r"\n {8}(?=\S)", " ", inspect.cleandoc(docstring))


def _arguments(
    parameter: inspect.Parameter, words: Sequence[str] | None
) -> tuple[inspect.Parameter, ...]:
    """Return what stands for a command's parameter on the command line."""
    kind = parameter.annotation
    parameter = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    if is_dataclass(kind):  # no prefix: --threads, not --crew.threads
        return (parameter.replace(annotation=Annotated[kind, arg(name="")]),)
    if kind is bool:
        return (parameter.replace(annotation=Annotated[bool, tyro.conf.FlagCreatePairsOff]),)
    if not _is_recipe(kind):  # without a value, an option is left out; nobody writes "None"
        return (parameter.replace(annotation=Annotated[kind, tyro.conf.DisallowNone]),)
    file = parameter.replace(name=f"{parameter.name}_file", annotation=_RecipeFile)
    keys = parameter.replace(
        annotation=Annotated[kind, arg(name="")],  # no prefix: --games, not --recipe.games
        default=_from_file(kind, words),
    )
    return (file, keys)


def _from_file(model: type[Recipe], words: Sequence[str] | None) -> Any:
    """Load the recipe that a command line names, to be the default of its options."""
    for word in words or ():
        if word.endswith(RECIPE_SUFFIX) and not word.startswith("-"):
            return load_recipe(Path(word), model)
    if words is None or {"-h", "--help"} & set(words):
        return MISSING_NONPROP
    raise HoadError(f"no recipe given: expected a file named *{RECIPE_SUFFIX} (see --help)")


def _checked(parameter: inspect.Parameter, value: Any) -> Any:
    kind = parameter.annotation
    if _is_recipe(kind):
        return check_recipe(value, kind, source="command line")
    if is_dataclass(kind):
        kinds = get_type_hints(kind, include_extras=True)
        return replace(value, **{n: _valid(n, kinds[n], field) for n, field in vars(value).items()})
    return _valid(parameter.name, kind, value)


def _valid(name: str, kind: Any, value: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise HoadError(f"command line: {name} = {value!r}: {explain(error)}") from error


def _is_recipe(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Recipe)


_RecipeFile = Annotated[Path, Positional, arg(metavar=f"RECIPE{RECIPE_SUFFIX}", help=RECIPE_HELP)]
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
            default=getattr(given, name) if given else _default(info.type, name, kind),
            helptext=info.type.model_fields[name].description,
        )
        for name, kind in get_type_hints(info.type, include_extras=True).items()
        if name in info.type.model_fields
    )
    return StructConstructorSpec(instantiate=collect, fields=fields)


def _default(model: type[Recipe], name: str, kind: Any) -> Any:
    """Return what ``--help`` shows as the default of a key."""
    field = model.model_fields[name]
    if not field.is_required():
        return field.get_default(call_default_factory=True)
    return () if any(map(_is_recipe, _parts(kind))) else MISSING_NONPROP


def _parts(kind: Any) -> tuple[Any, ...]:
    """Return the types of a tuple's elements, below what pydantic is told of it."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return get_args(kind) if get_origin(kind) is tuple else ()
