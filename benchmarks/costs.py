"""What each published result and network took, as a page: ``python benchmarks/costs.py``."""

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any, Final

from hoad.core import cli
from hoad.core.files import make_folder, write_file
from hoad.reports.page import Block, Heading, Paragraph, Report, Table, to_markdown

ROOT: Final = Path(__file__).parents[1]

UNKNOWN: Final = "not known"

ADDS_UP: Final = ("adhoc", "meta-agents")
"""Commands that add the seconds of all cells, also of those that an earlier call has played."""

ABOUT: Final = (
    "Core hours are the wall time of games and learning, times the threads or processes of the "
    "command; of a training, its processor time. The machines were shared with other work, so they "
    "are upper bounds. They are not known where the result has no time, or that of the last call "
    "of a command that was resumed. Each table counts the games that it shares with others. "
    "Memory is the peak of the largest process of the call that wrote the result, which older "
    "results do not tell."
)


def costs(*, out: Path = Path("results/costs.md")) -> None:
    """Write a page with the core hours, memory and disk of published results and networks.

    Args:
        out: The page.
    """
    results = [["result", "command", "core hours", "memory", "disk"], *_results()]
    networks = [["networks", "number", "core hours of one", "disk of one"], *_networks()]
    blocks: list[Block] = [
        Paragraph(ABOUT),
        Heading("Results"),
        Table(results),
        Heading("Networks that come with HOAD"),
        Table(networks),
    ]
    page = to_markdown(Report("Costs", blocks, [], {}))
    make_folder(out.parent)
    write_file(out, page.encode())
    print(f"{page}\nWritten to {out}")


def _results() -> Iterator[list[str]]:
    for file in sorted((ROOT / "results").rglob("results.json")):
        facts = json.loads(file.read_text())
        folder, words = file.parent, shlex.split(facts["made_with"]["command"])
        name = str(folder.relative_to(ROOT / "results"))
        yield [
            name,
            words[1],
            _core_hours(facts, words),
            _memory(facts["made_with"]),
            _disk(folder),
        ]


def _core_hours(facts: Mapping[str, Any], words: list[str]) -> str:
    seconds = facts.get("seconds")
    if seconds is None or ("--resume" in words and words[1] not in ADDS_UP):
        return UNKNOWN
    threads = int(facts["made_with"]["cpus"])
    if "--threads" in words:
        threads = int(words[words.index("--threads") + 1])
    return _hours(threads * (sum(seconds.values()) if isinstance(seconds, dict) else seconds))


def _hours(seconds: float) -> str:
    return f"{seconds / 3_600:.2f}"


def _memory(made_with: Mapping[str, Any]) -> str:
    return f"{made_with['memory_mib']:,} MiB" if "memory_mib" in made_with else UNKNOWN


def _disk(folder: Path) -> str:
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return f"{size / 2**10:,.0f} KiB"


def _networks() -> Iterator[list[str]]:
    for kind in sorted((ROOT / "checkpoints" / "shipped").iterdir()):
        folders = [file.parent for file in sorted(kind.glob("*/metadata.json"))]
        metadata = [json.loads((folder / "metadata.json").read_text()) for folder in folders]
        times = [one.get("processor_seconds") for one in metadata]
        known = [seconds for seconds in times if seconds is not None]
        if folders:
            hours = f"{_hours(mean(known))} ({len(known)} known)" if known else UNKNOWN
            yield [kind.name, str(len(folders)), hours, _disk(folders[0])]


if __name__ == "__main__":
    cli.run(costs)
