"""Where training and evolution leave what they make."""

import os
from pathlib import Path


def checkpoint_root() -> Path:
    """Return the folder of all checkpoints: ``$HOAD_CHECKPOINTS``, or ``checkpoints``."""
    return Path(os.environ.get("HOAD_CHECKPOINTS", "checkpoints"))
