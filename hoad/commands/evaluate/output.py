"""What several commands share: types of options, and how they show a report."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from hoad.agents.registry import AgentName
from hoad.core import cli
from hoad.core.files import folder_for
from hoad.core.provenance import describe_networks
from hoad.core.run_log import write_log_to
from hoad.reports.output import plain_json, refuse_other_report, with_networks, write_report
from hoad.reports.page import Report, to_text

Agents = Annotated[tuple[AgentName, ...], *cli.at_least_one("AGENT...")]
Files = Annotated[tuple[Path, ...], *cli.at_least_one("FILE...")]
Folders = Annotated[tuple[Path, ...], *cli.at_least_one("FOLDER...")]
Populations = Annotated[tuple[str, ...], *cli.at_least_one("POPULATION...")]


@contextmanager
def showing(
    workers: cli.Workers, out: Path | None = None, json: bool = False, resume: bool = False
) -> Iterator[Callable[[Report], None]]:
    """Let workers do what the context does; it passes its report to the function that it gets.

    Then the report is printed, and written if there is a folder; its facts may follow as JSON.
    """
    reports: list[Report] = []
    with folder_for(out):  # before the games, which may take hours
        if out is not None:
            refuse_other_report(out, resume)
            write_log_to(out)
        with workers.in_use():
            yield reports.append
        [report] = reports
        print(to_text(report))
        show_networks()
        if out is not None:
            print(f"\n{write_report(report, out)} has figures too")
    if json:
        print(plain_json(with_networks(report.facts)))


def show_networks() -> None:
    """Say where the networks that have played come from."""
    if said := describe_networks():
        print(f"\n{said}")
