"""``python -m hoad`` and the program ``hoad``: all commands."""

from typing import NoReturn

from hoad.commands import HOAD
from hoad.core import cli


def main() -> NoReturn:
    """Run the command that the command line names."""
    cli.run(HOAD, "hoad")


if __name__ == "__main__":
    main()
