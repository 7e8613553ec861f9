#!/usr/bin/env python
"""List agents and rules; check an agent of your own."""

# First, so that Ctrl-C during the other imports ends with one line.
import hoad.core.signals  # noqa: F401

# isort: split

from hoad.commands import AGENTS
from hoad.core import cli

if __name__ == "__main__":
    cli.run(AGENTS)
