"""The kinds of partner models, and what they may know."""

import pytest

from hoad.core.errors import HoadError
from hoad.knowledge import HeldOut
from hoad.partners.kinds import KINDS, knowledge


def test_a_model_has_the_name_of_its_kind() -> None:
    known = knowledge()

    assert [known.make(kind).name for kind in KINDS] == list(KINDS)
    assert list(KINDS)[:4] == ["uniform", "nearest", "pool", "program"]


def test_without_a_held_out_partner_the_pool_is_all_fair_plain_agents() -> None:
    known = knowledge()

    names = {agent.name for agent in known.pool}
    assert {"iggi", "rainbow", "smartbot", "infobot"} < names
    assert "cheatbot" not in names
    assert known.meta_model == "rainbow"


@pytest.mark.parametrize(
    ("held_out", "missing", "meta_model"),
    [
        ("iggi", "iggi", "iggi"),
        ("imitator:piers", "piers", "piers"),
        ("rules:8,38,21,23,34", "outer", "outer"),
        ("rainbow", "rainbow", "rainbow"),
        ("smartbot", "smartbot", "rainbow"),
    ],
)
def test_a_held_out_partner_is_unknown_under_any_name(
    held_out: str, missing: str, meta_model: str
) -> None:
    known = knowledge(HeldOut(held_out))

    assert {agent.name for agent in knowledge().pool} - {agent.name for agent in known.pool} == {
        missing
    }
    assert known.meta_model == meta_model


def test_an_unknown_partner_is_refused() -> None:
    with pytest.raises(HoadError, match="unknown agent 'igi'"):
        knowledge(HeldOut("igi"))
