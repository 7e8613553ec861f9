#!/usr/bin/env python
"""Meta-train a model with FOMAML on all agents but one."""

from hoad.commands import TRAIN
from hoad.core import cli

if __name__ == "__main__":
    cli.run(TRAIN.commands["maml"])
