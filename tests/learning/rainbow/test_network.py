import math

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from hoad.learning.rainbow.network import RainbowNetwork, project
from hoad.learning.rainbow.recipe import RainbowRecipe

ATOMS = 11
SUPPORT = torch.linspace(-5, 5, ATOMS)


def recipe(**settings: object) -> RainbowRecipe:
    small = {"steps": 1, "validate_every": 1, "hidden": (8, 6), "atoms": ATOMS}
    return RainbowRecipe.model_validate(small | settings)


def observations(count: int) -> torch.Tensor:
    return torch.randint(0, 2, (count, 658)).float()


def project_slowly(probabilities: list[float], earned: float, discount: float) -> list[float]:
    """Bellemare et al. 2017, algorithm 1, an atom at a time."""
    projected = [0.0] * ATOMS
    for atom in range(ATOMS):
        value = min(5.0, max(-5.0, earned + discount * (atom - 5)))
        place = value + 5
        lower, upper = math.floor(place), math.ceil(place)
        if lower == upper:
            projected[lower] += probabilities[atom]
        else:
            projected[lower] += probabilities[atom] * (upper - place)
            projected[upper] += probabilities[atom] * (place - lower)
    return projected


@given(
    st.lists(st.floats(0.01, 1), min_size=ATOMS, max_size=ATOMS),
    st.floats(-7, 7) | st.integers(-7, 7).map(float),
    st.sampled_from([0.0, 0.5, 0.99, 1.0]),
)
def test_the_projection_is_that_of_the_slow_algorithm(
    heights: list[float], earned: float, discount: float
) -> None:
    probabilities = [height / sum(heights) for height in heights]
    found = project(
        SUPPORT, torch.tensor([probabilities]), torch.tensor([earned]), torch.tensor([discount])
    )
    np.testing.assert_allclose(found[0], project_slowly(probabilities, earned, discount), atol=1e-5)


def test_the_projection_keeps_the_mean_within_the_support() -> None:
    probabilities = torch.rand(50, ATOMS).softmax(dim=1)
    returns, discounts = torch.rand(50) * 2 - 1, torch.full((50,), 0.8)
    found = project(SUPPORT, probabilities, returns, discounts)
    torch.testing.assert_close(found.sum(dim=1), torch.ones(50))
    torch.testing.assert_close(
        found @ SUPPORT, returns + discounts * (probabilities @ SUPPORT), atol=1e-4, rtol=0
    )


def test_the_logits_of_made_moves_are_those_among_all_moves() -> None:
    network = RainbowNetwork(recipe())
    moves = torch.tensor([7, 0, 3, 7, 19, 0, 7])
    x = observations(len(moves))
    torch.testing.assert_close(
        network.logits_of(network.features(x), moves),
        network.logits(x)[torch.arange(len(moves)), moves],
    )


def test_values_are_the_means_of_the_distributions() -> None:
    network = RainbowNetwork(recipe(v_min=-2, v_max=3))
    x = observations(4)
    probabilities = network.logits(x).softmax(dim=2)
    torch.testing.assert_close(
        network(x), (probabilities * torch.linspace(-2, 3, ATOMS)).sum(dim=2)
    )
