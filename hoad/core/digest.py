"""Digests of plain values: by which kept files are found, and changes are noticed."""

import hashlib
import json
from typing import Any


def digest(value: Any) -> str:
    """Return a digest of plain values, 12 hexadecimal digits; a ValueError for NaN."""
    text = json.dumps(value, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def checksum(value: Any) -> str:
    """Return a digest of plain values, 32 hexadecimal digits.

    It is the same after the value was written as JSON and read, whatever the order of its keys.
    """
    plain = json.loads(json.dumps(value))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]
