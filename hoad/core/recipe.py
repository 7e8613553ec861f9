"""Recipes: TOML files that a pydantic model describes and checks."""

import difflib
import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from hoad.core.errors import HoadError


class Recipe(BaseModel):
    """Base of every recipe and of the tables inside one: immutable, strict about its keys.

    Give each key a type, bounds and a description with `pydantic.Field`: error messages and
    the ``--help`` of the scripts are made of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    renamed: ClassVar[Mapping[str, str]] = {}
    """Today's name of each key that had another one, which recipes are refused with and stored
    metadata is read with."""

    removed: ClassVar[Mapping[str, str]] = {}
    """Why each key is gone that recipes had once and are refused with."""

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return what each key is that has a default, in values that JSON has."""
        return cls.model_construct().model_dump(mode="json")

    @classmethod
    def current_keys(cls, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return stored values, such as those in a checkpoint, by today's names of their keys."""
        return {cls.renamed.get(key, key): value for key, value in stored.items()}

    def stored_values(self) -> dict[str, Any]:
        """Return the values for a fingerprint, by the first names that their keys ever had."""
        first = {new: old for old, new in self.renamed.items()}
        return {first.get(key, key): value for key, value in self.model_dump(mode="json").items()}


RecipeT = TypeVar("RecipeT", bound=Recipe)


def load_recipe(path: Path, model: type[RecipeT]) -> RecipeT:
    """Read a TOML file as a recipe.

    Raises:
        HoadError: The file cannot be read, is no TOML, or has an unknown key, a missing key
            or a value of the wrong type or out of range: file, key, value and what was
            expected are named.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HoadError(f"{path}: cannot read this recipe: {error.strerror}") from error
    except ValueError as error:  # TOMLDecodeError or UnicodeDecodeError
        raise HoadError(f"{path}: not a TOML file: {error}") from error
    return check_recipe(values, model, source=str(path))


def check_recipe(values: Mapping[str, Any], model: type[RecipeT], source: str) -> RecipeT:
    """Make a recipe of plain values (numbers, strings, lists, mappings) as read from a file.

    Raises:
        HoadError: Some value is refused; ``source`` (a file, say) begins the message.
    """
    # By way of JSON, so that lists become tuples and strings paths, while "3" stays no number.
    text = json.dumps(values, default=str)
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise HoadError(f"{source}: {explain(error, model)}") from error


def explain(error: ValidationError, model: type[Recipe] | None = None) -> str:
    """Fold what pydantic refused into one line that names each key and value."""
    return "; ".join(_complaint(dict(detail), model) for detail in error.errors())


def _complaint(detail: dict[str, Any], model: type[Recipe] | None) -> str:
    key = ".".join(map(str, detail["loc"]))
    match detail["type"]:
        case "missing":
            return f"key {key} is missing"
        case "extra_forbidden":
            unknown = str(detail["loc"][-1])
            if model is not None and unknown in model.renamed:
                return f"key {key} was renamed to {model.renamed[unknown]}"
            if model is not None and unknown in model.removed:
                return f"key {key} was removed: {model.removed[unknown]}; leave it out"
            return f"unknown key {key}{_suggestion(unknown, model)}"
        case "too_short":
            expected = f"name at least {detail['ctx']['min_length']}"
        case _:
            expected = detail["msg"].removeprefix("Value error, ")
            expected = expected.replace("Input should", "should", 1)
    return f"{key} = {detail['input']!r}: {expected}" if key else expected


def _suggestion(unknown: str, model: type[Recipe] | None) -> str:
    if model is None:
        return ""
    nearest = difflib.get_close_matches(unknown, _keys(model.model_json_schema()), n=1)
    return f" (did you mean {nearest[0]}?)" if nearest else ""


def _keys(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of a recipe and of all tables inside it."""
    for table in (schema, *schema.get("$defs", {}).values()):
        yield from table.get("properties", ())
