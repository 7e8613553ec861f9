"""The compiled functions are plain Python: without numba they give the same games."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import hashlib
from hoad.agents import get_agent, play
conventions = "rules:325,200,276,335,417", "rules:334,232,285,342,379,405,387"
teams = [("iggi", "simplebot"), ("van-den-bergh", "outer"), ("piers", "internal")]
several = ("iggi", "van-den-bergh", "rules:0,1,9,16,15,22,34"), ("outer", "clivej", "flawed") * 2
for names in [*teams, ("wtfwt", "wtfwt"), conventions, several[0], several[1][:5]]:
    logs = play([get_agent(name) for name in names], 3, seed=4)
    print(hashlib.sha1(logs.decks.tobytes() + logs.actions.tobytes()).hexdigest())
"""


def _run(**environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        env=os.environ | environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_games_are_the_same_without_compilation() -> None:
    assert _run(NUMBA_DISABLE_JIT="1") == _run()
