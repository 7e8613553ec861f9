from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.core.kept import Kept, KeptFile
from hoad.core.provenance import forget_networks, networks_used
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.page import to_markdown, to_text
from hoad.studies.recipes import SearchRecipe
from hoad.studies.search import SearchResult, measure_search, report


def recipe(out: Path, **keys: object) -> SearchRecipe:
    tiny = {"agents": ("iggi",), "games": 4, "rollouts": 100, "curve_games": 2, "seed": 3}
    return SearchRecipe.model_validate({**tiny, "out": out, **keys})


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> SearchResult:
    out = tmp_path_factory.mktemp("search")
    wanted = recipe(out, both_games=2, curve=("outer",), curve_rollouts=(50, 100))
    return measure_search(wanted, threads=2)


def test_self_play_is_that_of_the_agent_and_only_searches_are_timed(result):
    kinds = [(one.setting.agent, one.setting.who) for one in result.table]
    assert kinds == [("iggi", "itself"), ("iggi", "one"), ("iggi", "both")]
    assert [one.setting.rollouts for one in result.curve] == [50, 100]
    assert [len(one.strict) for one in (*result.table, *result.curve)] == [4, 4, 2, 2, 2]
    itself, one, both = result.table

    agent = get_agent("iggi")
    outcomes = replay(play([agent, agent], 4, other_seed(3, Purpose.TABLE)))
    assert (itself.strict == outcomes.strict).all()
    assert len(itself.moves) == 0
    assert 0 < len(one.moves) / 4 < len(both.moves) / 2
    assert 0 < one.moves.sum() < one.seconds


def test_tables_share_the_games_that_they_keep_in_one_folder(tmp_path):
    shared = tmp_path / "shared"
    first = measure_search(recipe(tmp_path / "first", kept=shared), threads=1)
    kept = (shared / "games.sqlite").read_bytes()

    second = measure_search(recipe(tmp_path / "second", kept=shared), threads=1, resume=True)

    assert (shared / "games.sqlite").read_bytes() == kept
    assert report(second).rows == report(first).rows


@contextmanager
def changed_block(result: SearchResult, change: Callable[[Kept], Kept]) -> Iterator[None]:
    """Change the first games of iggi in which one player searches, for a while."""
    path = result.recipe.out / "games.sqlite"
    before, file = path.read_bytes(), KeptFile(path, "games")
    kept = [block for folder in file.folders() for block in file.in_folder(folder)]
    changed = next(block for block in kept if block.folder.startswith("iggi one"))
    path.unlink()
    file.add(*(change(block) if block is changed else block for block in kept))
    try:
        yield
    finally:
        path.write_bytes(before)


def test_games_that_are_kept_are_not_played_again(result):
    more = recipe(result.recipe.out, both_games=2, curve=("outer",), curve_rollouts=(100,))

    again = measure_search(more, threads=1, resume=True)

    before = (*result.table, result.curve[1])
    for played, kept in zip((*again.table, *again.curve), before, strict=True):
        np.testing.assert_array_equal(played.strict, kept.strict)
        np.testing.assert_array_equal(played.moves, kept.moves)
    with pytest.raises(HoadError, match="go on with --resume"):
        measure_search(more, threads=1)


def test_the_report_says_what_played_games_of_other_runs(result):
    again = measure_search(result.recipe, threads=1, resume=True)
    with changed_block(
        result, lambda block: replace(block, facts={**block.facts, "made_with": None})
    ):
        with_older = measure_search(result.recipe, threads=1, resume=True)

    made_with = again.table[1].made_with
    assert made_with == [result.made_with]
    assert "Not all games" not in to_markdown(report(result))
    played = to_markdown(report(again)).partition("Not all games")[2]
    assert played.count(f"| iggi, outer | {made_with[0]['commit']} |") == 1
    assert "not recorded" not in played
    assert to_markdown(report(with_older)).count("| iggi | not recorded | not recorded |") == 1


def test_kept_games_of_another_shape_are_refused(result):
    wanted = recipe(result.recipe.out, both_games=2)
    short = {"lenient": np.zeros(3)}

    with (
        changed_block(result, lambda block: replace(block, arrays={**block.arrays, **short})),
        pytest.raises(HoadError, match=r"games\.sqlite: not games of search; remove it"),
    ):
        measure_search(wanted, threads=1, resume=True)


def test_the_report_has_a_row_for_each_setting(result):
    page = report(result)

    assert [row["who"] for row in page.rows] == ["itself", "one", "both", "one", "one"]
    assert page.rows[1]["strict"] == pytest.approx(result.table[1].strict.mean())
    assert page.rows[0]["seconds_a_move"] is None
    assert [figure.name for figure in page.figures] == ["rollouts.png"]
    axes = page.figures[0].draw().axes[0]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["50", "100"]
    assert "both search" in to_text(page)


def test_what_search_gains_is_measured_in_the_games_that_both_have_played(result):
    itself, one, both = result.table

    rows = report(result).rows

    gains = one.strict - itself.strict, both.strict - itself.strict[:2]
    assert [row["minus_self_play"] for row in rows[:3]] == [None, gains[0].mean(), gains[1].mean()]
    error = gains[0].std(ddof=1) / 2  # of four games
    assert rows[1]["minus_self_play_half_width"] == pytest.approx(3.18245 * error, rel=1e-5)
    assert rows[3]["minus_self_play"] is None  # outer has not played with itself


def test_processor_time_counts_a_point_that_is_also_a_row_once(result):
    times = (10.0, 20.0, 30.0)
    table = [replace(one, seconds=time) for one, time in zip(result.table, times, strict=True)]
    points = [replace(result.table[1], seconds=5.0), replace(result.curve[0], seconds=1.0)]

    page = report(replace(result, table=table, curve=points))

    assert "All games took 61 s" in to_markdown(page)


def test_agents_that_search_does_not_take_are_refused_before_any_game(tmp_path):
    with pytest.raises(HoadError, match="not compiled"):
        measure_search(recipe(tmp_path, agents=("iggi", "noisy:0.1:iggi")), threads=1)

    assert not (tmp_path / "games.sqlite").exists()


def test_the_report_names_the_file_of_each_network(result):
    forget_networks()
    get_agent("imitator:iggi")  # as by generalist:iggi+imitator:iggi, which may then be iggi

    ((file, name),) = networks_used().items()

    assert (Path(file).name, name) == ("model.safetensors", "imitator:iggi")
    assert f"| network {name} | {file} |" in to_markdown(report(result))
