"""No alias of a partner is among the agents that players may learn from or play as."""

import shutil
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.core.paths import MODEL, SHIPPED_CHECKPOINTS
from hoad.knowledge import HeldOut, family_of
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint

IGGI = "rules:2,8,13,38,27,22"

ALIASES = [
    "iggi",
    "imitator:iggi",
    "imitator:imitator:iggi",
    f"imitator:{SHIPPED_CHECKPOINTS / 'imitator' / 'iggi' / MODEL}",
    IGGI,
    f"imitator:{IGGI}",
    "noisy:0.0:iggi",
    "noisy:0.2:noisy:0.1:iggi",
    "maml:piers",
    f"maml:{SHIPPED_CHECKPOINTS / 'maml' / 'piers' / MODEL}",
    "generalist:iggi+piers",
    "generalist:piers+iggi+flawed",
    "bayes-moves:iggi+piers",
]

OTHERS = ["piers", "imitator:piers", "maml:iggi", "rules:8,2,13,38,27,22", "noisy:0.1:outer"]


@pytest.mark.parametrize("held_out", ["iggi", "imitator:iggi", IGGI, "noisy:0.0:iggi"])
def test_the_held_out_agent_is_left_out_under_any_name(held_out: str) -> None:
    assert HeldOut(held_out).others([*ALIASES, *OTHERS]) == tuple(OTHERS)
    with pytest.raises(HoadError, match="igi"):
        HeldOut("igi").others(["iggi"])
    agents = ["rainbow", "rainbow:1", "rainbow:2", "maml:iggi", "maml:rainbow", "iggi"]
    for name in agents[:3]:  # one agent whatever its seed
        assert HeldOut(name).others(agents) == ("maml:rainbow", "iggi")


def test_people_are_known_by_their_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SHIPPED_CHECKPOINTS / "imitator" / "iggi", tmp_path / "imitator" / "human")
    path = tmp_path / "imitator" / "human" / MODEL
    weights, metadata = load_checkpoint(path)
    path.with_name("metadata.json").unlink()  # it is iggi's
    save_checkpoint(path, weights, metadata | {"name": "human", "games": {"human": "abc"}})
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    agents = ["imitator:human", f"imitator:{path}", "noisy:0.1:imitator:human", "iggi", "maml:iggi"]

    assert HeldOut("imitator:human").others(agents) == ("iggi", "maml:iggi")


def test_an_agent_of_ones_own_is_compared_by_its_games(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from hoad.agents import Agent, get_agent\n"
        "class Copy(Agent):\n"
        "    name, inner = 'copy', get_agent('iggi')\n"
        "    def weights(self, batch):\n"
        "        return self.inner.weights(batch)\n"
    )
    copy = f"python:{tmp_path / 'mine.py'}:Copy"

    assert HeldOut("iggi").others([copy, "piers"]) == ("piers",)
    assert HeldOut("piers").others([copy, "piers"]) == (copy,)


@pytest.mark.parametrize(
    ("partner", "left_out"),
    [
        ("holmesbot", {"simplebot", "holmesbot", "noisy:0.1:valuebot", "generalist:smartbot+iggi"}),
        ("piers", {"iggi", "flawed", "risky:0.6", "imitator:outer", "generalist:smartbot+iggi"}),
        ("rainbow", {"rainbow"}),
    ],
)
def test_a_family_is_held_out_with_its_relatives(partner: str, left_out: set[str]) -> None:
    agents = ["simplebot", "holmesbot", "noisy:0.1:valuebot", "generalist:smartbot+iggi", "iggi"]
    agents += ["flawed", "risky:0.6", "imitator:outer", "rainbow", "maml:iggi"]

    others = HeldOut(partner, "family").others(agents)

    assert set(agents) - set(others) == left_out | {"maml:iggi"}  # trained on all three families


def test_rule_lists_with_half_of_the_rules_of_a_member_are_relatives() -> None:
    half, third = "rules:2,50,51,38,52,22", "rules:2,50,51,38,52,53"

    assert HeldOut("iggi", "family").others([half, third]) == (third,)
    assert HeldOut("iggi").others([half, third]) == (half, third)


def test_families_have_names() -> None:
    assert family_of("valuebot") == "odwyer"
    assert family_of(IGGI) == "walton-rivers"
    assert family_of("rainbow:2") == "rainbow"
    assert family_of("rules:39") is None
    assert HeldOut("imitator:valuebot", "family").meta_model() == "odwyer"
    assert HeldOut("imitator:valuebot", "agent").meta_model() == "valuebot"
    assert HeldOut("rules:39", "family").meta_model() == "rules:39"
    assert HeldOut("valuebot", "family").meta_model(seed=2) == "odwyer.2"


def test_metadata_of_a_network_cannot_load_code(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "code.py").write_text(f"open({str(mark)!r}, 'w')")
    named = f"python:{tmp_path / 'code.py'}:Agent"
    weights, metadata = load_checkpoint(SHIPPED_CHECKPOINTS / "imitator" / "iggi" / MODEL)
    network = tmp_path / "network.safetensors"
    save_checkpoint(network, weights, metadata | {"name": named})

    assert HeldOut("piers").others([f"imitator:{network}"]) == (f"imitator:{network}",)
    assert HeldOut(f"imitator:{network}").others(["piers"]) == ("piers",)
    assert not mark.exists()
