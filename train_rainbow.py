#!/usr/bin/env python
"""Train Rainbow in self-play."""

from hoad.commands import TRAIN
from hoad.core import cli

if __name__ == "__main__":
    cli.run(TRAIN.commands["rainbow"])
