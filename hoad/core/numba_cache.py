"""Where numba keeps compiled code, so that it never outlives the source it was made from.

Numba checks only the file of the function itself: a cached caller would go on with the old code
of what it calls after another file has changed. So the folder of the cache is named for the
content of all sources, and a change of any compiled source makes a new one.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_PREFIX = "numba-"


def keep_compiled_code_current() -> None:
    """Let numba cache in a folder named for the sources; remove the folders of older sources.

    ``NUMBA_CACHE_DIR``, where it is set, is left alone.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    parent = _PACKAGE / "__pycache__"
    folder = parent / f"{_PREFIX}{digest_of_sources()}"
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:  # it has read its settings already
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    if not folder.exists():
        for older in parent.glob(f"{_PREFIX}*"):
            shutil.rmtree(older, ignore_errors=True)


def digest_of_sources(*layers: str) -> str:
    """Return a digest of all compiled sources, or of those of some layers, such as ``game``."""
    digest = hashlib.sha1()
    for folder in [_PACKAGE / layer for layer in layers] or [_PACKAGE]:
        for path in sorted(folder.rglob("*.py")):
            source = path.read_bytes()
            if b"njit" in source:
                digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + source)
    return digest.hexdigest()[:16]
