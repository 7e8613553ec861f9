"""The scripts that train, and the recipes of the repository."""

import json
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hoad.core.paths import find_checkpoint
from hoad.core.recipe import load_recipe
from hoad.learning.maml.learner import train_maml
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.replay.formats.convert import import_games
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from tests.meta_models import save_meta_model
from tests.replay.formats.records import write_people
from tests.scripts import ROOT, Finished, assert_refused, runner_here, start_and_wait_for

TRAIN_IMITATOR = "train_imitator.py"
TINY_IMITATOR = "hidden = [32, 32]\nbatch_size = 64\nsteps = 120\nvalidate_every = 20\n"
TINY_IMITATOR += "validation_games = 10\nreport_every = 10\n"

train_imitator = runner_here(TRAIN_IMITATOR)


@pytest.fixture
def imitator_recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY_IMITATOR)
    return path


def test_training_leaves_weights_and_curves(
    imitator_recipe: Path, data: Path, tmp_path: Path
) -> None:
    words = [imitator_recipe, "--agent", "iggi", "--data", data, "--out", tmp_path, "--steps", 20]
    result, other = (train_imitator(*words, "--seed", seed) for seed in (0, 1))
    assert (result.returncode, other.returncode) == (0, 0), result.stderr + other.stderr
    folder = tmp_path / "imitator" / "iggi"
    assert f"imitator:{folder / 'model.safetensors'}  accuracy on unseen games" in result.stdout
    metadata = json.loads((folder / "metadata.json").read_text())
    assert (metadata["name"], metadata["recipe"]["seed"]) == ("iggi", 0)
    other_metadata = json.loads((tmp_path / "imitator" / "iggi.1" / "metadata.json").read_text())
    assert (other_metadata["name"], other_metadata["recipe"]["seed"]) == ("iggi", 1)
    assert metadata["recipe"]["hidden"] == [32, 32]
    assert 0 < metadata["measures"]["accuracy"] < 1
    assert (folder / "model.safetensors").exists()
    assert list(folder.glob("events.*"))


@pytest.mark.parametrize("agent", ["iggi", "rules:8,13", "P011"])
def test_only_people_are_counted_as_ah2ac2_does(
    imitator_recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str
) -> None:
    names = ("accuracy", "masked_accuracy", "loss", "masked_loss", "ah2ac2_loss")
    measures = SimpleNamespace(**dict.fromkeys(names, 0.5))
    monkeypatch.setattr("hoad.learning.imitator.train_imitator", lambda *_: measures)

    result = train_imitator(imitator_recipe, "--agent", agent, "--out", tmp_path)

    assert ("as AH2AC2 counts" in result.stdout) == (agent == "P011")
    assert result.returncode == 0


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training that nobody stopped."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "tiny.toml").write_text(TINY_IMITATOR)
    words = [folder / "tiny.toml", "--agent", "iggi", "--data", data, "--out", folder]
    assert train_imitator(*words).returncode == 0
    return folder


