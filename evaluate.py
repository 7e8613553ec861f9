#!/usr/bin/env python
"""Compare agents with each other, with recorded games, and with partners never met."""

from hoad.commands import EVALUATE
from hoad.core import cli

if __name__ == "__main__":
    cli.run(EVALUATE)
