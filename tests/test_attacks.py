"""Some bad inputs, forgeries and kills; these programs try more:

python tests/bad_inputs.py --count 500
python tests/forgeries.py --count 500
python tests/kills.py --count 200    # and all long commands
"""

from pathlib import Path

import pytest

from tests import bad_inputs, forgeries
from tests.kills import STOPS, Kills
from tests.long_commands import LONG_COMMANDS, make_inputs


def test_bad_inputs_are_refused_in_one_line_and_change_no_file() -> None:
    assert list(bad_inputs.wrong_ends(40, seed=0)) == []


def test_forgeries_do_no_harm() -> None:
    assert list(forgeries.wrong_ends(24, seed=1)) == []


@pytest.mark.parametrize("name", ["record", "evolve"])
def test_a_command_that_is_stopped_often_does_the_same(name: str, tmp_path: Path) -> None:
    make_inputs(tmp_path)
    kills = Kills(tmp_path)

    wrong = list(kills.stop_often(list(LONG_COMMANDS).index(name), seed=0))

    assert wrong == []
    assert kills.killed.total() == STOPS
