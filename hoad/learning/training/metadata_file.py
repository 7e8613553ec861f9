"""The file ``metadata.json`` next to a network. A checksum in it covers all other values."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import read_json, write_file
from hoad.core.identity import checksum

_CHECKSUM: Final = "checksum"


def write_metadata_file(path: Path, values: Mapping[str, Any]) -> None:
    """Write values with their checksum, which is the last key; a HoadError if that fails."""
    text = json.dumps({**values, _CHECKSUM: checksum(values)}, indent=2)
    write_file(path, (text + "\n").encode())


def read_metadata_file(path: Path) -> dict[str, Any]:
    """Return the values without their checksum; a HoadError if damaged."""
    remedy = "restore it, or remove it: the network plays without"
    values = read_json(path)
    if not isinstance(values, dict):
        raise HoadError(f"{path}: not the metadata of a network, or damaged; {remedy}")
    if values.pop(_CHECKSUM, None) != checksum(values):
        raise HoadError(f"{path}: damaged metadata (checksum differs); {remedy}")
    return values
