#!/usr/bin/env python
"""List agents and rules; check an agent of your own."""

from hoad.commands import AGENTS
from hoad.core import cli

if __name__ == "__main__":
    cli.run(AGENTS)