@pytest.mark.parametrize(
    ("how", "status"),
    [
        (signal.SIGKILL, -signal.SIGKILL),
        *((how, 130) for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
    ],
)
def test_a_stopped_training_goes_on_as_if_nothing_had_happened(
    imitator_recipe: Path, data: Path, whole: Path, tmp_path: Path, how: signal.Signals, status: int
) -> None:
    words = [imitator_recipe, "--agent", "iggi", "--data", data, "--out"]
    parts = tmp_path / "parts"
    last = Path("imitator") / "iggi" / "last.safetensors"

    process = start_and_wait_for(parts / last, TRAIN_IMITATOR, *words, parts)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == status
    assert b"Traceback" not in errors
    assert train_imitator(*words, parts, "--resume").returncode == 0

    for file in (last, last.with_name("model.safetensors")):
        assert (parts / file).read_bytes() == (whole / file).read_bytes()


def test_bad_input_of_imitators_is_refused(
    imitator_recipe: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"

    def train(*more: object, steps: int = 20, agent: str = "iggi", out: Path = out) -> Finished:
        words = ["--agent", agent, "--data", data, "--out", out, "--steps", steps, *more]
        return train_imitator(imitator_recipe, *words)

    assert train().returncode == 0
    assert_refused(train(), str(out), "--resume")
    metadata = out / "imitator" / "iggi" / "metadata.json"
    written = metadata.stat().st_mtime_ns
    assert train("--resume").returncode == 0
    assert metadata.stat().st_mtime_ns == written, "a finished training is left as it is"
    assert_refused(train("--resume", steps=40), "recipe steps was 20, now 40")

    last = out / "imitator" / "iggi" / "last.safetensors"
    last.write_bytes(last.read_bytes()[:-100])
    assert_refused(train("--resume"), str(last), "damaged")
    assert_refused(train(agent="nobody"), "nobody.h5", "no recorded games of nobody")
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    assert_refused(train(out=blocked), str(blocked))
    imitator_recipe.write_text(TINY_IMITATOR + "wdith = 3\n")
    assert_refused(train(), str(imitator_recipe), "wdith")


TINY_MAML = {"agents": ("iggi", "piers", "outer"), "hidden": (16, 16), "tasks": 2, "steps": 4}
TINY_MAML |= {"validation_episodes": 1, "validate_every": 2, "trial_steps": 1}
TINY_MAML |= {"validation_games": 4, "play_steps": (1,), "fomaml_steps": 2, "milestones": ()}
GAMES = {"games": 4}
TRANSITIONS = {"batches": 2, "batch_size": 32}

train_meta_model = runner_here("train_maml.py")


def tiny(recipe: str, size: dict[str, Any], **keys: Any) -> MamlRecipe:
    """Return a recipe of the repository with a tiny budget."""
    values = load_recipe(ROOT / "models" / recipe, MamlRecipe).model_dump()
    return MamlRecipe.model_validate(values | TINY_MAML | size | keys)


def options(recipe: MamlRecipe) -> list[object]:
    """Return the options that make `tiny` of a recipe."""
    words: list[object] = []
    for key in (*TINY_MAML, "games"):
        value = getattr(recipe, key)
        words += [f"--{key.replace('_', '-')}", *(value if isinstance(value, tuple) else [value])]
    return words


@pytest.mark.parametrize(
    ("recipe", "size"),
    [
        ("maml.toml", GAMES),
        ("maml-cpu.toml", GAMES),
        ("maml-narrow.toml", GAMES),
        ("maml-as-published.toml", TRANSITIONS),
        ("demo/maml.toml", GAMES),
    ],
)
def test_each_recipe_can_train(
    recipe: str, size: dict[str, Any], data: Path, tmp_path: Path
) -> None:
    measures = train_maml(tiny(recipe, size, source="originals"), "iggi", data, tmp_path, False)
    assert "validation/low-shot accuracy" in measures
    metadata = json.loads((tmp_path / "maml" / "iggi" / "metadata.json").read_text())
    assert metadata["games"].keys() == {"piers", "outer"}


def test_meta_models_learn_from_imitators_as_in_the_thesis(tmp_path: Path) -> None:
    imitators = ["imitator:iggi", "imitator:piers", "imitator:outer"]
    record(PlayRecipe(games=200, agents=tuple(imitators)), tmp_path, resume=False, threads=1)

    train_maml(tiny("maml-as-published.toml", TRANSITIONS), "iggi", tmp_path, tmp_path, False)

    metadata = json.loads((tmp_path / "maml" / "iggi" / "metadata.json").read_text())
    assert metadata["recipe"]["source"] == "imitators"
    assert metadata["games"].keys() == {"piers", "outer"}
    assert "held-out/low-shot strict score" in metadata["measures"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--held-out", "igi"], "igi"),
        ([], "--held-out-family"),
        (["--held-out", "iggi", "--held-out-family", "rainbow"], "--held-out-family"),
        (["--held-out-family", "iggi"], "walton-rivers"),
        (["--held-out", "iggi", "--query-gradient", "last"], "query_gradient has no effect"),
    ],
)
def test_bad_input_of_meta_models_is_refused_in_one_line(
    data: Path, tmp_path: Path, words: list[str], part: str
) -> None:
    result = train_meta_model("models/maml.toml", "--data", data, "--out", tmp_path, *words)
    assert_refused(result, part)


def test_a_family_is_held_out_and_resuming_changes_nothing(data: Path, tmp_path: Path) -> None:
    recipe = tiny("maml.toml", GAMES, tasks=1)
    words = ["models/maml.toml", *options(recipe), "--data", data, "--out", tmp_path]
    words += ["--held-out-family", "odwyer"]
    result, again = train_meta_model(*words), train_meta_model(*words, "--resume")
    assert (result.returncode, again.returncode) == (0, 0), result.stderr + again.stderr
    assert "validation/low-shot accuracy" in result.stdout
    assert again.stdout == result.stdout  # it was finished

    metadata = json.loads((tmp_path / "maml" / "odwyer" / "metadata.json").read_text())
    assert metadata["name"] == "odwyer"
    assert list(metadata["games"]) == ["iggi", "piers", "outer"]


def test_processes_train_models_without_each_agent(data: Path, tmp_path: Path) -> None:
    recipe = tiny("maml.toml", GAMES)
    words = ["models/maml.toml", *options(recipe), "--data", data, "--out", tmp_path / "there"]

    result = train_meta_model(*words, "--held-out", "all", "--backend", "loky", "--threads", 2)

    assert result.returncode == 0, result.stderr
    for agent in recipe.agents:
        folder = tmp_path / "there" / "maml" / agent
        metadata = json.loads((folder / "metadata.json").read_text())
        assert metadata["games"].keys() == {*recipe.agents} - {agent}
        assert f"maml {agent}: step 4 of 4" in (folder / "run.log").read_text()
    here = train_maml(recipe, "iggi", data, tmp_path / "here", False)
    measured = json.loads((tmp_path / "there/maml/iggi/metadata.json").read_text())["measures"]
    assert measured == pytest.approx(here, abs=1e-6)
    assert result.stdout.count("validation/low-shot accuracy") == len(recipe.agents)


def test_people_are_not_learned_without_a_fold_from_a_model_that_knows_them(
    own_checkpoints: Path,
) -> None:
    people, out = own_checkpoints / "people.h5", own_checkpoints / "new"
    write_people(own_checkpoints / "log", people=2, games=2)
    import_games(own_checkpoints / "log", people)
    save_meta_model(own_checkpoints, "knowing")
    path = find_checkpoint("maml", "knowing")
    weights, about = load_checkpoint(path)
    save_checkpoint(path, weights, about | {"games": {"imitator:P001": "their checksum"}})

    words = ("models/maml-people.toml", "--people", people, "--out", out, "--tasks", 1)
    result = train_meta_model(*words, "--hidden", 16, 16, "--start", "knowing")

    assert_refused(result, "maml:knowing has learned from P001, whom one of")


def test_the_recipes_are_the_thesis_and_its_code() -> None:
    imitator = load_recipe(ROOT / "models" / "imitator.toml", ImitatorRecipe)
    sound = load_recipe(ROOT / "models" / "maml.toml", MamlRecipe)
    published = load_recipe(ROOT / "models" / "maml-as-published.toml", MamlRecipe)
    processors = load_recipe(ROOT / "models" / "maml-cpu.toml", MamlRecipe)
    narrow = load_recipe(ROOT / "models" / "maml-narrow.toml", MamlRecipe)
    assert imitator.hidden == (1024, 1024, 512, 512, 256)
    assert (sound.batch_norm, sound.episode, sound.query_gradient) == ("running", "games", "all")
    assert sound.inner_lrs == (1e-4, 3e-4, 1e-3, 3e-3, 1e-2) and sound.inner_lr_half_life is None
    assert (published.batch_norm, published.episode) == ("frozen", "transitions")
    assert (published.query_gradient, published.inner_lrs) == ("last", (3e-4,))
    assert (published.batches, published.batch_size) == (10, 64)
    assert published.inner_lr_half_life == published.lr_half_life == 10_000
    assert published.steps == sound.steps == 71_000
    for recipe in (sound, published, processors):
        assert recipe.hidden == (2048, 2048, 1024, 1024, 512, 512, 256, 256, 128, 128, 64, 64)
        assert recipe.tasks == 4
    assert sound.learning_rate == published.learning_rate == 1e-4
    assert sound.zero_shot_weight == published.zero_shot_weight == 0
    same = ("agents", "source", "batch_norm", "bn_momentum", "episode", "games")
    for key in (*same, "query_gradient"):
        assert getattr(processors, key) == getattr(narrow, key) == getattr(sound, key)
    assert len(narrow.hidden) == len(sound.hidden)
    assert min(processors.steps, narrow.steps) >= 2_000


TINY_RAINBOW = "steps = 40\nvalidate_every = 10\nreport_every = 10\ngames = 16\nhidden = [16]\n"
TINY_RAINBOW += "history = 16\nlearning_starts = 8\nbatch_size = 32\nupdates = 2\n"
TINY_RAINBOW += "validation_games = 4\ntest_games = 4\nseed = 3\n"

train_rainbow = runner_here("train_rainbow.py")


@pytest.fixture
def rainbow_recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY_RAINBOW)
    return path


