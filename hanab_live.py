#!/usr/bin/env python
"""Let an agent play at tables of a server of hanab.live's program."""

from hoad.commands import LIVE
from hoad.core import cli

if __name__ == "__main__":
    cli.run(LIVE)
