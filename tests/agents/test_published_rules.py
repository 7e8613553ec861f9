"""Every recorded move of the original rules 50 to 104 is one that ours may make, or the only one.

Each of these rules leads the list, or follows others, in 16 games; each distinct published elite
plays 10. Games that the original program aborted count until then.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.agents.recorded import recorded_decisions, transformed, weights_of_recorded

LOGS = ("walton_published_rulewise", "walton_published_elites")


@pytest.mark.parametrize("name", LOGS)
def test_recorded_moves_are_possible(reference: Path, name: str) -> None:
    """So a move of weight 1 is the recorded one: all others would be impossible."""
    for decisions, _ in recorded_decisions(reference / f"{name}.jsonl.gz"):
        assert (weights_of_recorded(decisions) > 0).all()


@pytest.mark.parametrize("name", LOGS)
def test_random_moves_have_the_weights_of_the_originals(reference: Path, name: str) -> None:
    generator = np.random.default_rng(0)
    draws: list[float] = []
    for decisions, rules in recorded_decisions(reference / f"{name}.jsonl.gz"):
        by_chance = (decisions.weights.max(axis=1) < 1) & (rules >= 0)
        draws.extend(transformed(decisions, generator)[by_chance])
    assert len(draws) >= 100

    counts = np.histogram(draws, bins=10, range=(0, 1))[0]

    assert stats.chisquare(counts).pvalue > 1e-4
