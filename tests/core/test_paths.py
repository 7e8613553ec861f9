"""Networks and populations that come with HOAD are found in a checkout and in a wheel."""

import runpy
import shutil
import tomllib
from pathlib import Path

from hoad.core import paths

ROOT = Path(__file__).parents[2]


def test_a_checkout_has_them() -> None:
    assert (paths.SHIPPED_CHECKPOINTS / "imitator" / "iggi" / "model.safetensors").is_file()
    assert (paths.SHIPPED_POPULATIONS / "canaan-5x5-1.json").is_file()


def test_a_wheel_holds_them_where_they_are_looked_up(tmp_path: Path) -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    included = targets["targets"]["wheel"]["force-include"]
    for place in included.values():
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "hoad" / "core").mkdir()
    copy = shutil.copy(ROOT / "hoad" / "core" / "paths.py", tmp_path / "hoad" / "core")

    installed = runpy.run_path(str(copy))

    for name in ("SHIPPED_CHECKPOINTS", "SHIPPED_POPULATIONS"):
        source = getattr(paths, name).relative_to(ROOT)
        assert installed[name] == tmp_path / included[str(source)]
