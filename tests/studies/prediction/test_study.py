"""The studies of prediction and of people on a small scale, and their measure."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.core.paths import find_checkpoint
from hoad.core.recipe import check_recipe, load_recipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.partners.choices import Seen
from hoad.partners.kinds import FOR_SEVERAL, KINDS, POPULATION, knowledge_without
from hoad.partners.model import Uniform
from hoad.partners.others import PEOPLE_FOLDS
from hoad.partners.pool import PoolPosterior
from hoad.replay.dataset import write_dataset
from hoad.replay.formats.convert import import_games, read_games
from hoad.reports.plots import MOST_CURVES
from hoad.studies.people import (
    CURVES,
    LOW_SHOT_OF_PEOPLE,
    ZERO_SHOT_OF_PEOPLE,
    _curves,
    measure_people,
)
from hoad.studies.prediction.measure import BINS, Evaluation, evaluate
from hoad.studies.prediction.study import ITSELF, METHODS, _above_entropy
from hoad.studies.recipes import PeopleRecipe, PredictionRecipe, random_lists
from tests.agents.own_agent import write_agent
from tests.meta_models import save_meta_model
from tests.partners.observed import self_play
from tests.replay.formats.records import write_people
from tests.scripts import ROOT, assert_refused, run_here, runner_here


def test_uniform_and_the_partner_itself_are_evaluated() -> None:
    seen = self_play("simplebot", 3, seed=1)
    itself = PoolPosterior([get_agent("simplebot")])
    itself.learn(seen)

    evaluations = evaluate({"known": itself, "unknown": Uniform()}, seen)

    known, unknown = evaluations["known"].prediction(), evaluations["unknown"].prediction()

    assert (known.accuracy, round(known.log_loss, 1)) == (1.0, 0.0)
    assert 2.4 < unknown.log_loss < 3.0
    assert 1 / 20 < unknown.accuracy < 1 / 5  # as if one of the legal moves were drawn


def test_games_in_which_no_seat_is_followed_do_not_count() -> None:
    logs = play([get_agent("iggi")] * 2, 3, seed=1)
    first_in_two_games = np.array([[True, False], [False, False], [True, False]])

    evaluation = evaluate({0: Uniform()}, Seen(logs, first_in_two_games))[0]

    moves = np.diff(logs.offsets)
    assert np.bincount(evaluation.games).tolist() == [-(-moves[0] // 2), 0, -(-moves[2] // 2)]


def test_the_interval_covers_the_loss_of_all_games_where_games_differ_in_length() -> None:
    """Moves of short games are more probable, so that the mean over games is another one."""
    draw, losses_of = np.random.default_rng(1), np.array([0.2, 2.0])
    covered = 0
    for _ in range(400):
        is_long = draw.random(100) < 0.5
        games = np.repeat(np.arange(100), np.where(is_long, 30, 3))
        losses = draw.exponential(losses_of[is_long[games].astype(int)])
        evaluation = Evaluation(games, losses, losses, np.zeros((3, BINS)), 0.0)
        expected = (3 * 0.2 + 30 * 2.0) / 33
        covered += abs(losses.mean() - expected) < evaluation.prediction().half_width

    assert 0.92 < covered / 400 < 0.98


def test_uniform_is_calibrated_where_moves_are_drawn_uniformly() -> None:
    games = self_play("legal-random", 200, seed=1)

    evaluation = evaluate({0: Uniform()}, games)[0]

    number, expected, made = evaluation.calibration
    often = number > 1000
    np.testing.assert_allclose(
        made[often] / number[often], expected[often] / number[often], atol=0.02
    )
    assert made.sum() == len(games.choices)


run = runner_here("evaluate.py")


def write_recipe(folder: Path, **changes: object) -> Path:
    values = {"partners": ["iggi"], "games": [0, 2], "others": ["piers"], "test_games": 2}
    values |= {"out": str(folder / "results")}
    path = folder / "recipe.toml"
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in (values | changes).items())
    path.write_text("".join(lines))
    return path


def rows_of(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "results.csv").read_text().splitlines()))


def test_a_study_is_written_and_resumed(tmp_path: Path) -> None:
    recipe, out = write_recipe(tmp_path), tmp_path / "results"

    made = run("prediction", recipe)
    facts, rows = json.loads((out / "results.json").read_text()), rows_of(out)
    again, resumed = run("prediction", recipe), run("prediction", recipe, "--resume")

    assert (made.returncode, resumed.returncode) == (0, 0), made.stderr + resumed.stderr
    assert_refused(again, "--resume")
    remade = json.loads((out / "results.json").read_text())
    assert rows_of(out) == rows
    assert all(remade[key] == facts[key] for key in ("strangers", "networks"))
    assert "networks" not in facts["strangers"]["iggi"]  # a worker has those of others too
    keys = {(row["games"], row["other"]) for row in rows}
    assert keys == {("0", ""), ("0", "piers"), ("2", ""), ("2", "piers")}
    assert {row["method"] for row in rows} == {*KINDS, ITSELF}
    own = [float(r["log_loss"]) for r in rows if (r["method"], r["other"]) == (ITSELF, "")]
    assert max(own) < 0.2  # iggi is nearly certain of its moves
    assert {path.name for path in out.glob("*.png")} == {"by_games.png", "calibration.png"}


def test_strangers_among_three_are_rule_lists(tmp_path: Path) -> None:
    """Each sits in every seat with copies of the other agent, and a bot is refused."""
    words = ("--players", 3, "--games", 2, "--test-games", 4)
    recipe, out = write_recipe(tmp_path), tmp_path / "results"

    made = run("prediction", recipe, *words)
    refused = run("prediction", recipe, *words, "--others", "simplebot", "--out", tmp_path / "no")

    assert made.returncode == 0, made.stderr
    assert_refused(refused, "agent simplebot plays the two-player game only")
    rows = rows_of(out)
    assert [row["method"] for row in rows] == [*FOR_SEVERAL, ITSELF] * 2
    assert {row["other"] for row in rows} == {"", "piers"}
    losses = {row["method"]: float(row["log_loss"]) for row in rows if not row["other"]}
    assert losses[ITSELF] < losses["program"] < 1.0 < losses["uniform"]
    assert "Games of 3 players" in (out / "report.md").read_text()


def test_a_stranger_that_has_changed_is_measured_again(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, partners=[write_agent(tmp_path, 0)], games=[1], others=[])
    first = run("prediction", recipe)
    assert first.returncode == 0, first.stderr
    found = rows_of(tmp_path / "results")

    write_agent(tmp_path, move=-1)
    again = run("prediction", recipe, "--resume")

    assert again.returncode == 0, again.stderr
    methods = ("uniform", "nearest", "program")
    before, after = (
        [row["log_loss"] for row in rows if row["method"] in methods]
        for rows in (found, rows_of(tmp_path / "results"))
    )
    assert before != after


def test_strangers_are_measured_alike_by_two_threads(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, partners=["iggi", "piers"], games=[2], others=[])

    for threads in (1, 2):
        made = run("prediction", recipe, "--threads", threads, "--out", tmp_path / f"{threads}")
        assert made.returncode == 0, made.stderr

    first, second = (rows_of(tmp_path / f"{n}") for n in (1, 2))
    assert len(first) == 2 * len(METHODS)
    for one, other in zip(first, second, strict=True):
        assert one | {"seconds": ""} == other | {"seconds": ""}


def test_log_loss_is_compared_with_entropy_by_kind_of_stranger() -> None:
    losses = {"iggi": (0.5, 0.1), "rules:1,2": (0.9, 0.3), "rules:3,4": (0.7, 0.3)}
    found = [
        {"partner": name, "method": method, "log_loss": loss[method == ITSELF]}
        for name, loss in losses.items()
        for method in METHODS
    ]

    table = _above_entropy(found).rows

    assert [row[0] for row in table[1:]] == ["mean of 1 agents", "mean of 2 random lists"]
    assert [float(row[1].split()[0]) for row in table[1:]] == [0.4, 0.5]
    assert [float(row[-1].split()[0]) for row in table[1:]] == [0, 0]


def test_random_lists_are_the_same_for_the_same_seed() -> None:
    first = random_lists(3, seed=1)

    assert first == random_lists(4, seed=1)[:3] != random_lists(3, seed=2)
    assert all(len(set(name.removeprefix("rules:").split(","))) == 15 for name in first)
    with pytest.raises(HoadError, match="no strangers"):
        check_recipe({"out": "here"}, PredictionRecipe, "recipe")


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A recipe for three people with eight games each, who make random moves."""
    write_people(tmp_path / "log", people=3, games=8)
    import_games(tmp_path / "log", tmp_path / "people.h5")
    path = tmp_path / "recipe.toml"
    path.write_text(
        f'people = "{tmp_path / "people.h5"}"\ngames = [0, 2, 10]\nleast = 3\ntest_games = 2\n'
        f'out = "{tmp_path / "results"}"\n'
    )
    return path


