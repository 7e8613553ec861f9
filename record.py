#!/usr/bin/env python
"""Record games, check recorded games, exchange them with other programs."""

from hoad.commands import RECORD
from hoad.core import cli

if __name__ == "__main__":
    cli.run(RECORD)
