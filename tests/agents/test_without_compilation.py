"""The compiled functions are plain Python: without numba they give the same games."""

from tests.compilation import prints_the_same_without_compilation

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


def test_games_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
