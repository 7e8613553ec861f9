"""Progress bars, shown on terminals only."""

import sys
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Final, TypeVar

from tqdm import tqdm

from hoad.core.run_log import LoggedStream, log_line

ItemT = TypeVar("ItemT")

_BAR: Final = "{desc}: {n:,} of {total:,} {unit} |{bar}| {elapsed}, {remaining} left{postfix}"
_COUNT: Final = "{desc}: {n:,} {unit}, {elapsed}{postfix}"  # of an iterable without a length


def progress(
    items: Iterable[Any] | int, description: str, unit: str = "steps", shown: bool = True
) -> tqdm:
    """Return a progress bar on standard error, silent where that is not a terminal.

    ``items`` are iterated over, or are the total of a bar (a context manager) that its caller
    moves with ``update(n)``. A bar that is a part of another one is not ``shown``.
    """
    iterable, total = (None, items) if isinstance(items, int) else (items, None)
    return tqdm(
        iterable,
        total=total,
        desc=description,
        unit=unit,
        bar_format=_COUNT if total is None and not isinstance(items, Sized) else _BAR,
        dynamic_ncols=True,
        disable=None if shown else True,  # None is tqdm's value for "only on a terminal"
    )


def say(bar: tqdm, line: str) -> None:
    """Print a line on standard error if the bar is silent; log it in any case."""
    if bar.disable:
        print(line, file=sys.stderr, flush=True)
    if not (bar.disable and isinstance(sys.stderr, LoggedStream)):  # which logs it
        log_line(line)


def counted(
    items: Iterable[ItemT], sizes: Sequence[int], description: str, unit: str
) -> Iterator[ItemT]:
    """Yield items with a progress bar, which each item moves by its size."""
    with progress(sum(sizes), description, unit) as bar:
        for item, size in zip(items, sizes, strict=True):
            bar.update(size)
            yield item
