import pytest

from hoad.core.errors import HoadError
from hoad.learning.leave_one_out import agents_without


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
