"""The programs in ``examples/`` do what they say, on a small scale."""

import json
import re
import runpy
import shlex
import sys
import time
from contextlib import chdir
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import matplotlib
import matplotlib.pyplot as plt
import pytest

import hoad
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.files import read_json
from hoad.learning.training.checkpoints import read_header
from hoad.replay.recorder import PlayRecipe, record
from tests.scripts import ROOT, assert_refused, command_of, run_here

NOTEBOOK = ROOT / "examples" / "first_hour.ipynb"


def test_ppo_improves() -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib, which trains PPO, is not installed")

    done = run_here("examples/ppo.py", "--steps", 16_000, "--games", 300)

    assert (done.returncode, done.stderr) == (0, "")
    matches = re.findall(r"lenient +([\d.]+) ± ([\d.]+)", done.stdout)
    (before, margin_before), (after, margin_after) = [map(float, pair) for pair in matches]
    assert after - margin_after > before + margin_before


def test_a_gpu_trains_what_no_table_of_objectives_has() -> None:
    script = runpy.run_path(str(ROOT / "examples" / "gpu.py"))
    tables = ROOT / "results" / "adhoc" / "objectives"
    folders = {"simplebot": tables, "iggi": tables / "iggi"}
    recipes = [path.stem for path in sorted((ROOT / "models" / "objectives").glob("*.toml"))]
    missing = {
        (recipe, agent)
        for agent in script["HELD_OUT"]
        for recipe in recipes
        if not (folders.get(agent, tables / agent) / recipe / "results.json").exists()
    }

    assert set(script["NOT_PUBLISHED"]) == missing


def test_the_trainings_for_a_gpu_are_commands() -> None:
    trainings = runpy.run_path(str(ROOT / "examples" / "gpu.py"))["trainings"]
    with chdir(ROOT):
        commands = trainings(("iggi", "piers"), Path("my data"), Path("my out"))
        for line in commands:
            script, *words = shlex.split(line)
            cli.read(command_of(script), words, script)
    assert len(set(commands)) == len(commands) == 4 + 5  # of maml.toml, of models/objectives


@pytest.mark.parametrize("option", ["--at-once", "--minutes"])
def test_no_trainings_and_no_time_for_a_gpu_are_refused(option: str) -> None:
    with pytest.raises(HoadError, match=option):
        cli.read(command_of("examples/gpu.py"), [option, "0"], "gpu.py")


def test_trainings_for_a_gpu_stop_at_the_deadline_and_resume(tmp_path: Path) -> None:
    run_until = runpy.run_path(str(ROOT / "examples" / "gpu.py"))["run_until"]
    record(
        PlayRecipe(games=200, agents=("iggi", "piers", "outer")), tmp_path, resume=False, threads=1
    )
    keys = "--agents iggi piers outer --hidden 8 --tasks 1 --games 2 --inner-lrs 1e-2"
    keys += " --trial-steps 1 --validate-every 2 --validation-games 2 --validation-episodes 1"
    keys += " --play-steps 1"
    command = f"train_maml.py models/maml.toml {keys} --milestones --held-out iggi"
    command += f" --data {tmp_path} --out {tmp_path} --resume --steps"
    last = tmp_path / "maml" / "iggi" / "last.safetensors"

    with chdir(ROOT):
        endless = f"{command} 1000000"
        while not last.exists():  # a slow machine needs several calls to take the first steps
            left = run_until([endless, "never.py"], time.monotonic() + 10, 1)
            assert left == [endless, "never.py"]
        steps = read_header(last)["step"]
        finishing = f"{command} {steps + 1}"

        assert run_until([finishing], time.monotonic() + 600, 1) == []

    metadata = read_json(last.parent / "metadata.json")
    assert metadata["recipe"]["steps"] == read_header(last)["step"] == steps + 1


def test_a_failing_training_for_a_gpu_stops_all() -> None:
    run_until = runpy.run_path(str(ROOT / "examples" / "gpu.py"))["run_until"]
    commands = ["train_maml.py nothing.toml --held-out iggi", "-c 'import time; time.sleep(600)'"]
    with chdir(ROOT), pytest.raises(HoadError, match="train_maml"):
        run_until(commands, time.monotonic() + 600, 2)


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


def test_the_demonstration_compiles_in_a_folder_with_a_blank(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo, lanes, folder = demonstration(), list[tuple[str, ...]](), tmp_path / "my dir"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOAD_CHECKPOINTS", "")  # the demonstration sets it
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(demo, "run_side_by_side", lambda stage, **_: lanes.extend(stage))
    monkeypatch.setattr(demo, "imitators", lambda: [["none"]])
    monkeypatch.setattr(demo, "in_words", str)

    demo.demo()

    assert Path(shlex.split(lanes[1][0])[-1]).parent == folder


def test_a_stranger_without_a_pool_is_refused() -> None:
    refused = run_here("benchmarks/strangers.py", "--strangers", "iggi")
    assert_refused(refused, "unknown stranger 'iggi'", "smartbot")