def test_a_study_of_people_is_written_and_resumed(recipe: Path) -> None:
    out = recipe.parent / "results"

    made = run("people", recipe)
    measured = (out / "results.csv").read_text()
    again, resumed = run("people", recipe), run("people", recipe, "--resume")

    assert (made.returncode, resumed.returncode) == (0, 0), made.stderr + resumed.stderr
    assert_refused(again, "--resume")
    assert (out / "results.csv").read_text() == measured
    kept = next((out / "people").glob("P001-*.json"))
    kept.write_text(kept.read_text().replace('"played": 8', '"played": 9'))
    assert_refused(run("people", recipe, "--resume"), kept.name, "damaged")
    rows = list(csv.DictReader(measured.splitlines()))
    assert {row["person"] for row in rows} == {"P001", "P002", "P003"}
    assert {row["games"] for row in rows} == {"0", "2"}  # nobody has more than ten
    assert {row["method"] for row in rows} == {*KINDS, POPULATION}
    assert {row["partner"] for row in rows} == {"", "eger-full"}
    _, _, weights = (out / "report.md").read_text().partition("## What the weights say, after 2")
    assert re.findall(r"^\| what (P\d+) does", weights, re.M) == ["P001", "P002", "P003"]
    shown = re.findall(r"^\| .* \| (?:more, \+|less, -)\d\.\d SD \| \d\.\d{3} \|$", weights, re.M)
    assert len(shown) == 3 * 5
    assert len(re.findall(r"^\| all inputs together \|  \| \d\.\d{3} \|$", weights, re.M)) == 3
    assert {path.name for path in out.glob("*.png")} == {"by_games.png", "calibration.png"}


