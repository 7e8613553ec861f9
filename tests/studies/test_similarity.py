"""The matrix of equal moves of agents."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.follow import move_probabilities
from hoad.agents.seeds import other_seed
from hoad.game.stream import Purpose
from hoad.studies.similarity import measure_similarity
from tests.scripts import run_here

AGENTS = ("iggi", "piers", "simplebot")


def test_rows_are_games_and_columns_are_moves() -> None:
    equal = measure_similarity(AGENTS, 20, seed=4).equal

    piers = get_agent("piers")
    logs = play([piers, piers], 20, other_seed(4, Purpose.PARTNER))
    for column, name in enumerate(AGENTS):
        probability = move_probabilities(get_agent(name), logs).mean()
        assert equal[1, column] == pytest.approx(probability)
    assert (np.diag(equal) == equal.max(axis=1)).all()
    assert equal[2, 2] == 1  # simplebot draws no random move


def test_threads_change_nothing() -> None:
    once, again = (measure_similarity(AGENTS, 10, 1, threads).equal for threads in (1, 2))

    assert once.tolist() == again.tolist()


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run_here("evaluate.py", "similarity", "iggi", "piers", "--games", 5, "--out", out)

    assert done.returncode == 0, done.stderr
    assert {"report.md", "similarity.png", "results.csv"} <= {path.name for path in out.iterdir()}
    assert len((out / "results.csv").read_text().splitlines()) == 1 + 4
