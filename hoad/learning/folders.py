"""Where trained networks lie."""

import re
from pathlib import Path

from hoad.checkpoints import checkpoint_root


def checkpoint_folder(kind: str, name: str, root: Path | None = None) -> Path:
    """Return the folder of one trained network.

    Args:
        kind: ``imitator`` or ``maml``.
        name: the agent that is imitated or held out.
        root: folder of all checkpoints; the default one if None.
    """
    return (root or checkpoint_root()) / kind / re.sub(r"[^\w.,-]", "_", name)
