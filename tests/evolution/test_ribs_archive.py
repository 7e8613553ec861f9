import pytest

from hoad.core.errors import HoadError
from hoad.evolution.population import Elite, Population
from hoad.evolution.ribs_archive import to_ribs_archive

POPULATION = Population(
    name="small",
    grid=(5, 20),
    rules="first-50",
    elites=(
        Elite(niche=(0, 2), chromosome=(8, 13), fitness=1.5),
        Elite(niche=(4, 19), chromosome=(39, 2), fitness=17.25),
    ),
)


def test_archive_has_each_elite_in_its_niche():
    pytest.importorskip("ribs", reason="pyribs is not installed")

    archive = to_ribs_archive(POPULATION)

    assert archive.stats.num_elites == 2
    assert archive.stats.obj_max == 17.25
    _, best = archive.retrieve_single([0.99, 0.99])
    assert best["solution"].tolist() == [39, 2]
    niches = archive.int_to_grid_index(archive.data("index")).tolist()
    assert sorted(niches) == [[0, 2], [4, 19]]


def test_fitness_that_is_not_known_is_named():
    pytest.importorskip("ribs", reason="pyribs is not installed")
    elites = (Elite(niche=(0, 0), chromosome=(8,), fitness=None),)

    with pytest.raises(HoadError, match="small: an elite's fitness is not known"):
        to_ribs_archive(POPULATION.model_copy(update={"elites": elites}))
