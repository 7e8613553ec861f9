"""Recorded moves of the original rule lists have the weights that ours give them.

In the "rulewise" files each rule leads the list, or follows others, in 16 games; of the published
elites each distinct one plays 10 games. Games that the original program aborted count until then.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.agents.recorded import recorded_decisions, transformed, weights_of_recorded

RULE_AGENTS = (
    "walton_iggi_selfplay",
    "walton_piers_selfplay",
    "walton_outer_selfplay",
    "walton_internal_selfplay",
    "walton_flawed_selfplay",
    "walton_cautious_selfplay",
    "walton_van-den-bergh_selfplay",
    "walton_iggi_piers",
    "walton_flawed_iggi",
    "walton_outer_van-den-bergh",
    "walton_piers_outer",
)
CHROMOSOMES = tuple(f"walton_chromosome_{number}" for number in range(6))
PUBLISHED = ("walton_rulewise", "walton_published_rulewise", "walton_published_elites")
FEW_RANDOM_MOVES = {
    "walton_van-den-bergh_selfplay",
    *(f"walton_chromosome_{number}" for number in (1, 2, 4, 5)),
}


@pytest.mark.parametrize("name", RULE_AGENTS + CHROMOSOMES + PUBLISHED)
def test_recorded_moves_have_the_weights_of_the_originals(reference: Path, name: str) -> None:
    """Each recorded move is possible, so a move of weight 1 is the recorded one.

    The randomised probability transform of random moves is uniform.
    """
    generator = np.random.default_rng(0)
    draws: list[float] = []
    for decisions, rules in recorded_decisions(reference / f"{name}.jsonl.gz"):
        assert (weights_of_recorded(decisions) > 0).all()
        # Where no rule fired the originals of the chromosomes had another fallback than ours.
        spread = (decisions.weights.max(axis=1) < 1) & (rules >= 0)
        draws.extend(transformed(decisions, generator)[spread])
    if name in FEW_RANDOM_MOVES:
        return
    assert len(draws) >= 100

    counts = np.histogram(draws, bins=10, range=(0, 1))[0]

    assert stats.chisquare(counts).pvalue > 1e-4
