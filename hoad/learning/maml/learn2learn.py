"""learn2learn's MAML (Arnold et al. 2020), imported without the rest of that library.

``import learn2learn`` needs gym and torchvision; the module of MAML needs only torch. So it is
imported from learn2learn's packages without running their ``__init__`` files.
"""

import importlib
import importlib.util
import sys
import threading
from functools import cache
from typing import Any

from hoad.core.errors import HoadError

_importing = threading.Lock()


def import_maml() -> Any:
    """Return the module ``learn2learn.algorithms.maml``; a HoadError if it is not installed."""
    with _importing:  # or one thread would take away the packages that another one imports from
        return _import_maml()


@cache
def _import_maml() -> Any:
    before = set(sys.modules)
    for package in ("learn2learn", "learn2learn.algorithms"):
        if package in sys.modules:
            continue
        spec = importlib.util.find_spec(package)
        if spec is None:
            raise HoadError("learn2learn is not installed, and FOMAML needs it: run `make setup`")
        sys.modules[package] = importlib.util.module_from_spec(spec)
    maml = importlib.import_module("learn2learn.algorithms.maml")
    for module in set(sys.modules) - before:  # which another import would take for the real ones
        if module.partition(".")[0] == "learn2learn":
            del sys.modules[module]
    return maml
