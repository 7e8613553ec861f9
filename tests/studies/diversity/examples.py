"""Two small populations."""

from hoad.evolution.population import Elite, Population

IGGI_LIKE, HASTY, CHANCE = (8, 13, 38, 27), (3, 13, 38, 27), (39, 39, 39, 39)
ONE = Population(
    name="one",
    grid=(3, 3),
    rules="first-50",
    elites=(
        Elite(niche=(2, 2), chromosome=IGGI_LIKE, fitness=None),
        Elite(niche=(1, 0), chromosome=CHANCE, fitness=None),
        Elite(niche=(0, 0), chromosome=HASTY, fitness=None),
    ),
)
TWO = Population(
    name="two",
    grid=(3, 3),
    rules="first-50",
    elites=(
        Elite(niche=(1, 0), chromosome=CHANCE, fitness=None),
        Elite(niche=(2, 2), chromosome=HASTY, fitness=None),
    ),
)

MUCH = {"games": 20, "pair_games": 3, "state_games": 2, "seed": 5}
