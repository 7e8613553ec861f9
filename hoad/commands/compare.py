"""The command that shows two runs side by side."""

from typing import Annotated

from hoad.core import cli


def compare(
    first: Annotated[str, cli.Positional("RUN")], second: Annotated[str, cli.Positional("RUN")]
) -> None:
    """Print where the recipes of two runs differ, and their results.

    A run is the folder of a training, of evolve.py or of an ad-hoc table; a network, as maml:iggi;
    or a population, as canaan-5x5-1. Results of tables are strict scores over all partners.

    Args:
        first: A run.
        second: Another run of the same kind.
    """
    from hoad.reports.page import to_text
    from hoad.tables.compare import compare as compare_runs

    print(to_text(compare_runs(first, second)))
