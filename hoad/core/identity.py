"""Identities and checksums of plain values: what is kept is found by the former."""

import hashlib
import json
from typing import Any


def identity_of(value: Any) -> str:
    """Return the identity of plain values, 12 hexadecimal digits; a ValueError for NaN.

    The order of keys counts.
    """
    text = json.dumps(value, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def checksum(value: Any) -> str:
    """Return 32 hexadecimal digits of plain values; the same after writing and reading JSON."""
    plain = json.loads(json.dumps(value))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]
