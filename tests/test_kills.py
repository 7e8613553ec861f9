"""Some kills; ``python tests/kills.py --count 200`` tries more, and all long commands."""

from pathlib import Path

import pytest

from tests.kills import STOPS, Kills
from tests.long_commands import LONG_COMMANDS, make_inputs


@pytest.mark.parametrize("name", ["record", "evolve"])
def test_a_command_that_is_stopped_often_does_the_same(name: str, tmp_path: Path) -> None:
    make_inputs(tmp_path)
    kills = Kills(tmp_path)

    wrong = list(kills.stop_often(list(LONG_COMMANDS).index(name), seed=0))

    assert wrong == []
    assert kills.killed.total() == STOPS
