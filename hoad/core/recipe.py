"""Recipes: TOML files that a pydantic model describes and checks."""

import difflib
import json
import tomllib
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from hoad.core.errors import HoadError


class Recipe(BaseModel):
    """Base of every recipe and of the tables inside one: immutable, strict about its keys.

    Give each key a type, bounds and a description with `pydantic.Field`, for messages and help.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    folder: ClassVar[str | None] = None
    """Folder of the recipes of this kind that come with HOAD (`hoad.core.recipe_files`)."""

    renamed: ClassVar[Mapping[str, str]] = {}
    """New name of each old key, which recipes and options are refused with; metadata are read."""

    removed: ClassVar[Mapping[str, str]] = {}
    """Why each key is gone that recipes had once and are refused with."""

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return the default of each key that has one, in values that JSON has."""
        return cls.model_construct().model_dump(mode="json")

    @classmethod
    def current_keys(cls, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return stored values, such as those in a checkpoint, by the current names of keys."""
        return {cls.renamed.get(key, key): value for key, value in stored.items()}

    def refuse_repeated(self, *keys: str) -> None:
        """Raise a ValueError if the values of a key have one twice, or two of the same name."""
        for key in keys:
            names = [getattr(value, "name", value) for value in getattr(self, key)]
            for name in names:
                if names.count(name) > 1:
                    raise ValueError(f"{key} names {name} twice")

    def stored_values(self) -> dict[str, Any]:
        """Return the values for an identity, by the first names that their keys ever had."""
        first = {new: old for old, new in self.renamed.items()}
        values = self.model_dump(mode="json")
        return {first.get(key, key): _stored(getattr(self, key), values[key]) for key in values}


RecipeT = TypeVar("RecipeT", bound=Recipe)

RECIPE_SUFFIX: Final = ".toml"

_FOREIGN: Final = 3
"""A recipe with so many unknown keys is taken for that of another command."""


def load_recipe(path: Path, model: type[RecipeT]) -> RecipeT:
    """Read a TOML file as a recipe.

    Raises:
        HoadError: The file cannot be read, is not TOML, or has an unknown key, a missing key or
            a refused value; the message has file, key, value and what was expected.
    """
    return check_recipe(_read(path), model, source=str(path))


def load_draft(path: Path, model: type[RecipeT], to_come: Container[str]) -> RecipeT:
    """Read a TOML file as a recipe that options will complete: its keys need not fit together yet.

    A key that is missing and ``to_come`` is no attribute of the draft.

    Raises:
        HoadError: as :func:`load_recipe`, but for that.
    """
    values = _read(path)
    try:
        return _validate(values, model)
    except ValidationError as error:
        wrong = [
            dict(one)
            for one in error.errors()
            if one["loc"] and not (one["type"] == "missing" and one["loc"][0] in to_come)
        ]
        if wrong:
            raise HoadError(f"{path}: {_in_one_line(wrong, model)}") from error
    draft: Any = model.model_construct(
        **{name: _one_key(model, name, value) for name, value in values.items()}
    )
    return draft


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HoadError(f"{path}: cannot read this recipe: {error.strerror}") from error
    except ValueError as error:  # TOMLDecodeError or UnicodeDecodeError
        raise HoadError(f"{path}: not a TOML file: {error}") from error


def _validate(values: Mapping[str, Any], model: type[RecipeT]) -> RecipeT:
    # Through JSON, so that lists become tuples and strings paths, but "3" does not become 3.
    return model.model_validate_json(json.dumps(values, default=str), strict=True)


def _one_key(model: type[Recipe], name: str, value: Any) -> Any:
    key = model.model_fields[name]
    kind: Any = Annotated[key.annotation, key]
    return TypeAdapter(kind).validate_json(json.dumps(value, default=str), strict=True)


def check_recipe(values: Mapping[str, Any], model: type[RecipeT], source: str) -> RecipeT:
    """Make a recipe of plain values (numbers, strings, lists, mappings) as read from a file.

    Raises:
        HoadError: Some value is refused; ``source`` (such as a file) begins the message.
    """
    try:
        return _validate(values, model)
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


def renamed_keys(model: type[Recipe]) -> dict[str, str]:
    """Return the current name of each key that had another one; a table's as ``table.key``."""
    found = dict(model.renamed)
    for name, table in tables_of(model).items():
        for old, new in renamed_keys(table).items():
            found[f"{name}.{old}"] = f"{name}.{new}"
    return found


def tables_of(model: type[Recipe]) -> dict[str, type[Recipe]]:
    """Return the class of each key of a recipe that is a table or an array of tables."""
    found = {}
    for name, field in model.model_fields.items():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, Recipe):
                found[name] = kind
    return found


def _stored(value: Any, plain: Any) -> Any:
    if isinstance(value, Recipe):
        return value.stored_values()
    if isinstance(value, tuple):
        return [_stored(*pair) for pair in zip(value, plain, strict=True)]
    return plain


def _in_one_line(details: list[dict[str, Any]], model: type[Recipe] | None) -> str:
    given = [_key(detail) for detail in details if detail["type"] == "extra_forbidden"]
    foreign = [key for key in given if _old_key(key, model) is None]
    if len(foreign) >= _FOREIGN:
        return f"unknown keys {', '.join(foreign)}; is this the recipe of another command?"
    return "; ".join(_complaint(detail, model) for detail in details)


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
    if old := _old_key(key, model):
        return old
    nearest = difflib.get_close_matches(key.split(".")[-1], _keys(model), n=1)
    return f"unknown key {key}" + (f" (did you mean {nearest[0]}?)" if nearest else "")


def _old_key(key: str, model: type[Recipe] | None) -> str | None:
    """Return what became of a key that a recipe had once; None if it never had it."""
    if model is None:
        return None
    path = ".".join(part for part in key.split(".") if not part.isdigit())  # pools.0.name
    if path in (renamed := renamed_keys(model)):
        return f"key {key} was renamed to {renamed[path]}"
    if path in model.removed:
        return f"key {key} was removed: {model.removed[path]}; leave it out"
    return None


def _keys(model: type[Recipe]) -> Iterator[str]:
    """Yield the keys of a recipe and of all tables inside it."""
    yield from model.model_fields
    for table in tables_of(model).values():
        yield from _keys(table)
