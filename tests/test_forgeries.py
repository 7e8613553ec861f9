"""Some forgeries; ``python tests/forgeries.py --count 500`` tries more."""

from tests.forgeries import wrong_ends


def test_forgeries_do_no_harm() -> None:
    assert list(wrong_ends(24, seed=1)) == []
