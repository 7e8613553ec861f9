#!/usr/bin/env python
"""Train an imitator of an agent from its recorded games."""

from hoad.commands import TRAIN
from hoad.core import cli

if __name__ == "__main__":
    cli.run(TRAIN.commands["imitator"])
