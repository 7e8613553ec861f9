"""The layers of the package import downwards only."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]


def test_no_layer_imports_a_higher_one() -> None:
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)

    assert status == 0, "run `lint-imports` to see which import goes upwards"
