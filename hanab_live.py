#!/usr/bin/env python
"""Let an agent play at tables of a server of hanab.live's program."""

# First, so that Ctrl-C during the other imports ends with one line.
import hoad.core.signals  # noqa: F401

# isort: split

from hoad.commands import LIVE
from hoad.core import cli

if __name__ == "__main__":
    cli.run(LIVE)
