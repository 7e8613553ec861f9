"""Scores of pairs of agents, and the matrix of equal moves."""

import json
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.follow import move_probabilities
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.output import write_report
from hoad.reports.page import to_text
from hoad.studies.crossplay import cross_play, cross_play_page, report
from hoad.studies.similarity import measure_similarity
from tests.scripts import run_here

NAMES = ("iggi", "simplebot", "legal-random")


def test_each_pair_plays_the_first_games_of_the_seed():
    pairs = cross_play(NAMES, games=30, seed=5)

    for row, first in enumerate(NAMES):
        for column, second in enumerate(NAMES):
            outcomes = replay(play([get_agent(first), get_agent(second)], 30, seed=5))
            assert pairs.lenient[row, column] == outcomes.scores.mean()
            assert pairs.strict[row, column] == outcomes.strict.mean()
            error = outcomes.scores.std(ddof=1) / np.sqrt(30)
            assert pairs.lenient_sem[row, column] == pytest.approx(error)


def test_threads_do_not_change_the_scores_but_the_seed_does_and_one_game_has_no_error():
    one, many = (cross_play(NAMES, games=2_500, seed=1, threads=threads) for threads in (1, 4))

    np.testing.assert_array_equal(one.lenient, many.lenient)
    np.testing.assert_array_equal(one.strict_sem, many.strict_sem)
    assert cross_play(["iggi"], 50, seed=1).lenient != cross_play(["iggi"], 50, seed=2).lenient
    assert np.isnan(cross_play(["iggi"], games=1, seed=0).lenient_sem).all()
    with pytest.raises(HoadError, match="igi"):
        cross_play(["igi"], 1, 0)


def test_text_and_rows_have_every_pair_and_mean():
    pairs = cross_play(NAMES, games=10, seed=0)

    text = to_text(report(pairs))

    assert all(name in text for name in NAMES)
    assert all(f"{mean:.2f}" in text for mean in pairs.strict.flat)
    rows, ordered = report(pairs).rows, [(one, other) for one in NAMES for other in NAMES]
    assert [(row["first"], row["second"]) for row in rows] == ordered
    assert rows[1]["strict"] == pytest.approx(pairs.strict[0, 1], rel=1e-5)


def test_agents_that_are_not_fair_are_marked_and_cells_show_the_95_percent_interval():
    pairs = cross_play(["iggi", "cheatbot"], games=2, seed=0)

    assert pairs.labels == ("iggi", "cheatbot*")
    assert "* sees its own hand" in to_text(report(pairs))
    pairs = cross_play(["iggi"], games=50, seed=0)
    assert "*" not in to_text(report(pairs))
    # 97.5 % quantile of t with 49 degrees of freedom: 2.00958.
    width = 2.00958 * pairs.strict_sem.item()
    assert pairs.cell("strict", 0, 0) == f"{pairs.strict.item():.2f} ± {width:.2f}"


def test_a_page_says_how_it_was_made(tmp_path):
    lists = ("iggi", "flawed")
    page = cross_play_page(lists, games=10, seed=3, threads=1, players=3)

    write_report(page, tmp_path)

    facts = json.loads((tmp_path / "results.json").read_text())
    assert (facts["players"], facts["seed"]) == (3, 3)
    assert facts["made_with"]["commit"]
    assert facts["lenient"] == cross_play(lists, 10, seed=3, players=3).lenient.tolist()
    assert (tmp_path / "cross_play.png").stat().st_size > 1_000


AGENTS = ("iggi", "piers", "simplebot")


def test_rows_are_games_and_columns_are_moves() -> None:
    equal = measure_similarity(AGENTS, 20, seed=4).equal

    piers = get_agent("piers")
    logs = play([piers, piers], 20, other_seed(4, Purpose.PARTNER))
    for column, name in enumerate(AGENTS):
        probability = move_probabilities(get_agent(name), logs).mean()
        assert equal[1, column] == pytest.approx(probability)
    assert (np.diag(equal) == equal.max(axis=1)).all()
    assert equal[2, 2] == 1  # simplebot draws no random move
    assert measure_similarity(AGENTS, 20, 4, threads=2).equal.tolist() == equal.tolist()


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run_here("evaluate.py", "similarity", "iggi", "piers", "--games", 5, "--out", out)

    assert done.returncode == 0, done.stderr
    assert {"report.md", "similarity.png", "results.csv"} <= {path.name for path in out.iterdir()}
    assert len((out / "results.csv").read_text().splitlines()) == 1 + 4
