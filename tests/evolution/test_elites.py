import pytest

from hoad.agents import get_agent, same_agent
from hoad.core.errors import HoadError
from hoad.evolution import folders
from hoad.evolution.elites import elite_names
from hoad.evolution.folders import run_folder
from hoad.evolution.population import Elite, Population, save_population

POPULATION = Population(
    name="small",
    grid=(5, 5),
    rules="first-50",
    elites=(
        Elite(niche=(2, 3), chromosome=(8, 13, 38, 27), fitness=15.0),
        Elite(niche=(0, 1), chromosome=(8, 39), fitness=1.0),
    ),
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "small.json"
    save_population(path, POPULATION)
    return path


def test_elite_is_the_agent_with_its_chromosome(path):
    assert elite_names(str(path)) == [f"elite:{path}/0,1", f"elite:{path}/2,3"]
    assert get_agent(f"elite:{path}/2,3").name == f"elite:{path}/2,3"
    assert same_agent(f"elite:{path}/2,3", "rules:8,13,38,27")


def test_elite_is_found_by_the_name_of_a_kept_population_or_of_a_run_which_comes_first(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path / "checkpoints"))
    monkeypatch.setattr(folders, "SHIPPED", tmp_path)
    run = run_folder("small") / "population.json"
    run.parent.mkdir(parents=True)
    for path in (tmp_path / "small.json", run):
        save_population(path, POPULATION)

        assert folders.population_path("small") == path
        assert same_agent("elite:small/2,3", "rules:8,13,38,27")


def test_rule_that_the_catalogue_lacks_is_named_with_its_file(path):
    path.write_text(path.read_text().replace("39]", "999]"))

    with pytest.raises(HoadError, match=r"small\.json: .*unknown rule 999"):
        get_agent(f"elite:{path}/2,3")


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("{path}/4,4", "niche 4,4 is empty"),
        ("{path}/9,9", "niche 9,9 is empty"),
        ("{path}/2", "expected elite:POPULATION/c,i"),
        ("{path}", "expected elite:POPULATION/c,i"),
        ("nowhere/2,3", "population 'nowhere': no file .*set HOAD_CHECKPOINTS to its --out"),
        (
            "$NOWHERE/a.json/2,3",
            "variable NOWHERE, which names the folder of this file, is not set",
        ),
    ],
)
def test_elite_that_does_not_exist_is_refused(path, argument, complaint):
    with pytest.raises(HoadError, match=complaint):
        get_agent("elite:" + argument.format(path=path))
