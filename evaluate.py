#!/usr/bin/env python
"""Compare agents with each other, with recorded games, and with partners never met."""

# First, so that Ctrl-C during the other imports ends with one line.
import hoad.core.signals  # noqa: F401

# isort: split

from hoad.commands import EVALUATE
from hoad.core import cli

if __name__ == "__main__":
    cli.run(EVALUATE)