def test_losses_are_reported_by_the_experience_that_people_stated(recipe: Path) -> None:
    stated = recipe.with_name("experience.csv")
    stated.write_text("player,games,hanabi_experience(1-4)\nP001,8,4\nP003,8,1\nP002,8,\n")

    made = run("people", recipe, "--games", 2, "--experience", stated)

    assert made.returncode == 0, made.stderr
    facts = json.loads((recipe.parent / "results" / "results.json").read_text())
    experience = {name: person["experience"] for name, person in facts["people"].items()}
    assert experience == {"P001": 4, "P002": None, "P003": 1}
    page = (recipe.parent / "results" / "report.md").read_text()
    _, _, table = page.partition("## Log-loss by the experience")
    rows = [
        row.split("|")[1:3] for row in table.partition("\n## ")[0].splitlines() if row[:1] == "|"
    ]
    people = {words.strip(): number.strip() for words, number in rows[2:]}
    assert people == {"never played before": "1", "more than 50 games": "1", "not stated": "1"}


def test_people_are_measured_again_if_models_know_others_or_seats_have_changed(
    recipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def measure(_: PeopleRecipe, name: str) -> dict[str, object]:
        measured.append(name)
        return {"rows": []}

    monkeypatch.setattr("hoad.studies.people._measure", measure)
    study, known = load_recipe(recipe, PeopleRecipe), knowledge_without(None)
    measure_people(study)
    measure_people(study, resume=True)
    assert measured == ["P001", "P002", "P003"]

    smaller = replace(known, pool=known.pool[1:])
    monkeypatch.setattr("hoad.studies.people.knowledge_without", lambda _: smaller)
    measure_people(study, resume=True)
    assert len(measured) == 6

    games = read_games(study.people)
    pairings = tuple(("another-program", person) for _, person in games.pairings)
    write_dataset(study.people, replace(games, pairings=pairings))
    measure_people(study, resume=True)
    assert len(measured) == 9


@pytest.mark.parametrize(
    ("kind", "values", "named"),
    [
        (PredictionRecipe, {"partners": ["iggi"], "others": ["piers", "piers"]}, "others names"),
        (PredictionRecipe, {"partners": ["iggi"], "games": [5, 5]}, "games names 5 twice"),
        (PeopleRecipe, {"people": "people.h5", "games": [10, 10]}, "games names 10 twice"),
        (PeopleRecipe, {"people": "people.h5", "least": 5}, "least = 5: models learn from 10"),
    ],
)
def test_recipes_that_make_no_sense_are_refused(
    kind: type[PredictionRecipe | PeopleRecipe], values: dict[str, object], named: str
) -> None:
    with pytest.raises(HoadError, match=named):
        check_recipe({"out": "here", **values}, kind, "recipe")


def test_meta_models_of_people_are_methods(recipe: Path) -> None:
    folder, people = recipe.parent / "checkpoints", recipe.parent / "people.h5"
    tiny = recipe.with_name("maml.toml")
    tiny.write_text(
        "hidden = [16, 16]\nsteps = 2\nvalidate_every = 2\ntasks = 2\ngames = 2\n"
        "inner_lrs = [1e-2]\nplay_steps = [1]\nrecolour = true\n"
    )

    trained = run_here("train_maml.py", tiny, "--people", people, "--out", folder)
    made = run("people", recipe, "--meta-model", "people", HOAD_CHECKPOINTS=str(folder))

    assert (trained.returncode, made.returncode) == (0, 0), trained.stderr + made.stderr
    rows = list(csv.DictReader((recipe.parent / "results/results.csv").open()))
    where = {"method": LOW_SHOT_OF_PEOPLE, "person": "P001", "partner": ""}
    assert [row["games"] for row in rows if where.items() <= row.items()] == ["0", "2"]
    assert {row["method"] for row in rows} >= {ZERO_SHOT_OF_PEOPLE, *KINDS}


def test_curves_of_people_are_of_the_main_methods() -> None:
    published = (ROOT / "results/prediction/people/results.csv").open()
    rows = [
        row | {"games": int(row["games"]), "log_loss": float(row["log_loss"])}
        for row in csv.DictReader(published)
    ]

    figure = _curves(rows, [0, 10, 200]).draw()

    [legend] = figure.legends
    assert {text.get_text() for text in legend.get_texts()} == {*CURVES}
    assert len(CURVES) <= MOST_CURVES < len({row["method"] for row in rows})
    assert [len(axes.lines) for axes in figure.axes] == [len(CURVES)] * 2


def test_nobody_with_enough_games_and_a_missing_meta_model_are_refused(recipe: Path) -> None:
    assert_refused(run("people", recipe, "--least", 9), "people.h5", "9 games")
    assert_refused(run("people", recipe, "--meta-model", "absent"), "maml/absent-0")


def test_a_meta_model_that_learned_from_people_of_its_own_fold_is_refused(
    recipe: Path, own_checkpoints: Path
) -> None:
    for fold in range(PEOPLE_FOLDS):
        save_meta_model(own_checkpoints, f"people-{fold}")
    path = find_checkpoint("maml", "people-1")
    weights, about = load_checkpoint(path)
    save_checkpoint(path, weights, about | {"games": {"P001": 8, "P002": 8}})
    study = load_recipe(recipe, PeopleRecipe).model_copy(update={"meta_model": "people"})

    with pytest.raises(HoadError, match=r"maml:people-1: .* P002"):
        measure_people(study)
