"""Long commands that are killed: the results after ``--resume`` are those of a run without a stop.

    python tests/kills.py --count 200

Each run is stopped four times at random moments, twice by SIGKILL and twice by SIGINT or SIGTERM,
and goes on each time; the commands take turns, in forks of this process, which has loaded all that
they import. Run ``i`` of a seed has the same signals and, in
processor time, the same moments, so that ``--first i --count 4`` shows it again.
"""

import os
import random
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

sys.path.insert(0, str(Path(__file__).parents[1]))

from hoad.core import cli
from tests.long_commands import LONG_COMMANDS, LongCommand, Run, differences, inputs, results
from tests.scripts import show_wrong

SECONDS_TO_END: Final = 120
"""A command that takes longer after SIGINT or SIGTERM hangs."""

STOPS: Final = 4
_SHARE: Final = 0.4  # of a whole run, after which a stop comes at the latest
_TRIES: Final = 20
_LOOKS: Final = 0.01  # seconds between two looks at a run


@dataclass
class Whole:
    """The results of a command that was not stopped, and the seconds of a processor it took."""

    results: dict[str, Any]
    seconds: float


@dataclass
class Kills:
    """The folder of the inputs, the whole runs by command, and what was killed."""

    folder: Path
    wholes: dict[str, Whole] = field(default_factory=dict)
    killed: Counter[tuple[str, str]] = field(default_factory=Counter)

    def whole(self, name: str) -> Whole:
        """Run a command without a stop, when it is first asked for."""
        if name not in self.wholes:
            out = self.folder / "out"  # which recipes in reports name
            shutil.rmtree(out, ignore_errors=True)
            run = LONG_COMMANDS[name].start(self.folder, out)
            while run.wait(_LOOKS) is None:
                run.seconds()
            found = results(out, _printed(run))
            assert found, name
            self.wholes[name] = Whole(found, run.taken)
        return self.wholes[name]

    def stop_often(self, number: int, seed: int) -> Iterator[str]:
        """Stop a command ``STOPS`` times; yield what is wrong."""
        name = list(LONG_COMMANDS)[number % len(LONG_COMMANDS)]
        long, whole = LONG_COMMANDS[name], self.whole(name)
        draw = random.Random(f"{seed} {number}")
        signals = [signal.SIGKILL] * (STOPS // 2)
        signals += draw.choices((signal.SIGINT, signal.SIGTERM), k=STOPS - len(signals))
        draw.shuffle(signals)
        share = 1.0 if long.resumed is None else _SHARE
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        for how in signals:
            for _ in range(_TRIES):
                run = self._start(long, out)
                moment = draw.uniform(0, share * whole.seconds)
                if _stopped(run, moment, how, long.ends_with):
                    self.killed[name, how.name] += 1
                    yield from _wrong_end(name, long, run, how)
                    break
                whole.seconds = min(whole.seconds, run.taken)  # it was complete before
                shutil.rmtree(out, ignore_errors=True)
            else:
                yield f"{name}: could not be stopped in {_TRIES} tries"
        run = self._start(long, out)
        run.wait()
        if wrong := differences(whole.results, results(out, _printed(run))):
            names = ", ".join(how.name for how in signals)
            yield f"{name}: after {names}: differs in {', '.join(wrong)}"

    def _start(self, long: LongCommand, out: Path) -> Run:
        more = long.resumed if long.resumed and out.exists() else ()
        return long.start(self.folder, out, *more)


def _stopped(run: Run, moment: float, how: signal.Signals, ends_with: int) -> bool:
    """Stop a run after some processor time; return whether it was still running."""
    while run.seconds() < moment:
        if run.wait(_LOOKS) is not None:
            _printed(run)
            return False
    os.kill(run.process.pid or 0, how)
    run.wait(SECONDS_TO_END)
    return run.process.exitcode != 0 or ends_with == 0  # else it was complete already


def _wrong_end(name: str, long: LongCommand, run: Run, how: signal.Signals) -> Iterator[str]:
    right = {-signal.SIGKILL} if how is signal.SIGKILL else {130, long.ends_with}
    if run.process.exitcode is None:
        yield f"{name}: does not end after {how.name}"
        run.process.kill()
        run.wait()
    elif run.process.exitcode not in right or "Traceback" in run.errors.read_text():
        end = run.errors.read_text()[-2000:]
        yield f"{name}: {how.name}: status {run.process.exitcode}: {end}"


def _printed(run: Run) -> str:
    """Return what a complete run has printed."""
    code = run.process.exitcode
    assert code == 0, f"{run.process}: {run.errors.read_text()[-2000:]}"
    return run.printed.read_text()


def wrong_ends(count: int, seed: int = 0, first: int = 0) -> Iterator[str]:
    """Stop ``count`` runs; yield a description of each that does not go on as it should."""
    with inputs() as folder:
        kills = Kills(folder)
        for number in range(first, first + count):
            try:
                for problem in kills.stop_often(number, seed):
                    yield f"{number}: {problem}"
            except AssertionError as error:
                yield f"{number}: {error}"
            print(f"{kills.killed.total()} kills", file=sys.stderr, flush=True)
        for (name, how), times in sorted(kills.killed.items()):
            print(f"{name:15} {how:8} {times}", file=sys.stderr)


def try_kills(
    count: Annotated[int, Field(ge=4, multiple_of=4)] = 200,
    seed: Annotated[int, Field(ge=0)] = 0,
    first: Annotated[int, Field(ge=0)] = 0,
) -> int:
    """Kill long commands, and show those that do not go on as if nothing had happened.

    Args:
        count: Number of kills, four of each run.
        seed: Seed of the signals and moments.
        first: Number of the first run.
    """
    what = "runs that do not go on as they should"
    return show_wrong(wrong_ends(count // STOPS, seed, first), what)


if __name__ == "__main__":
    cli.run(try_kills)
