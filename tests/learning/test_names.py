import pytest

from hoad.core.errors import HoadError
from hoad.learning.names import agents_without, name_in


def test_an_imitator_plays_for_an_agent_if_the_source_says_so() -> None:
    assert name_in("originals", "iggi") == "iggi"
    assert name_in("imitators", "iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:my.safetensors") == "imitator:my.safetensors"


@pytest.mark.parametrize("held_out", ["iggi", "imitator:iggi", "rules:2,8,13,38,27,22"])
def test_the_held_out_agent_is_no_task_under_any_name(held_out: str) -> None:
    agents = [
        "iggi",
        "imitator:iggi",
        "rules:2,8,13,38,27,22",
        "imitator:rules:2,8,13,38,27,22",
        "piers",
        "imitator:piers",
        "rules:8,2,13,38,27,22",
    ]
    assert agents_without(agents, held_out) == ["piers", "imitator:piers", "rules:8,2,13,38,27,22"]


def test_an_unknown_held_out_agent_is_refused() -> None:
    with pytest.raises(HoadError, match="igi"):
        agents_without(["iggi"], "igi")
