"""The command line of a function: its parameters, and the keys of its recipe, become options.

argparse takes the words apart and shows the help. pydantic reads their values, so options and
recipes have the same types, bounds and messages.
"""

import argparse
import difflib
import functools
import inspect
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from types import UnionType
from typing import Annotated, Any, Final, Literal, NoReturn, Union, get_args, get_origin
from typing import get_type_hints as type_hints

from pydantic import Field, TypeAdapter, ValidationError

from hoad.core.errors import HoadError
from hoad.core.recipe import Recipe, check_recipe, explain_option, read_toml, tables_of
from hoad.core.recipe_files import find_recipe

Function = Callable[..., int | None]
Call = Callable[[], int | None]

HELP: Final = ("-h", "--help")
VERSION: Final = "--version"
TRACEBACK: Final = "--traceback"
EPILOG: Final = f"{VERSION} prints the version. {TRACEBACK} shows where an error comes from."

_KEY: Final = "recipe."
"""Before the name of a recipe's key, which may be that of a parameter too."""


@dataclass(frozen=True)
class Positional:
    """Annotates a parameter that is given by its place in the command line, not as an option."""

    metavar: str


def at_least_one(metavar: str) -> tuple[object, ...]:
    """Return the annotations of a positional parameter that is a tuple of names or files."""
    return Positional(metavar), Field(min_length=1)


def one_of(*parameters: str) -> Callable[[Function], Function]:
    """Decorate a command: exactly one of these parameters, whose default is None, is given."""

    def decorate(function: Function) -> Function:
        function.one_of = parameters  # type: ignore[attr-defined]
        return function

    return decorate


class _Parser(argparse.ArgumentParser):
    """Raises a HoadError where argparse ends the process."""

    def error(self, message: str) -> NoReturn:
        raise HoadError(f"{message} (see {self.prog} --help)")


