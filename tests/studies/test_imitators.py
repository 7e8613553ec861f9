"""The reports on imitators, and on inner steps of meta-models."""

import csv
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hoad.studies.imitators
from hoad.agents import get_agent, play
from hoad.agents.follow import follow
from hoad.core.errors import HoadError
from hoad.learning.games import find_games
from hoad.learning.imitator import train_imitator
from hoad.learning.maml.inner_loop import LowShotModel
from hoad.learning.policies import load_meta_model
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from hoad.reports.output import write_report
from hoad.reports.page import to_text
from hoad.studies.crossplay import CrossPlay
from hoad.studies.imitators import ImitatorsResult, measure_imitators, mode_accuracy
from hoad.studies.imitators import report as report_imitators
from hoad.studies.inner_steps import choose_again, write_choice
from hoad.studies.inner_steps import report as report_inner_steps
from hoad.studies.recipes import ImitatorsRecipe

TINY = ImitatorRecipe(steps=20, validate_every=20, hidden=(16,), batch_size=64)
PNG = b"\x89PNG\r\n"


@pytest.fixture(scope="module")
def result(data: Path, tmp_path_factory: pytest.TempPathFactory) -> ImitatorsResult:
    folder = tmp_path_factory.mktemp("checkpoints")
    train_imitator(TINY, "iggi", data, folder, resume=False)
    recipe = ImitatorsRecipe(agents=("iggi",), test_games=10, games=5, out=folder / "report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOAD_CHECKPOINTS", str(folder))
        result = measure_imitators(recipe, data)
    return replace(result, made_with={"commit": "abc", "command": "x"})


def test_the_report_has_page_figure_json_and_csv(result: ImitatorsResult) -> None:
    page = write_report(report_imitators(result), result.recipe.out)

    text = page.read_text()
    assert "| commit | abc |" in text
    assert f"{result.imitations['iggi'].measures.accuracy:.2%} |" in text
    assert "| 90.9% |" in text, "the thesis's accuracy"
    assert "/ 16.2 /" in text, "the thesis's score"
    assert (page.parent / "cross_play.png").read_bytes().startswith(PNG)
    facts = json.loads((page.parent / "results.json").read_text())
    assert facts["imitators"]["iggi"]["metadata"]["name"] == "iggi"
    assert facts["cross_play"]["agents"] == ["iggi", "imitator:iggi"]
    heading, *rows = csv.reader((page.parent / "results.csv").open())
    scores = ["lenient", "lenient_sem", "strict", "strict_sem"]
    assert heading == ["first", "second", *scores, "games"]
    assert len(rows) == 4


