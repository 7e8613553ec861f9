"""Whoever does the work, the results are those of one thread, to the last bit.

    python tests/same_results.py

Recording, an ad-hoc table, the study of prediction, the table of search and cross-play are done by
one and two threads, by two processes of loky and by two workers of a Dask cluster on this machine.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from hoad.core import cli
from tests.long_commands import LONG_COMMANDS, differences, inputs, results
from tests.scripts import ROOT, show_wrong

_CLUSTER: Final = """
import sys
from distributed import LocalCluster
with LocalCluster(
    n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0"
) as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


@contextmanager
def cluster() -> Iterator[str]:
    """Start a Dask scheduler and two worker processes; yield the scheduler's address."""
    program = [sys.executable, "-c", _CLUSTER]
    pipe = subprocess.PIPE
    with subprocess.Popen(program, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        assert process.stdout and process.stdin
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def differing(names: Sequence[str]) -> Iterator[str]:
    """Do these commands by all kinds of workers; yield a line for each that differs."""
    with inputs() as folder, cluster() as scheduler:
        kinds = {
            "one thread": ("--threads", "1"),
            "two threads": ("--threads", "2"),
            "loky": ("--backend", "loky", "--threads", "2"),
            "Dask": ("--backend", "dask", "--scheduler", scheduler),
        }
        for name in names:
            expected: dict[str, Any] = {}
            for kind, options in kinds.items():
                out = folder / "out"
                shutil.rmtree(out, ignore_errors=True)
                run = LONG_COMMANDS[name].start(folder, out, *options)
                if run.wait():
                    yield f"{name}: {kind}: {run.errors.read_text()[-2000:]}"
                    continue
                found = results(out, run.printed.read_text())
                expected = expected or found
                wrong = differences(expected, found)
                print(f"{name}: {kind}: {len(found)} results", file=sys.stderr, flush=True)
                if wrong or not found:
                    yield f"{name}: {kind}: differs in {', '.join(wrong)}"


def compare_workers(names: tuple[str, ...] = ()) -> int:
    """Compare the results of all kinds of workers, and show those that differ.

    Args:
        names: Commands; without them, all that other workers can do.
    """
    chosen = names or [name for name, long in LONG_COMMANDS.items() if long.workers]
    return show_wrong(differing(chosen), "results that differ")


if __name__ == "__main__":
    cli.run(compare_workers)
