#!/usr/bin/env python
"""Evolve a population of agents that behave differently."""

# First, so that Ctrl-C during the other imports ends with one line.
import hoad.core.signals  # noqa: F401

# isort: split

from hoad.commands import EVOLVE
from hoad.core import cli

if __name__ == "__main__":
    cli.run(EVOLVE)
