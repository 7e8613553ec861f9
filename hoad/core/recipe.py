"""Recipes: TOML files that a pydantic model describes and checks."""

import difflib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from hoad.core.capacity import MOST_GAMES
from hoad.core.errors import HoadError
from hoad.core.files import reporting, what_it_is

Count = Annotated[int, Field(ge=1, le=MOST_GAMES)]
Several = Annotated[int, Field(ge=2, le=MOST_GAMES)]
"""Numbers of games; several have an interval."""

Seed = Annotated[int, Field(ge=0, lt=2**62)]


class Recipe(BaseModel):
    """Base of every recipe and of the tables inside one: immutable, strict about its keys.

    Give each key a type, bounds and a description with `pydantic.Field`, for messages and help.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    folder: ClassVar[str | None] = None
    """Folder of the recipes of this kind that come with HOAD (`hoad.core.recipe_files`)."""

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return the default of each key that has one, in values that JSON has."""
        return cls.model_construct().model_dump(mode="json")

    def refuse_repeated(self, *keys: str) -> None:
        """Raise a ValueError if the values of a key have one twice, or two of the same name."""
        for key in keys:
            names = [getattr(value, "name", value) for value in getattr(self, key)]
            for name in names:
                if names.count(name) > 1:
                    raise ValueError(f"{key} names {name} twice")


RecipeT = TypeVar("RecipeT", bound=Recipe)


def checked(check: Callable[[Any], object]) -> AfterValidator:
    """Return an annotation that refuses values for which ``check`` raises a HoadError."""

    def validate(value: Any) -> Any:
        try:
            check(value)
        except HoadError as error:
            raise ValueError(str(error)) from error
        return value

    return AfterValidator(validate)


RECIPE_SUFFIX: Final = ".toml"

_FOREIGN: Final = 3
"""A recipe with so many unknown keys is taken for that of another command."""


def load_recipe(path: Path, model: type[RecipeT]) -> RecipeT:
    """Read a TOML file as a recipe.

    Raises:
        HoadError: The file cannot be read, is not TOML, or has an unknown key, a missing key or
            a refused value; the message has file, key, value and what was expected.
    """
    return check_recipe(read_toml(path), model, source=str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """Return the values of a TOML file; a HoadError if it cannot be read, or is none."""
    try:
        with reporting(path, "cannot read this recipe"):
            return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:  # TOMLDecodeError or UnicodeDecodeError
        raise HoadError(f"{path}: not a TOML file: {what_it_is(path) or error}") from error


def check_recipe(values: Mapping[str, Any], model: type[RecipeT], source: str) -> RecipeT:
    """Make a recipe of plain values (numbers, strings, lists, mappings) as read from a file.

    Raises:
        HoadError: Some value is refused; ``source`` (such as a file) begins the message.
    """
    # Through JSON, so that lists become tuples and strings paths, but "3" does not become 3.
    text = json.dumps(values, default=str)
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise HoadError(f"{source}: {explain(error, model)}") from error


def to_toml(values: Mapping[str, Any]) -> str:
    """Return plain values as a TOML file that :func:`load_recipe` reads; None is left out."""
    lines = (f"{key} = {_toml(value)}\n" for key, value in values.items() if value is not None)
    return "".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        items = (f"{key} = {_toml(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)  # texts, numbers and truth values are as in JSON


def explain(error: ValidationError, model: type[Recipe] | None = None) -> str:
    """Return what pydantic refused in one line that names each key and value."""
    return _in_one_line(list(map(dict, error.errors())), model)


def explain_option(option: str, error: ValidationError) -> str:
    """Return what pydantic refused about the words of an option, in one line."""
    details: list[dict[str, Any]] = [{**each, "loc": (option,)} for each in error.errors()]
    for detail in details:
        with suppress(ValueError, TypeError):  # a number is shown as in a recipe, without quotes
            detail["input"] = json.loads(detail["input"])
    return _in_one_line(details, None)


def tables_of(model: type[Recipe]) -> dict[str, type[Recipe]]:
    """Return the class of each key of a recipe that is a table or an array of tables."""
    tables = {}
    for name, field in model.model_fields.items():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, Recipe):
                tables[name] = kind
    return tables


def _in_one_line(details: list[dict[str, Any]], model: type[Recipe] | None) -> str:
    foreign = [_key(detail) for detail in details if detail["type"] == "extra_forbidden"]
    if model is not None and len(foreign) >= _FOREIGN:
        return f"unknown keys {', '.join(foreign)}; is this the recipe of another command?"
    # A list in which a name is refused is counted without the name, and too short then.
    refused = [detail["loc"] for detail in details if detail["type"] != "too_short"]
    lists = {*refused, *(loc[:-1] for loc in refused)}
    shown = [each for each in details if each["type"] != "too_short" or each["loc"] not in lists]
    return "; ".join(_complaint(detail, model) for detail in shown)


def _complaint(detail: dict[str, Any], model: type[Recipe] | None) -> str:
    key = _key(detail)
    match detail["type"]:
        case "missing":
            return f"key {key} is missing"
        case "extra_forbidden":
            return _unknown(key, model)
        case "too_short":
            expected = f"name at least {detail['ctx']['min_length']}"
        case _:
            expected = detail["msg"].removeprefix("Value error, ")
            expected = expected.replace("Input should", "should", 1)
    return f"{key} = {detail['input']!r}: {expected}" if key else expected


def _key(detail: Mapping[str, Any]) -> str:
    return ".".join(map(str, detail["loc"]))


def _unknown(key: str, model: type[Recipe] | None) -> str:
    if model is None:
        return f"unknown key {key}"
    nearest = difflib.get_close_matches(key.split(".")[-1], _keys(model), n=1)
    return f"unknown key {key}" + (f" (did you mean {nearest[0]}?)" if nearest else "")


def _keys(model: type[Recipe]) -> Iterator[str]:
    """Yield the keys of a recipe and of all tables inside it."""
    yield from model.model_fields
    for table in tables_of(model).values():
        yield from _keys(table)
