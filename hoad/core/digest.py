"""Digests of plain values: by which kept files are found, and changes are noticed."""

import hashlib
import json
from typing import Any


def digest(value: Any) -> str:
    """Return a digest of plain values, 12 hexadecimal digits; a ValueError for NaN."""
    text = json.dumps(value, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def checksum(value: Any) -> str:
    """Return 32 hexadecimal digits of plain values; the same after writing and reading JSON."""
    plain = json.loads(json.dumps(value))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]
