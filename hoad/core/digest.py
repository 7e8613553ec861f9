"""Digests of plain values, by which kept files are found."""

import hashlib
import json
from typing import Any


def digest(value: Any) -> str:
    """Return a digest of plain values, 12 hexadecimal digits; a ValueError for NaN."""
    text = json.dumps(value, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
