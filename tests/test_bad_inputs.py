"""Some bad inputs; ``python tests/bad_inputs.py --count 500`` tries more."""

from tests.bad_inputs import wrong_ends


def test_bad_inputs_are_refused_in_one_line_and_change_no_file() -> None:
    assert list(wrong_ends(40, seed=0)) == []
