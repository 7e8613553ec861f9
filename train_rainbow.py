#!/usr/bin/env python
"""Train Rainbow in self-play."""

# First, so that Ctrl-C during the other imports ends with one line.
import hoad.core.signals  # noqa: F401

# isort: split

from hoad.commands import TRAIN
from hoad.core import cli

if __name__ == "__main__":
    cli.run(TRAIN.commands["rainbow"])