def test_rainbow_leaves_weights_and_a_curve(rainbow_recipe: Path, tmp_path: Path) -> None:
    result = train_rainbow(rainbow_recipe, "--out", tmp_path)

    assert result.returncode == 0, result.stderr
    folder = tmp_path / "rainbow" / "3"
    assert f"rainbow:{folder / 'model.safetensors'}  strict" in result.stdout
    lines = (folder / "curve.csv").read_text().splitlines()
    assert len(lines) == 1 + 40 // 10
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["name"] == "3"
    assert 0 <= metadata["measures"]["strict_score"] <= metadata["measures"]["lenient_score"] <= 25


def test_bad_input_of_rainbow_is_refused_in_one_line(rainbow_recipe: Path, tmp_path: Path) -> None:
    out, words = tmp_path / "out", [rainbow_recipe, "--out", tmp_path / "out", "--steps", 20]
    assert train_rainbow(*words).returncode == 0
    assert_refused(train_rainbow(*words), str(out), "--resume")
    assert_refused(train_rainbow(*words, "--games", 8, "--resume"), "recipe games was 16, now 8")

    last = out / "rainbow" / "3" / "last.safetensors"
    last.write_bytes(last.read_bytes()[:-100])
    assert_refused(train_rainbow(*words, "--resume"), str(last), "damaged")

    rainbow_recipe.write_text(TINY_RAINBOW + "n_step = 4\n")
    assert_refused(train_rainbow(*words), str(rainbow_recipe), "unknown key n_step")
