"""What does not fit is refused with its size."""

from pathlib import Path

import pytest

from hoad.core.capacity import available_memory, require_disk, require_memory, size
from hoad.core.errors import HoadError
from hoad.learning.networks import Perceptron
from tests.scripts import assert_refused, runner_here


def test_what_fits_is_accepted(tmp_path: Path) -> None:
    require_memory(1, "a byte", "give less")
    require_disk(tmp_path / "not" / "there", 1, "a byte", "give less")


def test_what_does_not_fit_is_refused_with_its_size(tmp_path: Path) -> None:
    assert 0 < available_memory() < 1e18
    with pytest.raises(HoadError, match="all would take 1,000,000"):
        require_memory(1e18, "all", "give less")
    with pytest.raises(HoadError, match=f"on the disk of {tmp_path / 'new'}, .*; give less"):
        require_disk(tmp_path / "new", 1e18, "all", "give less")


@pytest.mark.parametrize(("count", "text"), [(12, "12 bytes"), (1500, "1.5 kB"), (2e9, "2 GB")])
def test_sizes_are_for_people(count: float, text: str) -> None:
    assert size(count) == text


def test_a_network_too_large_for_the_memory_is_refused() -> None:
    with pytest.raises(HoadError, match="a layer of 658 x 100,000,000,000 weights would take"):
        Perceptron((10**11,))


def test_games_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('games = 1_000_000_000_000\nagents = ["iggi"]\n')

    assert_refused(runner_here("record.py")("play", recipe, "--out", tmp_path), "on the disk of")
    crossplay = ("crossplay", *["iggi"] * 40, "--games", 10**9)
    assert_refused(runner_here("evaluate.py")(*crossplay), "1,600 pairs would take")
    assert_refused(runner_here("evaluate.py")("crossplay", "iggi", "--games", 10**12), "games =")
