#!/usr/bin/env python
"""Play with an agent yourself, on a page in the browser."""

from hoad.commands import PLAY
from hoad.core import cli

if __name__ == "__main__":
    cli.run(PLAY)
