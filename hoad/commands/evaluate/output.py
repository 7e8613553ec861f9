"""How commands show a report: as text, as files, as a line of JSON."""

from collections.abc import Callable
from pathlib import Path

from hoad.core import cli
from hoad.core.files import folder_for
from hoad.core.provenance import describe_networks
from hoad.core.run_log import write_log_to
from hoad.reports.output import plain_json, refuse_other_report, with_networks, write_report
from hoad.reports.page import Report, to_text


def show(
    make_report: Callable[[], Report],
    workers: cli.Workers,
    out: Path | None = None,
    json: bool = False,
    resume: bool = False,
) -> None:
    """Print what workers measure; write it if there is a folder; end with its facts as JSON."""
    with folder_for(out):  # before the games, which may take hours
        if out is not None:
            refuse_other_report(out, resume)
            write_log_to(out)
        with workers.in_use():
            report = make_report()
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
