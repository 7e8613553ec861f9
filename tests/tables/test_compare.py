"""``hoad compare``: where two recipes differ, and the results side by side."""

import shutil
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.core.paths import SHIPPED_CHECKPOINTS
from hoad.learning.training.folder import read_metadata_file
from hoad.reports.page import Table
from hoad.tables.adhoc.results_files import overall_scores, read_table
from hoad.tables.compare import compare, differences
from tests.scripts import ROOT, assert_refused, runner_here

run = runner_here("compare.py")

ADHOC = ROOT / "results" / "adhoc"


def tables_of(first: object, second: object) -> tuple[dict[str, list[str]], ...]:
    """Return the lines of both tables by their first cell; none for recipes that are equal."""
    tables = [
        block for block in compare(str(first), str(second)).blocks if isinstance(block, Table)
    ]
    lines = [{row[0]: list(row[1:]) for row in table.rows[1:]} for table in tables]
    return tuple(lines) if len(lines) == 2 else ({}, *lines)


def test_two_trainings_differ_in_their_seeds_and_measures() -> None:
    recipes, results = tables_of("maml:simplebot", SHIPPED_CHECKPOINTS / "maml" / "simplebot.1")

    assert recipes["seed"] == ["0", "1"] and not {"steps", "agent"} & {*recipes}
    measures = [
        read_metadata_file(SHIPPED_CHECKPOINTS / "maml" / name / "metadata.json")["measures"]
        for name in ("simplebot", "simplebot.1")
    ]
    before, after = (one["validation/loss"] for one in measures)
    shown = [f"{before:.4f}", f"{after:.4f}", f"{after - before:+.4f}"]
    assert results["validation/loss"] == shown
    assert {*measures[0]} <= {*results} and results["best step"][0].isdigit()


def test_hours_that_one_training_or_both_do_not_tell_are_left_out() -> None:
    _, results = tables_of("imitator:iggi", "imitator:piers")
    _, without = tables_of("imitator:iggi", "imitator:valuebot")

    hours = read_metadata_file(SHIPPED_CHECKPOINTS / "imitator" / "piers" / "metadata.json")
    assert results["hours"] == ["-", f"{hours['training_seconds'] / 3600:.4f}", "-"]
    assert "hours" not in without and without["best step"][0] == "24000"


def test_two_tables_differ_in_what_is_held_out_and_in_the_scores() -> None:
    folders = ADHOC / "search", ADHOC / "search-family"

    recipes, results = tables_of(*folders)

    assert recipes["hold_out"] == ["agent", "family"] and "partners" not in recipes
    scores = [
        {row["player"]: row["mean"] for row in overall_scores(folder, read_table(folder))}
        for folder in folders
    ]
    assert {*results} == {*scores[0], *scores[1]}
    assert results["model"][2] == f"{scores[1]['model'] - scores[0]['model']:+.2f}"
    assert results["generalist+elites"][0] == results["generalist+elites"][2] == "-"


def test_two_populations_differ_in_their_grids_and_a_run_has_the_recipe_of_itself() -> None:
    recipes, results = tables_of("canaan-5x5-1", "canaan-20x20-1")
    same, measures = tables_of("maml:iggi", "maml:iggi")

    assert recipes["grid"] == ["5, 5", "20, 20"]
    assert results["niches filled"] == ["22", "309", "+287"]
    assert not same
    assert all(line[0] == line[1] for line in measures.values())


def test_the_agent_of_a_network_is_shown_without_the_seed() -> None:
    recipes, _ = tables_of("maml:iggi.1", "maml:piers.2")
    rainbows, _ = tables_of("rainbow:1", "rainbow:2")

    assert recipes["agent"] == ["iggi", "piers"]
    assert rainbows == {"seed": ["1", "2"]}


def test_recipes_are_compared_key_by_key_in_tables() -> None:
    first = {"a": 1, "naive": {"epochs": 2, "x": 1}}
    second = {"b": 2, "naive": {"epochs": 3, "x": 1}}

    expected = {"a": ("1", "-"), "naive.epochs": ("2", "3"), "b": ("-", "2")}
    assert differences(first, second) == expected


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        (str(ADHOC / "search"), "is an ad-hoc table"),
        ("maml:nobody", "no training"),
        ("nobody", "population 'nobody'"),
        (str(ROOT / "docs"), "no run that can be compared"),
        (str(ROOT / "results" / "bounds"), "bounds: no run that can be compared; name the folder"),
    ],
)
def test_what_cannot_be_compared_is_named(first: str, problem: str) -> None:
    with pytest.raises(HoadError, match=problem):
        compare(first, "maml:iggi")


def test_the_command_prints_both_tables(tmp_path: Path) -> None:
    folder = shutil.copytree(SHIPPED_CHECKPOINTS / "maml" / "iggi", tmp_path / "iggi")

    result = run(folder, "maml:outer")

    assert result.returncode == 0, result.stderr
    assert "held-out/low-shot strict score" in result.stdout and "Recipes" in result.stdout
    assert_refused(run(folder, "maml:nobody"), "maml/nobody: no training; train first")
