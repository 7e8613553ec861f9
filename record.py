#!/usr/bin/env python
"""Record games, check recorded games, exchange them with other programs."""

# First, so that Ctrl-C during the other imports ends with one line.
import hoad.core.signals  # noqa: F401

# isort: split

from hoad.commands import RECORD
from hoad.core import cli

if __name__ == "__main__":
    cli.run(RECORD)