def test_games_are_not_on_the_decks_of_a_recording_of_the_same_seed(
    data: Path, result: ImitatorsResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = []

    def spied(names: Sequence[str], games: int, seed: int, threads: int) -> CrossPlay:
        seeds.append(seed)
        return result.pairs

    monkeypatch.setenv("HOAD_CHECKPOINTS", str(result.recipe.out.parent))
    monkeypatch.setattr(hoad.studies.imitators, "cross_play", spied)
    iggi, recorded = get_agent("iggi"), find_games(data, "iggi")
    again = play((iggi, iggi), len(recorded), result.recipe.seed)
    np.testing.assert_array_equal(recorded.decks, again.decks)  # it has that seed

    measure_imitators(result.recipe, data)

    [seed] = seeds
    played = play((iggi, iggi), len(recorded), seed)
    assert not {deck.tobytes() for deck in played.decks} & {d.tobytes() for d in recorded.decks}


def test_the_ceiling_is_that_of_the_agents_own_distribution() -> None:
    """A copy of the agent makes its most probable move as often as the ceiling says."""
    outer = get_agent("outer")
    logs = play((outer, outer), games=300, seed=5)
    decisions = list(follow(outer, logs, np.ones((300, 2), np.bool_)))
    hits = np.concatenate([each.weights.argmax(1) == each.actions for each in decisions])

    ceiling = mode_accuracy(outer, logs)

    assert ceiling < 0.95
    assert ceiling == pytest.approx(hits.mean(), abs=4 * hits.std() / len(hits) ** 0.5)
    holmesbot = get_agent("holmesbot")  # makes no random choices
    assert mode_accuracy(holmesbot, play((holmesbot, holmesbot), games=20, seed=5)) == 1.0


def test_too_few_games_for_a_test_and_an_untrained_imitator_are_named(
    data: Path, result: ImitatorsResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(result.recipe.out.parent))
    record(PlayRecipe(games=1, agents=("iggi",)), tmp_path, resume=False, threads=1)

    with pytest.raises(HoadError, match="iggi: no test games among its 1; record more"):
        measure_imitators(result.recipe, tmp_path)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    with pytest.raises(HoadError, match="imitator/cautious"):
        measure_imitators(ImitatorsRecipe(agents=("cautious",), out=tmp_path), data)


@pytest.fixture
def models(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of checkpoints: a model without iggi, with two candidates, and a milestone."""
    shutil.copytree(trained / "maml", tmp_path / "maml")
    folder = tmp_path / "maml" / "iggi"
    for name in ("model", "step-1"):
        weights, about = load_checkpoint(folder / f"{name}.safetensors")
        about["recipe"] |= {"play_steps": [1, 2], "choice_episodes": 2}
        save_checkpoint(folder / f"{name}.safetensors", weights, about)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    return folder


def test_a_choice_is_made_from_games_of_the_training_agents_only(
    models: Path, trained: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for agent in ("piers", "outer"):
        shutil.copy(trained / f"{agent}.h5", data)

    [choice] = choose_again(["maml:iggi"], data)

    assert (choice.path, choice.before) == (models / "model.safetensors", 2)
    assert choice.chosen["play_steps"] in (1, 2)
    assert choice.chosen["play_steps_candidates"].keys() == {"1", "2"}
    rows = [(row["model"], row["inner steps"]) for row in report_inner_steps([choice]).rows]
    assert rows == [("maml:iggi", 1), ("maml:iggi", 2)]
    assert "before" in to_text(report_inner_steps([choice]))
    (data / "piers.h5").unlink()
    with pytest.raises(HoadError, match="no recorded games of piers"):
        list(choose_again(["maml:iggi"], data))


def test_a_choice_is_written_into_the_model_and_its_metadata(models: Path, trained: Path) -> None:
    files = [models / name for name in ("metadata.json", "step-1.safetensors")]
    milestone, weights = files[1].read_bytes(), load_checkpoint(models / "model.safetensors")[0]

    [choice] = choose_again(["iggi"], trained)
    write_choice(choice)

    metadata, about = json.loads(files[0].read_text()), load_meta_model("iggi")[1]
    for written in (metadata, about):
        assert choice.chosen.items() <= written.items()
    assert metadata["measures"] and about["recipe"]["play_steps"] == [1, 2]
    stored = load_checkpoint(models / "model.safetensors")[0]
    assert all(stored[name].equal(tensor) for name, tensor in weights.items())
    assert files[1].read_bytes() == milestone
    assert LowShotModel("iggi")


def test_a_model_whose_metadata_cannot_be_written_stays_as_it_is(
    models: Path, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_nothing(path: Path, values: object) -> None:
        raise HoadError(f"{path}: no space")

    [choice] = choose_again(["iggi"], trained)
    before = (models / "model.safetensors").read_bytes()
    monkeypatch.setattr("hoad.learning.training.folder.write_metadata_file", write_nothing)

    with pytest.raises(HoadError, match="no space"):
        write_choice(replace(choice, chosen={"play_steps": 7}))

    assert (models / "model.safetensors").read_bytes() == before


def test_a_milestone_has_a_choice_of_its_own(models: Path, trained: Path) -> None:
    before = [(models / name).read_bytes() for name in ("metadata.json", "model.safetensors")]

    [choice] = choose_again(["maml:iggi@1"], trained)
    write_choice(choice)

    assert choice.chosen.items() <= load_meta_model("iggi@1")[1].items()
    after = [(models / name).read_bytes() for name in ("metadata.json", "model.safetensors")]
    assert after == before
