import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.learning.rainbow.learner import train_rainbow
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.reports.output import write_report
from hoad.reports.page import to_text
from hoad.studies.rainbow import measure_rainbow, report

TINY = RainbowRecipe(
    steps=12,
    validate_every=6,
    games=8,
    hidden=(16,),
    history=16,
    learning_starts=8,
    batch_size=32,
    updates=1,
    validation_games=4,
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of checkpoints with Rainbow agents of two seeds."""
    folder = tmp_path_factory.mktemp("checkpoints")
    for seed in (1, 2):
        train_rainbow(TINY.model_copy(update={"seed": seed}), folder, False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOAD_CHECKPOINTS", str(folder))
        yield folder


@pytest.mark.usefixtures("trained")
def test_the_report_shows_curves_and_scores_of_each_agent(tmp_path: Path) -> None:
    result = measure_rainbow((1, 2), games=30, seed=0, threads=1)
    folder = tmp_path / "report"

    page = write_report(report(result), folder)

    text = page.read_text()
    first = result.players[0]
    assert first.curve[-1]["environment_steps"] == 96
    assert "| rainbow:1 | 96 | 0.0" in text
    assert f"| {first.strict.mean:.2f}\u00a0±" in text
    assert "learning_curves.png" in text
    assert "rainbow:1" in to_text(report(result))
    figures = {"learning_curves.png", "moves_after_moves.png"}
    results = {"report.md", "results.json", "report.html", "results.csv"}
    assert {file.name for file in folder.iterdir()} == figures | results
    facts = json.loads((folder / "results.json").read_text())
    assert facts["players"][1]["strict"]["mean"] == result.players[1].strict.mean
    assert facts["cross_play"]["strict"][0][0] == pytest.approx(first.strict.mean)
    lines = list(csv.DictReader((folder / "results.csv").open()))
    assert [line["agent"] for line in lines] == ["rainbow:1"] * 2 + ["rainbow:2"] * 2


def test_no_learning_curve_is_named(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(trained, tmp_path / "checkpoints")
    (tmp_path / "checkpoints/rainbow/2/curve.csv").unlink()
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path / "checkpoints"))
    with pytest.raises(HoadError, match=r"rainbow/2/curve\.csv: no learning curve"):
        measure_rainbow((1, 2), games=2, seed=0, threads=1)
