"""The programs in ``examples/`` do what they say, on a small scale."""

import json
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import matplotlib
import matplotlib.pyplot as plt
import pytest

import hoad
from hoad.core.errors import HoadError
from hoad.core.files import read_json
from hoad.replay.recorder import PlayRecipe, record
from tests.scripts import ROOT, run_here

NOTEBOOK = ROOT / "examples" / "first_hour.ipynb"


def test_ppo_improves() -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib, which trains PPO, is not installed")

    done = run_here("examples/ppo.py", "--steps", 16_000, "--games", 300)

    assert (done.returncode, done.stderr) == (0, "")
    found = re.findall(r"lenient +([\d.]+) ± ([\d.]+)", done.stdout)
    (before, margin_before), (after, margin_after) = [map(float, pair) for pair in found]
    assert after - margin_after > before + margin_before


@pytest.mark.parametrize("name", ["simple_bot.py", "simple_bot.js"])
def test_bots_in_other_programs_are_short(name: str) -> None:
    assert len((ROOT / "examples" / name).read_text().splitlines()) <= 40


def test_the_notebook_runs_from_recording_to_a_table_with_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    plt.close("all")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}

    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{NOTEBOOK.name} cell {number}", "exec"), names)

    assert len(plt.get_fignums()) == sum("plt.show" in "".join(cell["source"]) for cell in cells)
    plt.close("all")
    means = {row["player"]: row["mean"] for row in names["rows"]}
    assert list(means) == list(names["recipe"].players)
    assert means["zero-shot"] + 3 < means["low-shot"] < means["self-play"]


def test_the_notebook_shows_what_its_cells_printed_and_drew() -> None:
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        kinds = {output["output_type"] for output in cell.get("outputs", ())}
        assert ("display_data" in kinds) == ("plt.show()" in source)
        assert ("stream" in kinds) == ("print(" in source)


def demonstration() -> ModuleType:
    """Return the module of ``examples/demo.py``."""
    spec = spec_from_file_location("demo", ROOT / "examples" / "demo.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    with mock.patch.dict(sys.modules, demo=module):  # dataclasses look their module up
        spec.loader.exec_module(module)
    return module


def test_a_stage_that_fails_ends_the_demonstration_and_shows_what_it_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)

    with pytest.raises(HoadError, match=r"verify missing\.h5: ended with status 2"):
        demonstration().run_side_by_side([["agents.py rules"], ["record.py verify missing.h5"]])

    assert "missing.h5: cannot read" in capsys.readouterr().out


def test_the_demonstration_shows_imitators_beside_their_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = demonstration()
    record(PlayRecipe(games=20, agents=demo.AGENTS), tmp_path, False, 1)
    monkeypatch.setattr(demo, "DATA", tmp_path)
    monkeypatch.setattr(demo, "CHECKPOINTS", ROOT / "checkpoints" / "shipped")

    rows = demo.imitators()[1:]

    assert [row[0] for row in rows] == list(demo.AGENTS)
    measures = read_json(ROOT / "checkpoints/shipped/imitator/piers/metadata.json")["measures"]
    [piers] = [row for row in rows if row[0] == "piers"]
    assert piers[1:3] == [f"{measures['accuracy']:.0%}", f"{measures['strict_score']:.1f}"]
    assert float(rows[0][3]) == round(
        float(hoad.read_games(tmp_path / "simplebot.h5").scores.mean()), 1
    )
