"""What each published result and network took, as a page: ``python benchmarks/costs.py``."""

import csv
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any, Final

from hoad.core import cli
from hoad.core.files import make_folder, write_file
from hoad.core.paths import CURVE, METADATA
from hoad.reports.page import Block, Heading, Paragraph, Report, Table, to_markdown

ROOT: Final = Path(__file__).parents[1]

UNKNOWN: Final = "not known"

ADDS_UP: Final = ("adhoc", "meta-agents")
"""Commands that add the seconds of all cells, also of those that an earlier call has played."""

OF_TABLES: Final = ("games-watched", "headline", "milestones")
"""Commands that read tables and play no games."""

STRANGERS: Final = {"prediction": "strangers", "people": "people"}
"""Commands that keep the seconds of each stranger, which is the work of one core, and their key."""

ABOUT: Final = (
    "Core hours are the wall time of games and learning, times the threads or processes of the "
    "command; of predictions, the wall time of each stranger or person on its core; of searches, "
    "the processor time of all games, and of bounds that of the games of search-oracle; of a "
    "training, its processor time. The machines were shared with other work, so wall times are "
    "upper bounds. A result that only reads tables has no core hours of its own. Core hours "
    "are not known where the result has no time, or only that of the last call of a command that "
    "was resumed. "
    "Each table counts the games that it shares with others. Memory is the peak of the largest "
    "process of the call that wrote the result, which older results do not tell."
)


def costs(*, out: Path = Path("results/costs.md")) -> None:
    """Write a page with the core hours, memory and disk of published results and networks.

    Args:
        out: The page.
    """
    results = [["result", "command", "core hours", "memory", "disk of the report"], *_results()]
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
            _core_hours(folder, facts, words),
            _memory(facts["made_with"]),
            _disk(folder),
        ]


def _core_hours(folder: Path, facts: Mapping[str, Any], words: list[str]) -> str:
    command, seconds = words[1], facts.get("seconds")
    if command in OF_TABLES:
        return "none"
    if command in STRANGERS:
        return _hours(sum(each["seconds"] for each in facts[STRANGERS[command]].values()))
    page = (folder / "report.md").read_text()
    if took := re.search(r"took ([\d,]+) s of processor time", page):
        return _hours(float(took[1].replace(",", "")))
    if seconds is None or ("--resume" in words and command not in ADDS_UP):
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
    """Return the size of a folder's files, without folders in it, which are other results."""
    size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
    return f"{size / 2**10:,.0f} KiB"


def _networks() -> Iterator[list[str]]:
    for kind in sorted((ROOT / "checkpoints" / "shipped").iterdir()):
        folders = [file.parent for file in sorted(kind.glob(f"*/{METADATA}"))]
        known = [seconds for folder in folders if (seconds := _processor_seconds(folder))]
        if folders:
            hours = f"{_hours(mean(known))} ({len(known)} known)" if known else UNKNOWN
            yield [kind.name, str(len(folders)), hours, _disk(folders[0])]


def _processor_seconds(network: Path) -> float | None:
    """Return those of a training: its metadata has them, or a Rainbow's learning curve."""
    seconds: float | None = json.loads((network / METADATA).read_text()).get("processor_seconds")
    if seconds is None and (network / CURVE).exists():
        *_, last = csv.DictReader((network / CURVE).read_text().splitlines())
        seconds = 3_600 * float(last["cpu_hours"])
    return seconds


if __name__ == "__main__":
    cli.run(costs)
