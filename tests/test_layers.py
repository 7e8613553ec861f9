"""The layers of the package import downwards only, and the examples in docstrings work."""

import doctest
from importlib import import_module

import pytest
from importlinter.cli import lint_imports

from tests.scripts import ROOT


def test_no_layer_imports_a_higher_one() -> None:
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)

    assert status == 0, "run `lint-imports` to see which import goes upwards"


MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "hoad").rglob("*.py"))
    if ">>>" in path.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_work(name: str) -> None:
    examples = doctest.testmod(import_module(name))

    assert examples.attempted and not examples.failed
    assert "hoad.game.game" in MODULES
