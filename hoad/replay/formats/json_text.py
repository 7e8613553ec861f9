"""JSON that other programs wrote: read it, and say in one line what is wrong with it."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from hoad.core.errors import HoadError
from hoad.core.files import describe
from hoad.core.recipe import explain

ModelT = TypeVar("ModelT", bound=BaseModel)


def read_json(path: Path) -> Any:
    """Read a file that holds one JSON value.

    Raises:
        HoadError: The file cannot be read or is not JSON.
    """
    try:
        return from_json(path.read_bytes())
    except OSError as error:
        raise HoadError(f"{path}: cannot read this file: {describe(error)}") from error
    except ValueError as error:
        raise HoadError(
            f"{path}: not a JSON file ({one_line(str(error))}); restore it from its source"
        ) from error


def demand(model: type[ModelT], value: Any) -> ModelT:
    """Make a model of a JSON value.

    Raises:
        HoadError: It does not fit; the message does not know the file.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise HoadError(one_line(explain(error))) from error


def one_line(text: str, most: int = 300) -> str:
    """Return text with its middle cut out where it is long, control characters escaped."""
    if len(text) > most:
        text = f"{text[: most // 2]} ... {text[-most // 2 :]}"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
