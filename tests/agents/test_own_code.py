"""Agents of the user's own that fail, end the program, or need more memory than there is."""

import sys
from pathlib import Path

import pytest

from hoad.agents import get_agent, play
from hoad.agents import own_code as module
from hoad.agents.check import check_agent
from hoad.agents.registry import shown_name
from hoad.core.errors import HoadError
from tests.scripts import assert_refused, run_here

OWN = """
import sys
from dataclasses import dataclass

import helper
from hoad.agents import Agent, PlainAgent


class Fine(PlainAgent):
    name = "fine and good"

    def choose(self, view):
        return helper.first(view)


class Exit(Fine):
    def choose(self, view):
        sys.exit(0)


class Failing(Fine):
    def choose(self, view):
        return helper.fail(view)


class Hungry(Fine):
    def choose(self, view):
        kept = []
        while True:
            kept.append(bytearray(10**7))


class Raw(Agent):
    name = "raw"

    def weights(self, batch):
        sys.exit(0)


class Late(Fine):
    def __init__(self):
        raise ValueError("too late")
"""

HELPER = """
def first(view):
    return view.legal_moves[0]


def fail(view):
    raise ValueError("no idea")
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "helper.py").write_text(HELPER)
    return f"python:{tmp_path / 'own.py'}"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("Exit", r"choose ends the program .*own\.py, line 18, in choose\)"),
        ("Raw", r"weights ends the program .*own\.py, line 37, in weights\)"),
        ("Late", r"__init__ fails with ValueError: too late .*own\.py, line 42"),
        ("Failing", r"no idea \(\S+own\.py, line 23, in choose; \S+helper\.py, line 7, in fail\)"),
    ],
)
def test_failures_become_errors_with_the_lines_of_the_users_files(own, kind, said):
    with pytest.raises(HoadError, match=said):
        play([get_agent(f"{own}:{kind}")] * 2, 1, seed=0)


RETURNING = """
import numpy as np
from hoad.agents import Agent


class Own(Agent):
    name = "own"

    def weights(self, batch):
        weights = np.zeros((len(batch.states), 20))
        weights[:, 5] = 1
        return {weights}


class Acting(Own):
    def act(self, batch):
        moves = np.full(len(batch.states), 5, np.uint8)
        return {moves}
"""


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ("weights[:1]", r"float64, shape \(1, 20\); return float64, shape \(3, 20\)"),
        ("weights[:, :5]", r"float64, shape \(3, 5\)"),
        ("weights.tolist()", "weights returned list"),
        ("weights * np.nan", "negative or not a number"),
        ("1 / 19 - weights * 20 / 19", "negative or not a number"),
        ("weights * 1e-9", "sum to 1e-09"),
        ("np.full((len(weights), 20), np.inf)", "sum to inf"),
    ],
)
def test_weights_of_another_shape_or_sum_are_refused(tmp_path, weights, said):
    (tmp_path / "own.py").write_text(RETURNING.format(weights=weights, moves="moves"))
    agent = get_agent(f"python:{tmp_path / 'own.py'}:Own")

    with pytest.raises(HoadError, match=rf"own\.py:Own: .*{said}"):
        play([agent, agent], 3, seed=0)


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("moves.astype(int) - 6", r"int64, shape \(3,\); return uint8, shape \(3,\)"),
        ("moves[:1]", r"uint8, shape \(1,\)"),
        ("moves[:, None]", r"uint8, shape \(3, 1\)"),
        ("moves.tolist()", "list"),
    ],
)
def test_moves_of_another_type_or_shape_are_refused(tmp_path, moves, said):
    (tmp_path / "own.py").write_text(RETURNING.format(weights="weights", moves=moves))
    agent = get_agent(f"python:{tmp_path / 'own.py'}:Acting")

    for own in (agent, type(agent)()):
        with pytest.raises(HoadError, match=f"act returned {said}"):
            play([own, own], 3, seed=0)
    assert "act returned" in check_agent(agent, games=3)[0]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's")
def test_an_agent_that_eats_memory_is_stopped(own, monkeypatch):
    limits = module.resource.getrlimit(module.resource.RLIMIT_DATA)
    monkeypatch.setattr(module, "available_memory", lambda: 10**8)
    try:
        with pytest.raises(HoadError, match="choose fails with MemoryError"):
            play([get_agent(f"{own}:Hungry")] * 2, 1, seed=0)
    finally:
        module.resource.setrlimit(module.resource.RLIMIT_DATA, limits)


def test_a_neighbour_is_found_by_the_file_next_to_it_alone(own, tmp_path):
    agent = get_agent(f"{own}:Fine")
    before = agent.identity
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.py").write_text("import helper\n")

    assert play([agent, agent], 2, seed=0)
    assert str(tmp_path) not in sys.path and "helper" not in sys.modules
    with pytest.raises(HoadError, match=r"No module named 'helper' \(\S+mine\.py, line 1"):
        get_agent(f"python:{other / 'mine.py'}:Mine")

    (tmp_path / "helper.py").write_text(HELPER + "# changed\n")
    assert get_agent(f"{own}:Fine").identity != before


@pytest.mark.parametrize("text", ["import sys; sys.exit(0)", "x = = 1", "\n\nimport nothing_here"])
def test_a_file_that_cannot_be_run_is_refused_with_its_line(tmp_path, text):
    (tmp_path / "bad.py").write_text(text)

    with pytest.raises(HoadError, match=rf"\(\S+bad\.py, line {len(text.splitlines())}"):
        get_agent(f"python:{tmp_path / 'bad.py'}:Any")


def test_the_agents_title_is_in_tables_and_a_recording_that_it_would_end_is_refused(own, tmp_path):
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(f'games = 2\nagents = ["{own}:Exit"]\n')

    table = run_here("evaluate.py", "crossplay", f"{own}:Fine", "iggi", "--games", "2")

    assert f"[1] fine and good ({own}:Fine)" in table.stdout
    assert shown_name("iggi") == "iggi"
    assert_refused(run_here("record.py", "play", recipe, "--out", tmp_path), "ends the program")
    assert not list(tmp_path.glob("*.h5"))
