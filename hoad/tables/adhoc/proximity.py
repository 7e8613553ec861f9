"""BR-Prox: a player's score as a share of the score of the best response to the partner.

After Wang et al. 2024, ZSC-Eval. ``search-oracle`` stands for the best response, which may score
more.
"""

from typing import Final

import numpy as np

from hoad.agents.registry import shown_name
from hoad.reports.page import Block, Heading, Paragraph, Table
from hoad.reports.statistics import Estimate, show
from hoad.tables.adhoc.table import AdhocResult

BEST_RESPONSE: Final = "search-oracle"


def proximity(result: AdhocResult) -> list[Block]:
    """Return the part of the report, which is empty without a column of the best response."""
    table = result.table
    if BEST_RESPONSE not in table.players:
        return []
    players = [player for player in table.players if player != BEST_RESPONSE]
    rows = [["BR-Prox", *map(shown_name, table.rows)]]
    for player in players:
        shares = [show(share_of_best(result, row, player)) for row in table.rows]
        rows.append([shown_name(player), *shares])
    words = (
        f"Mean strict score divided by that of {BEST_RESPONSE}, with 95 % intervals (delta "
        "method, as if the two scores were independent). Over several partners it is the share "
        "of the means."
    )
    return [Heading("Share of the best response's score"), Paragraph(words), Table(rows)]


def share_of_best(result: AdhocResult, row: str, player: str) -> Estimate:
    """Return the share of the best response's strict score; NaN where that is 0."""
    own, best = (result.table.over_repetitions(row, p, "strict") for p in (player, BEST_RESPONSE))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.float64(own.mean) / best.mean
        width = np.hypot(own.half_width, share * best.half_width) / best.mean
    return Estimate(float(share), float(width), min(own.count, best.count))
