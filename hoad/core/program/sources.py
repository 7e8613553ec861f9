"""A digest of HOAD's own files: workers must run the same code as the program."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[2]
_SUFFIXES: Final = frozenset({".py", ".toml", ".csv"})


@cache
def digest_of_sources() -> str:
    """Return a digest of all files of the package that decide what it does.

    It is computed once: a process goes on with the code that it has loaded.
    """
    digest = hashlib.sha1()
    for path in sorted(_PACKAGE.rglob("*")):
        if path.suffix in _SUFFIXES:
            digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
