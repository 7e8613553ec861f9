"""The tables of meta-agents that Canaan et al. published."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class PublishedTable:
    """Mean lenient scores of meta-agents.

    Attributes:
        source: where it stands.
        scores: by player: rows = training population, columns = population of the partners.
    """

    source: str
    scores: dict[str, tuple[tuple[float, float, float], ...]]


PUBLISHED: Final = {
    "canaan-2022": PublishedTable(
        "Canaan et al. 2022, table IV",
        {
            "oracle": ((13.42, 12.83, 13.39), (12.40, 12.80, 13.04), (13.18, 12.50, 14.00)),
            "adaptive": ((13.16, 12.58, 13.49), (12.32, 12.23, 13.07), (13.04, 12.35, 13.99)),
            "generalist": ((12.94, 12.49, 13.67), (12.52, 11.90, 13.11), (13.06, 12.41, 13.91)),
            "random-response": ((8.85, 8.48, 9.17), (8.27, 8.02, 8.75), (9.02, 8.81, 9.58)),
        },
    ),
    "canaan-2020": PublishedTable(
        "Canaan et al. 2020, table III",
        {
            "oracle": ((12.84, 12.60, 12.48), (12.60, 13.11, 12.68), (12.49, 12.71, 13.01)),
            "generalist": ((12.12, 12.26, 12.19), (11.75, 12.16, 11.94), (11.68, 11.77, 12.48)),
            "niche": ((10.08, 9.98, 9.85), (10.51, 10.47, 10.42), (10.67, 10.62, 10.57)),
        },
    ),
}

ACT_DIFFERENTLY: Final = frozenset(range(78, 83))
"""Rules with which the published program gives an impossible hint, which ends the game there."""

ESTIMATION_ERRORS: Final = ((0.11, 0.27), (-0.07, -0.20))
"""Mean absolute and mean signed error of the two features that Adaptive 1 of 2020 estimates."""
