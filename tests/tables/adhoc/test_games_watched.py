"""Tables that differ in the games watched, or in the steps of meta-training, are one curve."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.reports.output import write_report
from hoad.reports.page import Figure, Table, to_markdown
from hoad.tables.adhoc.games_watched import games_watched
from hoad.tables.adhoc.milestones import milestones
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.report import adhoc_report
from hoad.tables.adhoc.table import run_adhoc
from tests.scripts import ROOT, assert_refused, runner_here

run = runner_here("evaluate.py")


def make_table(out: Path, **changes: object) -> Path:
    values = {
        "partners": ["iggi"],
        "players": ["self-play", "nearest"],
        "pool": ["outer", "piers"],
        "episodes": 2,
        "games_per_episode": 2,
        "trials": 2,
        "cross_play_games": 2,
        "out": str(out),
    }
    result = run_adhoc(check_recipe(values | changes, AdhocRecipe, "test"), threads=1)
    write_report(adhoc_report(result), out)
    return out


@pytest.fixture(scope="module")
def ten_and_two(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    out = tmp_path_factory.mktemp("tables")
    return [make_table(out / str(games), support_games=games) for games in (10, 2)]


def test_columns_are_in_order_of_the_games_watched(ten_and_two: list[Path], tmp_path: Path) -> None:
    page = games_watched(ten_and_two)

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert table.rows[0] == ["games watched", "2", "10"]
    assert [row[0] for row in table.rows[1:]] == ["self-play", "nearest"]
    assert table.rows[1][1] == table.rows[1][2]  # which watches nothing, on the same decks
    result = run("games-watched", *ten_and_two, "--out", tmp_path / "curve")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "curve" / "games_watched.png").exists()
    assert (tmp_path / "curve" / "results.csv").read_text().count("nearest") == 2
    twice = run("games-watched", *ten_and_two, ten_and_two[0], "--out", tmp_path / "x")
    assert_refused(twice, "10 support_games")


def test_players_of_one_table_only_are_left_out_and_other_numbers_of_decks_are_told(
    ten_and_two: list[Path], tmp_path: Path
) -> None:
    players = ["self-play", "nearest", "nearest-response"]
    longer = make_table(tmp_path / "five", support_games=5, players=players, episodes=4)

    page = games_watched([*ten_and_two, longer])

    assert {row["player"] for row in page.rows} == {"self-play", "nearest"}
    assert "more decks" in to_markdown(page)
    assert "more decks" not in to_markdown(games_watched(ten_and_two))


def test_tables_without_a_common_player_are_refused(
    ten_and_two: list[Path], tmp_path: Path
) -> None:
    other = make_table(tmp_path / "five", support_games=5, players=["nearest-response"])

    with pytest.raises(HoadError, match="no player is in two of these tables; name tables"):
        games_watched([ten_and_two[0], other])


@pytest.mark.parametrize(("key", "value"), [("seed", 3), ("pool", ["outer", "valuebot"])])
def test_a_table_of_other_decks_or_another_pool_is_refused(
    ten_and_two: list[Path], tmp_path: Path, key: str, value: object
) -> None:
    other = make_table(tmp_path / "other", support_games=5, **{key: value})

    with pytest.raises(HoadError, match=f"in {key}; make it"):
        games_watched([*ten_and_two, other])


AGAIN = "make the table again"


@pytest.mark.parametrize(
    ("without", "scores", "said"),
    [
        ({"recipe", "made_with"}, None, "not the report"),
        ({"made_with"}, None, AGAIN),
        (set(), None, "results.csv"),
        (set(), "", AGAIN),
        (set(), "partner,score,seat\niggi,strict,both\n", AGAIN),
    ],
)
def test_what_is_no_whole_table_is_refused_before_there_is_a_folder(
    ten_and_two: list[Path], tmp_path: Path, without: set[str], scores: str | None, said: str
) -> None:
    facts = json.loads((ten_and_two[0] / "results.json").read_text())
    kept = {key: value for key, value in facts.items() if key not in without}
    (tmp_path / "results.json").write_text(json.dumps(kept))
    if scores is not None:
        (tmp_path / "results.csv").write_text(scores)

    assert_refused(run("games-watched", tmp_path, "--out", tmp_path / "curve"), said)
    assert not (tmp_path / "curve").exists()


SHOTS = ["zero-shot@1", "low-shot@1", "zero-shot@2", "low-shot@2"]
STEPS: dict[str, object] = {"players": SHOTS, "pool": [], "episodes": 4}


def test_each_training_has_scores_and_gain_by_milestone(checkpoints: Path, tmp_path: Path) -> None:
    tables = [
        make_table(tmp_path / name, **STEPS | {"players": players})
        for name, players in (("fomaml", SHOTS), ("again", SHOTS[:2]))
    ]

    page = milestones(tables)

    [table] = [block for block in page.blocks if isinstance(block, Table)]
    assert table.rows[0] == ["meta-training", "steps", "1", "2"]
    assert [row[:2] for row in table.rows[1:]] == [
        [name, value] for name in ("fomaml", "again") for value in ("zero-shot", "low-shot", "gain")
    ]
    assert [row[3] == "" for row in table.rows[1:]] == [False] * 3 + [True] * 3
    value: dict[tuple[object, ...], Any] = {
        (row["training"], row["step"], row["value"]): row["mean"] for row in page.rows
    }
    for step in (1, 2):
        shots = value["fomaml", step, "low-shot"], value["fomaml", step, "zero-shot"]
        assert value["fomaml", step, "gain"] == pytest.approx(shots[0] - shots[1])
    assert value["again", 1, "gain"] == value["fomaml", 1, "gain"]  # the same games


def test_the_accuracies_of_trainings_that_have_them_are_drawn(
    checkpoints: Path, tmp_path: Path
) -> None:
    tables = [make_table(tmp_path / name, **STEPS) for name in ("one", "two")]
    names = [f"held-out/{shot} accuracy" for shot in ("zero-shot", "low-shot")]
    for table, curve in zip(tables, ([[2, 4], [0.3, 0.4]], [[], []]), strict=True):
        facts = json.loads((table / "results.json").read_text())
        facts["meta_training"]["iggi"]["curves"] = dict.fromkeys(names, curve)
        (table / "results.json").write_text(json.dumps(facts))

    page = milestones(tables)

    [_, training] = [block for block in page.blocks if isinstance(block, Figure)]
    lines = [axes.get_lines() for axes in training.draw().axes]
    drawn = [[np.asarray(line.get_ydata()).tolist() for line in panel] for panel in lines]
    assert drawn == [[[0.3, 0.4]]] * 2


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("results.json", "comparisons"),
        ("results.json", "meta_training"),
        ("results.csv", "low-shot@"),
    ],
)
def test_results_without_what_the_page_shows_are_refused_by_name(
    file: str, key: str, tmp_path: Path
) -> None:
    for name in ("results.json", "results.csv"):
        shutil.copy(ROOT / "results/adhoc/objectives/fomaml" / name, tmp_path)
    lines = (tmp_path / file).read_text().splitlines()
    kept = [line for line in lines if f'"{key}":' not in line and f",{key}" not in line]
    assert len(kept) < len(lines)
    (tmp_path / file).write_text("\n".join(kept).replace(",\n}", "\n}"))

    with pytest.raises(HoadError, match=f"{file}: not the report"):
        milestones([tmp_path])


def test_tables_that_differ_in_more_or_lack_milestones_are_refused(
    checkpoints: Path, tmp_path: Path
) -> None:
    tables = [make_table(tmp_path / "one", **STEPS), make_table(tmp_path / "two", **STEPS, seed=8)]

    with pytest.raises(HoadError, match=r"differs from .* in seed"):
        milestones(tables)
    none = make_table(tmp_path / "none", players=["self-play"], pool=["iggi"])
    with pytest.raises(HoadError, match="low-shot@STEP"):
        milestones([none])
