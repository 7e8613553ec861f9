"""What environments show of a game, as Gymnasium and PettingZoo name it."""

from typing import Final

from gymnasium import logger

from hoad.core.errors import HoadError

RENDER_MODES: Final = ["ansi", "human"]
"""``render`` returns the table as text, or prints it, as the environment does after each move."""


def check_render_mode(mode: str | None) -> None:
    """Refuse a mode other than None and ``RENDER_MODES``: a HoadError."""
    if mode is not None and mode not in RENDER_MODES:
        raise HoadError(f"environment: render_mode={mode!r}: expected 'ansi', 'human' or None")


def show(text: str, mode: str | None) -> str | None:
    """Return the text or print it, as the mode says; without a mode, warn."""
    if mode == "ansi":
        return text
    if mode == "human":
        print(text, end="\n\n")
    else:
        logger.warn("render: this environment was made without a render_mode")
    return None
