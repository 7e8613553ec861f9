"""Some bad inputs and forgeries; ``python tests/bad_inputs.py --count 500`` tries more."""

from tests import bad_inputs, forgeries


def test_bad_inputs_are_refused_in_one_line_and_change_no_file() -> None:
    assert list(bad_inputs.wrong_ends(40, seed=0)) == []


def test_forgeries_do_no_harm() -> None:
    assert list(forgeries.wrong_ends(24, seed=1)) == []
