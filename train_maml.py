#!/usr/bin/env python
"""Meta-train a model on all agents but one: FOMAML, or FOMAML with the unadapted loss."""

from hoad.commands import TRAIN
from hoad.core import cli

if __name__ == "__main__":
    cli.run(TRAIN.commands["maml"])
