"""Where trained networks lie."""

import os
import re
from pathlib import Path


def checkpoint_root() -> Path:
    """Return the folder of all checkpoints: ``$HOAD_CHECKPOINTS``, or ``checkpoints``."""
    return Path(os.environ.get("HOAD_CHECKPOINTS", "checkpoints"))


def checkpoint_folder(kind: str, name: str, root: Path | None = None) -> Path:
    """Return the folder of one trained network.

    Args:
        kind: ``imitator`` or ``maml``.
        name: the agent that is imitated or held out.
        root: folder of all checkpoints; the default one if None.
    """
    return (root or checkpoint_root()) / kind / re.sub(r"[^\w.,-]", "_", name)
