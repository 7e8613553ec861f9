#!/usr/bin/env python
"""Print where the recipes of two runs differ, and their results."""

from hoad.commands import COMPARE
from hoad.core import cli

if __name__ == "__main__":
    cli.run(COMPARE)
