"""Where populations are: those of runs on this machine, and those that HOAD ships."""

import os
import re
from pathlib import Path
from typing import Final

from hoad.core.errors import AbsentError, HoadError
from hoad.core.paths import SHIPPED_POPULATIONS, own_checkpoints

POPULATION_FILE: Final = "population.json"

PROGRESS_FILE: Final = "progress.json"


def run_folder(name: str, root: Path) -> Path:
    """Return the folder of a run; ``root`` is the folder of all checkpoints."""
    return root / "populations" / name


def refuse_run(folder: Path, resume: bool) -> None:
    """Raise a HoadError if a folder holds a run that is not to be resumed."""
    if (folder / PROGRESS_FILE).exists() and not resume:
        raise HoadError(
            f"{folder}: holds a run already; continue it with --resume, remove the folder, or "
            "choose another one with --name or --out"
        )


def population_path(name: str) -> Path:
    """Return the path of a population: a file ``*.json``, or the name of a population.

    A run of that name, finished or not, comes before a shipped population. A file name may hold
    environment variables, as in ``$HOAD_REFERENCE/population.json``.

    Raises:
        AbsentError: there is no such file.
    """
    if name.endswith(".json"):
        places = [Path(os.path.expandvars(name))]
    else:
        own = run_folder(name, own_checkpoints()) / POPULATION_FILE
        places = [own, SHIPPED_POPULATIONS / f"{name}.json"]
    for path in places:
        if path.is_file():
            return path
    unset = re.search(r"\$\w+", str(places[0]))
    if unset:
        raise AbsentError(
            f"population {name!r}: the environment variable {unset[0][1:]}, which names the folder "
            "of this file, is not set"
        )
    raise AbsentError(
        f"population {name!r}: no file {' or '.join(map(str, places))}; make one with evolve.py, "
        "set HOAD_CHECKPOINTS to its --out, or give the path of a population file (*.json)"
    )
