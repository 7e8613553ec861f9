"""Colours and markers of series in all reports, by the name of a player, model or agent."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, Final

from hoad.players.registry import Column

# Okabe and Ito's palette without its yellow, then colours of Tol's: colour-blind readers can tell
# them apart, and all can be seen on white.
COLOURS: Final = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "pink": "#CC79A7",
    "sky": "#56B4E9",
    "grey": "#999999",
    "olive": "#999933",
    "black": "#000000",
    "wine": "#882255",
    "teal": "#44AA99",
    "indigo": "#332288",
}
MARKERS: Final = "osD^vPX<>hpd*"
"""One more than there are colours, so that many series look different."""

_PAIRS: Final = [*islice(zip(cycle(COLOURS), cycle(MARKERS)), len(COLOURS) * len(MARKERS))]
"""All pairs of colour and marker; neighbours differ in both."""

NAMED_STYLES: Final = {
    # Players of tables. Those that know the partner are black.
    "random-partner": ("grey", "X"),
    "naive": ("olive", "<"),
    "zero-shot": ("sky", "v"),
    "low-shot": ("blue", "o"),
    "nearest": ("pink", ">"),
    "nearest-response": ("wine", "h"),
    "generalist": ("teal", "P"),
    "bayes-features": ("green", "s"),
    "bayes-moves": ("orange", "d"),
    "bayes-moves-support": ("indigo", "^"),
    "most-likely": ("vermilion", "v"),
    "likelihood": ("sky", "s"),
    "likelihood-revealed": ("blue", "D"),
    "niche": ("wine", "o"),
    "random-response": ("grey", "v"),
    "model": ("orange", "s"),
    "search": ("vermilion", "*"),
    "search-oracle": ("black", "*"),
    "oracle": ("black", "p"),
    "self-play": ("black", "D"),
    # Models of a partner's moves; some have the names of players.
    "uniform": ("grey", "o"),
    "pool": ("teal", "s"),
    "program": ("vermilion", "d"),
    "logit": ("green", "h"),
    "mixture": ("orange", "P"),
    "population": ("indigo", "X"),
    "people zero-shot": ("black", ">"),
    "people low-shot": ("wine", "D"),
    "itself": ("black", "X"),
    # Agents.
    "simplebot": ("blue", "s"),
    "valuebot": ("orange", "o"),
    "holmesbot": ("green", "D"),
    "outer": ("wine", "X"),
    "iggi": ("pink", "h"),
    "piers": ("sky", "d"),
    "van-den-bergh": ("teal", "v"),
    "rainbow": ("vermilion", "o"),
    "smartbot": ("olive", "P"),
    "infobot": ("indigo", "s"),
    "cheatbot": ("grey", "D"),
    "wtfwt": ("olive", "o"),
    "fireflower": ("indigo", "h"),
    "internal": ("grey", ">"),
    "cautious": ("wine", "P"),
    "flawed": ("olive", "X"),
}
"""Colour and marker by name; no two names have both in common."""


@dataclass(frozen=True)
class Style:
    """How a series looks: a key of `COLOURS`, and a marker of matplotlib, or none (empty).

    Variants have hollow markers, or a shade of the colour: 1 is full, 0 is white.
    """

    colour: str
    marker: str
    hollow: bool = False
    shade: float = 1.0


def styles_of(names: Iterable[str]) -> dict[str, Style]:
    """Return the styles of players, or of other series, by name.

    A name that is not in `NAMED_STYLES` gets a colour and a marker of its own among these names.
    Variants of a player look alike: ``X+elites`` as ``X`` with hollow markers; ``X@N`` as ``X``
    but paler, the paler the earlier it comes; ``X:Y`` has the marker of ``X``, which is hollow, and
    the colour of ``Y``.
    """
    columns = {name: Column.parse(name) for name in names}
    words = [column.word or name for name, column in columns.items()]
    learned_from = [one.learned_from for one in columns.values() if one.learned_from]
    chosen = _colours_and_markers(dict.fromkeys([*words, *learned_from]))
    styles = {}
    for (name, column), word in zip(columns.items(), words, strict=True):
        colour, marker = chosen[word]
        if column.learned_from:
            colour = chosen[column.learned_from][0]
        is_hollow = column.with_elites or bool(column.learned_from)
        styles[name] = Style(colour, marker, is_hollow, _shade(column, columns.values()))
    return styles


def _colours_and_markers(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return colour and marker of each name: of the table, else a colour not used yet, if any."""
    names = list(names)
    chosen = {name: NAMED_STYLES[name] for name in names if name in NAMED_STYLES}
    for name in names:
        if name not in chosen:
            looks, used = chosen.values(), {colour for colour, _ in chosen.values()}
            free = [pair for pair in _PAIRS if pair not in looks] or _PAIRS
            chosen[name] = next((pair for pair in free if pair[0] not in used), free[0])
    return chosen


def _shade(column: Column, columns: Iterable[Column]) -> float:
    """Return the shade of a player among its variants ``X@N``; that of ``X`` itself is full."""
    if not column.variant:
        return 1.0
    variants = [other.name for other in columns if other.variant and other.word == column.word]
    return 0.3 + 0.5 * variants.index(column.name) / max(len(variants) - 1, 1)


def plot_arguments(style: Style) -> dict[str, Any]:
    """Return the arguments of matplotlib for a style."""
    full = COLOURS[style.colour]
    parts = (int(full[start : start + 2], 16) / 255 for start in (1, 3, 5))
    colour = tuple(1 - style.shade * (1 - part) for part in parts)
    return {
        "color": colour,
        "marker": style.marker,
        "markerfacecolor": "white" if style.hollow else colour,
    }
