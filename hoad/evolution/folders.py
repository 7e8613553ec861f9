"""Where evolution leaves its populations."""

import os
from pathlib import Path
from typing import Final

from hoad.checkpoints import checkpoint_root
from hoad.errors import HoadError

POPULATION_FILE: Final = "population.json"


def run_folder(name: str, root: Path | None = None) -> Path:
    """Return the folder of a run; ``root`` is that of all checkpoints, the default one if None."""
    return (root or checkpoint_root()) / "populations" / name


def population_path(name: str) -> Path:
    """Return the population file that a name means: a file named ``*.json``, or a run.

    The name may hold environment variables, as in ``$HOAD_REFERENCE/population.json``.

    Raises:
        HoadError: there is no such file.
    """
    is_file = name.endswith(".json")
    path = Path(os.path.expandvars(name)) if is_file else run_folder(name) / POPULATION_FILE
    if not path.is_file():
        raise HoadError(
            f"population {name!r}: no file {path}; make one with evolve.py, or give the path "
            "of a population file (*.json)"
        )
    return path