class CommandLine:
    """Reads the command line of a function.

    A parameter is an option; one that is annotated as `Positional` stands in its place, a recipe is
    the path of a TOML file and an option for each of its keys, and a dataclass stands for its
    fields.
    """

    def __init__(self, function: Function, program: str) -> None:
        self._function = function
        description, self._texts = _docstring(function.__doc__)
        self._parser = _Parser(
            program,
            description=description,
            epilog=EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            argument_default=argparse.SUPPRESS,
            allow_abbrev=False,
        )
        self._kinds: dict[str, tuple[str, Any]] = {}  # option as it is shown, and type, by name
        self._options = [*HELP, VERSION, TRACEBACK]
        self._usage = [program]
        self._parameters = inspect.signature(function, eval_str=True).parameters
        self._one_of: tuple[str, ...] = getattr(function, "one_of", ())
        if self._one_of:
            self._exclusive = self._parser.add_mutually_exclusive_group(required=True)
        for parameter in self._parameters.values():
            self._add_parameter(parameter)

    def help(self) -> str:
        """Return the page that ``--help`` prints."""
        places = [word for word in self._usage if not word.startswith("--")]
        options = [word for word in self._usage if word.startswith("--")]
        self._parser.usage = " ".join([places[0], *options, "[options]", *places[1:]])
        return self._parser.format_help().rstrip()

    def read(self, words: Sequence[str]) -> Call:
        """Return the function bound to its arguments; a HoadError if a word is refused."""
        words = [_dashed(word) for word in words]
        self._refuse_unknown(words)
        _refuse_other_digits(words)
        parsed, others = self._parser.parse_known_intermixed_args(words)
        if others:
            self._parser.error(f"unexpected words: {' '.join(others)}")
        options = vars(parsed)
        values = {
            name: self._value(name, word) for name, word in options.items() if name in self._kinds
        }
        arguments = {
            name: self._argument(parameter, options, values)
            for name, parameter in self._parameters.items()
        }
        return functools.partial(self._function, **arguments)

    def _add_parameter(self, parameter: inspect.Parameter) -> None:
        name, kind = parameter.name, parameter.annotation
        if _is_recipe(kind):
            self._usage.append("RECIPE")
            text = (
                "a TOML file, or the name of one that comes with HOAD, which sets the keys below; "
                "options override it"
            )
            self._parser.add_argument(name, metavar="RECIPE", nargs="?", help=text)
            description, _ = _docstring(kind.__doc__)
            self._add_keys(kind, self._parser.add_argument_group("keys of the recipe", description))
        elif is_dataclass(kind):
            _, texts = _docstring(kind.__doc__)
            hints = type_hints(kind, include_extras=True)
            for field in fields(kind):
                self._add_option(field.name, hints[field.name], texts[field.name], field.default)
        elif place := _place(kind):
            self._add_place(parameter, place)
        else:
            self._add_option(name, kind, self._texts.get(name, ""), parameter.default)

    def _add_place(self, parameter: inspect.Parameter, place: Positional) -> None:
        is_required = parameter.default is inspect.Parameter.empty
        is_tuple = "nargs" in _form(parameter.annotation)
        nargs = "*" if is_tuple else None if is_required else "?"
        text = self._texts.get(parameter.name, "").replace("%", "%%")
        self._kinds[parameter.name] = parameter.name, parameter.annotation
        self._usage.append(place.metavar if is_required else f"[{place.metavar}]")
        self._parser.add_argument(parameter.name, metavar=place.metavar, nargs=nargs, help=text)

    def _add_option(self, name: str, kind: Any, text: str, default: Any) -> None:
        """Add a parameter of the function, or a field of one; a bool is a flag."""
        option = _option(name)
        form: dict[str, Any] = {"action": "store_true"} if kind is bool else _form(kind)
        where: Any = self._parser
        if name in self._one_of:
            where, note = (
                self._exclusive,
                f"one of {' and '.join(map(_option, self._one_of))} is required",
            )
            if name == self._one_of[0]:
                self._usage.append(" | ".join(map(_option, self._one_of)))
        elif default is inspect.Parameter.empty:
            note, form["required"] = "required", True
            self._usage.append(f"{option} {form['metavar']}")
        else:
            note = "" if kind is bool else _default(default)
        self._kinds[name] = option, kind
        self._add(where, option, name, _with_note(text, note), form)

    def _add_keys(self, model: type[Recipe], group: Any, table: str = "") -> None:
        """Add an option for each key of a recipe, but for arrays of tables."""
        tables = tables_of(model)
        for name, key in model.model_fields.items():
            path = f"{table}{name}"
            if key.annotation is tables.get(name):
                self._add_keys(tables[name], group, f"{path}.")
            elif name not in tables:
                switch = {"action": argparse.BooleanOptionalAction}
                form = switch if key.annotation is bool else _form(key.annotation)
                note = "in the recipe" if key.is_required() else _default(key.get_default())
                self._kinds[_KEY + path] = _option(path), Annotated[key.annotation, key]
                text = _with_note(key.description or "", note)
                self._add(group, _option(path), _KEY + path, text, form)

    def _add(self, where: Any, option: str, name: str, text: str, form: Mapping[str, Any]) -> None:
        action = where.add_argument(option, dest=name, help=text, **form)
        self._options += action.option_strings

    def _refuse_unknown(self, words: Iterable[str]) -> None:
        for word in words:
            option = word.partition("=")[0]
            if re.match(r"--?[^\W\d]", option) and option not in self._options:
                nearest = _nearest(option, self._options)
                remedy = f"; did you mean {nearest}?" if nearest else ""
                self._parser.error(f"unknown option {option}{remedy}")

    def _value(self, name: str, word: Any) -> Any:
        """Return what a word, or a list of words, means for an option."""
        option, kind = self._kinds[name]
        if word == "None" and name.startswith(_KEY):
            word = None
        if isinstance(word, list):
            word = tuple(word)
        try:
            return TypeAdapter(kind).validate_python(word)
        except ValidationError as error:
            raise HoadError(f"command line: {explain_option(option, error)}") from error

    def _argument(
        self, parameter: inspect.Parameter, given: Mapping[str, Any], values: Mapping[str, Any]
    ) -> Any:
        """Return the argument of a parameter from all that was given."""
        name, kind = parameter.name, parameter.annotation
        if _is_recipe(kind):
            if (word := given.get(name)) is None:
                raise HoadError("no recipe given; `hoad recipes` lists those that come with HOAD")
            path = find_recipe(word, kind.folder)
            recipe, source = read_toml(path), str(path)
            for key, value in values.items():
                if key.startswith(_KEY):
                    _set(recipe, key.removeprefix(_KEY).split("."), value)
                    source = f"{path} with the options"
            return check_recipe(recipe, kind, source)
        if is_dataclass(kind):
            names = {field.name for field in fields(kind)}
            return replace(parameter.default, **{key: values[key] for key in names & values.keys()})
        if name not in values and parameter.default is inspect.Parameter.empty:
            return self._value(name, [])  # positional, and no word is there
        return values.get(name, parameter.default)


