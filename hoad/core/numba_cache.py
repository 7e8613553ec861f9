"""The folder where numba keeps compiled code, which never outlives the source it was made from.

Numba checks only the file of the function itself: a cached caller would run the old code of a
callee after the callee's file has changed. So the folder of the cache is named after the content
of all sources, and a change of any compiled source makes a new folder.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_PREFIX = "numba-"


def keep_compiled_code_current() -> None:
    """Let numba cache in such a folder, unless NUMBA_CACHE_DIR is set; remove older ones."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    parent = _PACKAGE / "__pycache__"
    folder = parent / f"{_PREFIX}{_digest_of_sources()}"
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:  # it has read its settings already
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    if not folder.exists():
        for older in parent.glob(f"{_PREFIX}*"):
            shutil.rmtree(older, ignore_errors=True)


def _digest_of_sources() -> str:
    digest = hashlib.sha1()
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if b"njit" in source:
            digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + source)
    return digest.hexdigest()[:16]
