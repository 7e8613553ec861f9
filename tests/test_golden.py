"""Every command still gives what it gave: games, scores and recordings (see tests/golden)."""

import math

import pytest

from tests.golden.cases import CASES, Workplace, golden


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    return Workplace(tmp_path_factory.mktemp("golden"))


@pytest.mark.xdist_group("golden")
@pytest.mark.parametrize("name", CASES)
def test_a_tiny_run_gives_what_it_always_gave(name: str, place: Workplace) -> None:
    found, expected = CASES[name](place), golden()[name]

    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        alike = len(row) == len(wanted) and all(map(same_cell, row, wanted))
        assert alike, f"got {row}, expected {wanted}"


def same_cell(cell: str, wanted: str) -> bool:
    """Equal words, and numbers that differ by no more than processors round differently."""
    if cell == wanted:
        return True
    try:
        return math.isclose(float(cell), float(wanted), rel_tol=1e-4, abs_tol=1e-9)
    except ValueError:
        return False


def test_all_golden_results_are_of_a_case() -> None:
    assert list(golden()) == list(CASES)