def _docstring(text: str | None) -> tuple[str, dict[str, str]]:
    """Return the description in a docstring, and the text of each argument or attribute."""
    before, *lists = re.split(r"\n(?:Args|Attributes):\n", inspect.cleandoc(text or ""))
    width = max(20, shutil.get_terminal_size().columns - 2)
    paragraphs = (textwrap.fill(" ".join(part.split()), width) for part in before.split("\n\n"))
    entries = re.split(r"^ {4}(?=\w+: )", lists[0], flags=re.MULTILINE)[1:] if lists else []
    named = (entry.partition(": ") for entry in entries)
    return "\n\n".join(paragraphs), {name: " ".join(words.split()) for name, _, words in named}


def _is_recipe(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Recipe)


def _place(kind: Any) -> Positional | None:
    places = (entry for entry in getattr(kind, "__metadata__", ()) if isinstance(entry, Positional))
    return next(places, None)


def _form(kind: Any) -> dict[str, Any]:
    """Return how many words an option of a type takes, and what stands for each in help."""
    kind, arguments = _plain(kind), get_args(_plain(kind))
    if get_origin(kind) is tuple:
        return _form(arguments[0]) | {"nargs": "*" if arguments[-1] is ... else len(arguments)}
    if get_origin(kind) is Literal:
        return {"metavar": f"{{{','.join(arguments)}}}"}
    return {"metavar": kind.__name__.upper()}


def _plain(kind: Any) -> Any:
    """Return a type without annotations, and without None."""
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return _plain(get_args(kind)[0])
    return kind


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _dashed(word: str) -> str:
    """Return a word in which an option has dashes, though keys of recipes have underscores."""
    option, equals, value = word.partition("=")
    return option.replace("_", "-") + equals + value if word.startswith("--") else word


def _default(value: Any) -> str:
    """Return what help says about a default."""
    if isinstance(value, bool):
        return f"default: {str(value).lower()}"
    if isinstance(value, tuple):
        value = " ".join(map(str, value))
    return "" if value in (None, "") else f"default: {value}"


def _with_note(text: str, note: str) -> str:
    """Return the text of an option for argparse, which formats it with %."""
    return (f"{text} ({note})" if note else text).replace("%", "%%")


def _nearest(option: str, options: Iterable[str]) -> str | None:
    """Return the option that is meant: one like it, or one with these initials."""
    names = {name.lstrip("-"): name for name in options}
    word = option.lstrip("-")
    initials = {"".join(re.findall(r"\b\w", name)): name for name in names}
    nearest = [*difflib.get_close_matches(word, names, n=1), *filter(None, [initials.get(word)])]
    return names[nearest[0]] if nearest else None


def _refuse_other_digits(words: Iterable[str]) -> None:
    for word in words:
        value = word.rpartition("=")[2]
        if value.isdecimal() and not value.isascii():
            raise HoadError(f"command line: {value!r} is not a number; write it with 0 to 9")


def _set(values: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Set a key of nested tables."""
    *tables, key = path
    for table in tables:
        if not isinstance(values.get(table), dict):
            values[table] = {}
        values = values[table]
    values[key] = value
