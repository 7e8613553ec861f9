"""Published scores of ad-hoc play, each with the seat in which it was measured."""

from dataclasses import dataclass
from typing import Final

from hoad.evaluation.adhoc_table import ALL_PARTNERS


@dataclass(frozen=True)
class Published:
    """A published figure, or several of the same kind.

    Attributes:
        values: mean scores.
        score: ``lenient`` or ``strict``.
        seat: who moved first, as in `hoad.evaluation.adhoc_table.SEATS`.
        source: where it stands, and under which conditions.
    """

    values: tuple[float, ...]
    score: str
    seat: str
    source: str


_THESIS_PARTNERS: Final = (
    "simplebot",
    "valuebot",
    "holmesbot",
    "outer",
    "iggi",
    "piers",
    "rainbow",
    "van-den-bergh",
    ALL_PARTNERS,
)

_TABLE_3_3: Final = {
    ("random-partner", ""): (5.1, 5.7, 4.6, 2.9, 4.5, 5.0, 3.1, 3.8, 4.3),
    ("naive", ""): (1.1, 1.5, 0.5, 2.5, 2.5, 2.0, 1.8, 2.2, 1.8),
    ("zero-shot", "2 epochs"): (4.2, 5.3, 6.2, 3.0, 5.9, 9.3, 2.9, 4.5, 5.2),
    ("low-shot", "2 epochs"): (5.3, 7.6, 6.8, 3.6, 11.1, 8.3, 1.8, 4.7, 6.2),
    ("zero-shot", "5 epochs"): (4.6, 8.4, 9.4, 3.4, 6.2, 11.0, 3.1, 6.7, 6.6),
    ("low-shot", "5 epochs"): (3.8, 8.9, 7.9, 3.9, 8.1, 10.2, 2.6, 5.4, 6.3),
}

_TABLE_3_2_DIAGONAL: Final = (16.8, 18.0, 14.7, 14.1, 16.2, 15.9, 18.1, 10.5)

_TABLE_IV_OTHER_POPULATION: Final = {
    "oracle": (12.83, 13.39, 12.40, 13.04, 13.18, 12.50),
    "adaptive": (12.58, 13.49, 12.32, 13.07, 13.04, 12.35),
    "generalist": (12.49, 13.67, 12.52, 13.11, 13.06, 12.41),
    "random-response": (8.48, 9.17, 8.27, 8.75, 9.02, 8.81),
}


def published(row: str, player: str) -> list[Published]:
    """Return what was published of a player with a partner, or with all partners."""
    found = []
    for (column, epochs), values in _TABLE_3_3.items():
        if column == player and row in _THESIS_PARTNERS:
            source = "Sarmasi 2022, table 3.3" + (f", {epochs}" if epochs else "")
            value = values[_THESIS_PARTNERS.index(row)]
            found.append(Published((value,), "strict", "partner first", source))
    if player == "self-play" and row in _THESIS_PARTNERS[:-1]:
        value = _TABLE_3_2_DIAGONAL[_THESIS_PARTNERS.index(row)]
        found.append(
            Published((value,), "strict", "partner first", "Sarmasi 2022, table 3.2, imitators")
        )
    if row == ALL_PARTNERS and player in _TABLE_IV_OTHER_POPULATION:
        several = _TABLE_IV_OTHER_POPULATION[player]
        source = "Canaan et al. 2022, table IV, partners from another population"
        found.append(Published(several, "lenient", "player first", source))
    return found
