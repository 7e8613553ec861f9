#!/usr/bin/env python
"""Evolve a population of agents that behave differently."""

from hoad.commands import EVOLVE
from hoad.core import cli

if __name__ == "__main__":
    cli.run(EVOLVE)
