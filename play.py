#!/usr/bin/env python
"""Play with an agent yourself, on a page in the browser."""

# First, so that Ctrl-C during the other imports ends with one line.
import hoad.core.signals  # noqa: F401

# isort: split

from hoad.commands import PLAY
from hoad.core import cli

if __name__ == "__main__":
    cli.run(PLAY)
