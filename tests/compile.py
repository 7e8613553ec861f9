"""Compile what many tests need, by small commands. Otherwise each worker of the tests compiles it.

    python -m tests.compile agents
    python -m tests.compile models

Both can run at the same time; what both need is compiled once if they start one after the other.
"""

import subprocess
import sys
from tempfile import TemporaryDirectory

from tests.scripts import ROOT

PARTS = {
    "agents": (
        "evaluate.py crossplay --games 1 fireflower wtfwt smartbot infobot cheatbot",
        "evolve.py populations/canaan-5x5.toml --name small --games 2 --random-candidates 40 "
        "--candidates 80 --generation 20 --final-games 4 --out {folder}",
    ),
    "models": (
        "evaluate.py crossplay --games 1 search:iggi simplebot valuebot holmesbot",
        "record.py play datasets/demo.toml --agents iggi --games 20 --out {folder}",
        "evaluate.py predict {folder}/iggi.h5 --support 2 --test 1",
    ),
}


def main(part: str) -> None:
    """Run the commands of a part in turn.

    Raises:
        CalledProcessError: one of them failed; what it wrote is on standard error.
    """
    with TemporaryDirectory() as folder:
        for command in PARTS[part]:
            script, *arguments = command.format(folder=folder).split()
            given = [sys.executable, str(ROOT / script), *arguments]
            subprocess.run(given, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main(sys.argv[1])
