"""Where checkpoints and populations are: those made here, and those that come with HOAD."""

import os
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]
_INSTALLED: Final = _PACKAGE / "shipped"
"""What a wheel holds besides the code (see ``force-include`` in pyproject.toml)."""

_IS_WHEEL: Final = _INSTALLED.is_dir()
_CHECKOUT: Final = _PACKAGE.parent

SHIPPED_CHECKPOINTS: Final = (
    _INSTALLED / "checkpoints" if _IS_WHEEL else _CHECKOUT / "checkpoints" / "shipped"
)
"""The trained networks that come with HOAD."""

SHIPPED_POPULATIONS: Final = _INSTALLED / "populations" if _IS_WHEEL else _CHECKOUT / "populations"
"""The populations that come with HOAD, as ``NAME.json``."""


def checkpoint_root() -> Path:
    """Return the folder of all checkpoints: ``$HOAD_CHECKPOINTS``, or ``checkpoints``."""
    return Path(os.environ.get("HOAD_CHECKPOINTS", "checkpoints"))
