"""How series look: colours and markers, in which variants of one player look alike."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

# Okabe and Ito's palette without its yellow, then colours of Tol's: colour-blind readers can tell
# them apart, and all can be seen on white.
COLOURS: Final = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#999999"),
    *("#999933", "#000000", "#882255", "#44AA99", "#332288"),
)
MARKERS: Final = "osD^vPX<>hpd*"
"""One more than there are colours, so that many series look different."""


@dataclass(frozen=True)
class Style:
    """How a series looks: its number in `COLOURS` and `MARKERS`, which repeat beyond the last.

    Variants have empty (hollow) markers, or a shade of the colour: 1 is full, 0 is white.
    """

    number: int
    hollow: bool = False
    shade: float = 1.0


def styles_of(names: Iterable[str]) -> dict[str, Style]:
    """Return the styles of players, in which variants of one player look alike.

    ``X+...`` looks as ``X`` with hollow markers; ``X@N`` as ``X``, and paler the earlier it comes.
    """
    distinct = list(dict.fromkeys(names))
    bases = [name if ":" in name else re.split("[@+]", name)[0] for name in distinct]
    numbers = {base: number for number, base in enumerate(dict.fromkeys(bases))}
    styles = {}
    for base, name in zip(bases, distinct, strict=True):
        family = [other for own, other in zip(bases, distinct, strict=True) if own == base]
        steps = [other for other in family if "@" in other]
        share = (steps.index(name) + 1) / len(steps) if name in steps else 1.0
        styles[name] = Style(numbers[base], "+" in name and ":" not in name, 0.25 + 0.75 * share)
    return styles


def look(style: Style) -> dict[str, Any]:
    """Return the arguments of matplotlib for a style."""
    full = COLOURS[style.number % len(COLOURS)]
    parts = (int(full[start : start + 2], 16) / 255 for start in (1, 3, 5))
    colour = tuple(1 - style.shade * (1 - part) for part in parts)
    return {
        "color": colour,
        "marker": MARKERS[style.number % len(MARKERS)],
        "markerfacecolor": "white" if style.hollow else colour,
    }
