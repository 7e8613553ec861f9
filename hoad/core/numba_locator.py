"""Where numba finds the compiled code of a function of HOAD.

Numba imports this module by its name, in its setting CACHE_LOCATOR_CLASSES.
"""

from pathlib import Path
from typing import Any, Final

from numba.core.caching import _CacheLocator  # as numba's documentation asks

from hoad.core.numba_cache import shared_folder

_PACKAGE: Final = Path(__file__).parents[1]


class SharedLocator(_CacheLocator):
    """A folder for each module, and a file for each line where a function begins.

    The shared folder is named after the content of all sources, so nothing else tells old code.
    """

    def __init__(self, module: Path, line: int) -> None:
        self._folder = shared_folder() / ".".join(module.with_suffix("").parts)
        self._line = line

    def get_cache_path(self) -> str:
        """Return the folder of the function's module."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return what is the same as long as the source is."""
        return self._folder.parent.name

    def get_disambiguator(self) -> str:
        """Return what tells functions of the same name apart."""
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "SharedLocator | None":
        """Return the place of a function of HOAD; None for one of somebody else."""
        path = Path(py_file).absolute()
        if not path.is_relative_to(_PACKAGE):
            return None
        locator = cls(path.relative_to(_PACKAGE), py_func.__code__.co_firstlineno)
        locator.ensure_cache_path()
        return locator
