import pytest

from hoad.agents.families import name_in, original_name


def test_an_imitator_plays_for_an_agent_if_the_source_says_so() -> None:
    assert name_in("originals", "iggi") == "iggi"
    assert name_in("imitators", "iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:my.safetensors") == "imitator:my.safetensors"


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("iggi", "iggi"),
        ("imitator:iggi", "iggi"),
        ("imitator:imitator:iggi", "iggi"),
        ("imitator:my.safetensors", "imitator:my.safetensors"),
    ],
)
def test_imitators_of_imitators_stand_for_the_agent(name: str, original: str) -> None:
    assert original_name(name) == original
