"""Where networks and populations lie: own ones, and those that come with HOAD."""

import runpy
import shutil
import tomllib
from pathlib import Path

import pytest

from hoad.agents import get_agent
from hoad.core import paths
from hoad.core.errors import HoadError
from hoad.core.paths import playing_name
from hoad.core.recipe_files import RECIPE_FOLDERS
from tests.meta_models import save_meta_model

ROOT = Path(__file__).parents[2]


def test_a_network_plays_by_its_short_name_where_names_are_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_meta_model(tmp_path, "iggi")
    elsewhere = playing_name("maml", "iggi", tmp_path)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    here = playing_name("maml", "iggi", tmp_path)

    assert elsewhere == f"maml:{tmp_path / 'maml' / 'iggi' / 'model.safetensors'}"
    assert here == "maml:iggi"
    assert get_agent(elsewhere).identity == get_agent(here).identity


@pytest.mark.parametrize("value", ["", "{}/nowhere", "{}/file"])
@pytest.mark.parametrize("name", ["imitator:iggi", "elite:canaan-5x5-1/2,3"])
def test_a_mistyped_folder_of_networks_is_refused(
    value: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOAD_CHECKPOINTS", value.format(tmp_path))

    with pytest.raises(HoadError, match="HOAD_CHECKPOINTS is"):
        get_agent(name)


def test_a_checkout_has_them() -> None:
    assert (paths.SHIPPED_CHECKPOINTS / "imitator" / "iggi" / "model.safetensors").is_file()
    assert (paths.SHIPPED_POPULATIONS / "canaan-5x5-1.json").is_file()


def test_a_wheel_holds_them_where_they_are_looked_up(tmp_path: Path) -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = targets["targets"]["wheel"]
    for place in wheel["sources"].values():
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "hoad" / "core").mkdir()
    copy = shutil.copy(ROOT / "hoad" / "core" / "paths.py", tmp_path / "hoad" / "core")

    installed = runpy.run_path(str(copy))

    for name in ("SHIPPED_CHECKPOINTS", "SHIPPED_POPULATIONS", "SHIPPED_EXAMPLES"):
        source = getattr(paths, name).relative_to(ROOT)
        top = wheel["sources"][source.parts[0]]
        assert str(source) in wheel["only-include"]
        assert installed[name] == tmp_path.joinpath(top, *source.parts[1:])
    for folder in RECIPE_FOLDERS:
        assert folder in wheel["only-include"]
        assert installed["SHIPPED"] / folder == tmp_path / wheel["sources"][folder]
