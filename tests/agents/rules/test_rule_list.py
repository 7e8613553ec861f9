"""Every recorded move of the original rule lists is one that ours may make, or the only one."""

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
RANDOM_MOVES = (*RULE_AGENTS[:6], *RULE_AGENTS[7:], "walton_chromosome_0", "walton_chromosome_3")
CHROMOSOMES = (*(f"walton_chromosome_{number}" for number in range(6)), "walton_rulewise")


@pytest.mark.parametrize("name", RULE_AGENTS + CHROMOSOMES)
def test_recorded_moves_of_rule_lists_are_possible(reference: Path, name: str) -> None:
    for decisions, _ in recorded_decisions(reference / f"{name}.jsonl.gz"):
        assert (weights_of_recorded(decisions) > 0).all()


@pytest.mark.parametrize("name", (*RANDOM_MOVES, "walton_rulewise"))
def test_random_rules_have_the_weights_of_the_originals(reference: Path, name: str) -> None:
    """The randomised probability transform of what was recorded is uniform."""
    generator = np.random.default_rng(0)
    draws: list[float] = []
    for decisions, rules in recorded_decisions(reference / f"{name}.jsonl.gz"):
        # Where no rule fired the originals of the chromosomes had another fallback than ours.
        spread = (decisions.weights.max(axis=1) < 1) & (rules >= 0)
        draws.extend(transformed(decisions, generator)[spread])
    assert len(draws) >= 100

    counts = np.histogram(draws, bins=10, range=(0, 1))[0]

    assert stats.chisquare(counts).pvalue > 1e-4
