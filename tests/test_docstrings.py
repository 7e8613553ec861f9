"""The examples in docstrings work."""

import doctest
from importlib import import_module

import pytest

from tests.scripts import ROOT

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "hoad").rglob("*.py"))
    if ">>>" in path.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_work(name: str) -> None:
    found = doctest.testmod(import_module(name))

    assert found.attempted and not found.failed


def test_games_have_an_example() -> None:
    assert "hoad.game.game" in MODULES
