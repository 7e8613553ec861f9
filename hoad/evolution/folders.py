"""Where populations are: those that evolution left here, and those that HOAD comes with."""

import os
import re
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.paths import SHIPPED_POPULATIONS, checkpoint_root

POPULATION_FILE: Final = "population.json"

SHIPPED: Final = SHIPPED_POPULATIONS
"""The folder of recipes, in which kept populations lie beside them as NAME.json."""


def run_folder(name: str, root: Path | None = None) -> Path:
    """Return the folder of a run; ``root`` is that of all checkpoints, the default one if None."""
    return (root or checkpoint_root()) / "populations" / name


def population_path(name: str) -> Path:
    """Return the population file that a name means: a file named ``*.json``, or a population.

    A run of that name, finished or not, comes before a population that HOAD comes with. The name
    of a file may hold environment variables, as in ``$HOAD_REFERENCE/population.json``.

    Raises:
        HoadError: there is no such file.
    """
    if name.endswith(".json"):
        places = [Path(os.path.expandvars(name))]
    else:
        places = [run_folder(name) / POPULATION_FILE, SHIPPED / f"{name}.json"]
    for path in places:
        if path.is_file():
            return path
    unset = re.search(r"\$\w+", str(places[0]))
    if unset:
        raise HoadError(
            f"population {name!r}: the environment variable {unset[0][1:]}, which names the folder "
            "of this file, is not set"
        )
    raise HoadError(
        f"population {name!r}: no file {' or '.join(map(str, places))}; make one with evolve.py, "
        "set HOAD_CHECKPOINTS to what was its --out, or give the path of a population file (*.json)"
    )
