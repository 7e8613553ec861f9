from pathlib import Path

import pytest

from hoad.agents import get_agent
from hoad.core.paths import playing_name
from tests.meta_models import save_meta_model


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
