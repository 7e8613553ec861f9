"""The programs in ``examples/`` do what they say, on a small scale."""

import json
import re
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import pytest

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
