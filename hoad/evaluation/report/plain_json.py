"""Results as JSON that every reader understands."""

import json
import math
from typing import Any

import numpy as np


def plain_json(value: Any, indent: int | None = None) -> str:
    """Return JSON of mappings, sequences, numpy arrays and numbers; what is no number is null."""
    return json.dumps(_plain(value), indent=indent, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
