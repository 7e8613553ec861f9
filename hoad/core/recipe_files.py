"""Where recipes are: files of one's own, and those that come with HOAD and are found by name."""

import difflib
import itertools
import re
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.paths import SHIPPED
from hoad.core.recipe import RECIPE_SUFFIX

RECIPE_FOLDERS: Final = {
    "datasets": "hoad record play",
    "models": "hoad train imitator, maml and rainbow",
    "populations": "hoad evolve",
    "results": "hoad evaluate adhoc, meta-agents, imitators, prediction, people, search and bounds",
}
"""The folders of recipes, and the commands that take them."""


def find_recipe(word: str, folder: str | None) -> Path:
    """Return the file of a recipe that a command line names.

    A file in the current directory comes first. ``demo/imitator``, ``demo/imitator.toml`` and
    ``models/demo/imitator.toml`` all name the same shipped recipe of the folder ``models``. Without
    a folder, no shipped recipe is looked up.

    Raises:
        HoadError: there is no such file; the message suggests recipes with similar names.
    """
    file = Path(word if word.endswith(RECIPE_SUFFIX) else word + RECIPE_SUFFIX)
    shipped = SHIPPED / file if folder and file.parts[0] == folder else SHIPPED / f"{folder}" / file
    for path in (file, shipped):
        if path.is_file():
            return path
    if folder is None:
        raise HoadError(f"{word}: there is no such recipe")
    name = file.with_suffix("").as_posix().removeprefix(f"{folder}/")
    nearest = difflib.get_close_matches(name, shipped_recipes(folder), n=3)
    remedy = f"did you mean {' or '.join(nearest)}?" if nearest else "`hoad recipes` lists them"
    raise HoadError(
        f"{word}: there is no such recipe, neither here nor in {folder}/ that comes with HOAD; "
        f"{remedy}"
    )


def shipped_recipes(folder: str) -> list[str]:
    """Return the names of the recipes of a folder that come with HOAD, as in ``demo/imitator``."""
    root = SHIPPED / folder
    paths = itertools.chain(root.glob(f"*{RECIPE_SUFFIX}"), root.glob(f"*/*{RECIPE_SUFFIX}"))
    own = (path for path in paths if path.stem != "recipe")  # which is that of a written report
    names = [path.relative_to(root).with_suffix("").as_posix() for path in own]
    return sorted(names, key=lambda name: ("/" in name, name))


def recipe_summary(path: Path) -> str:
    """Return the first sentence of the comment at the top of a recipe; empty without one."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comment = itertools.takewhile(lambda line: line.startswith("# "), lines)
    text = " ".join(line.removeprefix("# ") for line in comment)
    return re.split(r"(?<! al)\. |(?<=\?) ", text)[0].removesuffix(".")
