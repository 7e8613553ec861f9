"""Behaviour of agents, and of the players of recorded games."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hoad
from hoad.agents import get_agent, play
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.core.errors import HoadError
from hoad.game.log import join_logs
from hoad.replay.dataset import make_dataset, write_dataset
from hoad.reports.output import plain_json, write_report
from hoad.reports.page import Table, to_text
from hoad.reports.published import ORIGINAL_SELF_PLAY
from hoad.studies.behaviour import (
    AgentsResult,
    compare_with_originals,
    features_with_partners,
    measure_behaviour,
    report,
)
from hoad.studies.crossplay import cross_play
from hoad.studies.recorded_behaviour import measure_recorded
from hoad.studies.recorded_behaviour import report as report_recorded
from tests.scripts import run_here

NAMES = ("iggi", "cheatbot", "flawed")
PNG = b"\x89PNG\r\n"


@pytest.fixture(scope="module")
def result() -> AgentsResult:
    result = measure_behaviour(NAMES, games=30, self_play_games=40, seed=7)
    return replace(result, made_with={"commit": "abc", "command": "evaluate.py"})


def counts_of(first: str, second: str, games: int, seed: int) -> np.ndarray:
    """The behaviour of each seat, summed over the games."""
    return count_behaviour(play([get_agent(first), get_agent(second)], games, seed)).sum(0)


def test_an_agent_s_features_with_a_partner_are_those_of_both_its_seats(result: AgentsResult):
    features = features_with_partners(result.pairs)

    for row, agent in enumerate(NAMES):
        for column, partner in enumerate(NAMES):
            moving_first = counts_of(agent, partner, 30, seed=7)[0]
            moving_second = counts_of(partner, agent, 30, seed=7)[1]
            expected = features_of(moving_first + moving_second)
            np.testing.assert_array_equal(features[row, column], expected)
    blocks = cross_play(("iggi", "flawed"), games=1_200, seed=1, threads=2)
    np.testing.assert_array_equal(blocks.behaviour[0, 1], counts_of("iggi", "flawed", 1_200, 1))


def test_self_play_agrees_with_the_original_programs():
    names = ("simplebot", "iggi", "flawed")

    result = measure_behaviour(names, games=1, self_play_games=3_000, seed=5)

    comparisons = list(compare_with_originals(result.self_play))
    of_simplebot = [(one["agent"], one["score"]) for one in comparisons[:2]]
    assert of_simplebot == [("simplebot", "lenient"), ("simplebot", "strict")]
    assert {one["games"] for one in comparisons} == {3_000}
    assert max(abs(one["standard_errors"]) for one in comparisons) < 4


def test_a_difference_has_the_standard_error_of_the_difference():
    [one] = measure_behaviour(("iggi",), 1, self_play_games=500, seed=1).self_play

    lenient, _ = compare_with_originals([one])

    original = ORIGINAL_SELF_PLAY["iggi"]
    theirs = lenient["here_sem"] * np.sqrt(500 / original.games)
    expected = (lenient["here"] - original.lenient) / np.hypot(lenient["here_sem"], theirs)
    assert lenient["standard_errors"] == pytest.approx(expected)


def test_only_agents_with_originals_play_self_play_and_unknown_ones_are_refused():
    result = measure_behaviour(("legal-random", "iggi"), games=2, self_play_games=5, seed=0)

    assert [one.agents for one in result.self_play] == [("iggi",)]
    assert result.pairs.agents == ("legal-random", "iggi")
    with pytest.raises(HoadError, match="igi"):
        measure_behaviour(("igi",), 1, 1, 0)


def test_the_folder_holds_page_provenance_and_figures(result: AgentsResult, tmp_path: Path):
    page = write_report(report(result), tmp_path / "agents")

    text = page.read_text()
    for words in ("| commit | abc |", "| seed | 7 |", "wall time", "| command | evaluate.py |"):
        assert words in text
    for name in ("behaviour.png", "cross_play.png"):
        assert f"({name})" in text
        assert (page.parent / name).read_bytes().startswith(PNG)
    assert json.loads((page.parent / "results.json").read_text())["made_with"]["commit"] == "abc"
    with (page.parent / "results.csv").open() as file:
        heading = next(csv.reader(file))
    scores = ["lenient", "lenient_sem", "strict", "strict_sem"]
    features = ["communicativeness", "information_per_play"]
    assert heading == ["agent", "partner", *features, *scores, "games"]


def test_the_page_shows_here_published_and_difference_and_marks_who_is_not_fair(
    result: AgentsResult,
):
    hints = features_with_partners(result.pairs)[0, 2, 0]

    text = to_text(report(result))

    assert f"{hints:.2f} / 0.46 / {hints - 0.46:+z.2f}" in text
    iggi = next(line for line in text.splitlines() if line.startswith("iggi ") and "/" in line)
    of_partners, lowest_highest_mean = ["0.50", "0.46", "0.51"], ["0.46", "0.51", "0.49"]
    assert re.findall(r"/ (\S+) /", iggi) == of_partners + lowest_highest_mean
    assert "Canaan et al. 2022, table I," in text
    assert "Canaan et al. 2022, table II," in text
    assert "cheatbot*" in text and "iggi*" not in text
    assert "* sees its own hand" in text


def test_what_no_agent_has_or_nobody_has_published_is_not_shown():
    silent = report(measure_behaviour(("forgiving",), games=3, self_play_games=2, seed=0))
    unknown = report(measure_behaviour(("rules:8,39", "legal-random"), 2, 2, seed=0))

    text = to_text(silent)
    assert "[1] forgiving" in text
    assert "nan" not in text
    assert json.loads(plain_json(silent.facts))["features"]["information_per_play"] == [[None]]
    assert np.isnan(silent.rows[0]["information_per_play"])  # type: ignore[call-overload]
    text = to_text(unknown)
    assert "[1] rules:8,39" in text
    assert "ompared with" not in text
    assert unknown.facts["compared_with_thesis"]["agents"] == ()
    assert unknown.facts["self_play"] == []


def test_rows_and_json_have_all_that_the_page_shows(result: AgentsResult):
    rows, pairs = report(result).rows, [(a, b) for a in NAMES for b in NAMES]
    assert [(row["agent"], row["partner"]) for row in rows] == pairs
    features = features_with_partners(result.pairs)[0, 2]
    assert rows[2]["communicativeness"] == pytest.approx(features[0], rel=1e-5)
    assert rows[2]["information_per_play"] == pytest.approx(features[1], rel=1e-5)
    assert rows[2]["lenient"] == pytest.approx(result.pairs.lenient[0, 2], rel=1e-5)
    assert rows[2]["games"] == 30
    facts = json.loads(plain_json(report(result).facts))

    assert facts["cross_play"]["agents"] == list(NAMES)
    assert facts["cross_play"]["fair"] == [True, False, True]
    assert set(facts["features"]) == {"communicativeness", "information_per_play"}
    canaan = facts["compared_with_canaan"]["communicativeness"]
    assert canaan["agents"] == ["iggi", "flawed"]
    assert canaan["published"] == [[0.50, 0.46, 0.51], [0.28, 0.06, 0.08]]
    assert facts["compared_with_thesis"]["published"] == [[16.2]]
    scores = [(one["agent"], one["score"]) for one in facts["self_play"]]
    assert scores == [(name, score) for name in NAMES for score in ("lenient", "strict")]


IGGI, PIERS = "iggi", "piers"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of two players who change seats, and one in which the first plays with itself."""
    iggi, piers = get_agent(IGGI), get_agent(PIERS)
    games = [play(pair, 20, seed=3) for pair in ([iggi, piers], [piers, iggi])]
    names = [(IGGI, PIERS)] * 20 + [(PIERS, IGGI)] * 20
    path = tmp_path_factory.mktemp("games") / "both.h5"
    write_dataset(path, make_dataset(join_logs(games), names, {"source": "test"}, path))
    return path


def test_features_are_those_of_the_player_in_both_seats(path: Path) -> None:
    shown = measure_recorded([path]).shown

    counts = count_behaviour(hoad.read_games(path).logs)
    expected = counts[:20, 0].sum(0) + counts[20:, 1].sum(0)
    assert list(shown) == [(str(path), IGGI), (str(path), PIERS)]
    iggi = shown[str(path), IGGI]
    niche = ",".join(str(min(int(feature * 5), 4)) for feature in features_of(expected))
    assert (iggi.games, iggi.niche((5, 5))) == (40, niche)
    np.testing.assert_allclose(iggi.features, features_of(expected))
    turns = len(hoad.read_games(path).logs.actions)
    assert iggi.turns + shown[str(path), PIERS].turns == turns


def test_errors_shrink_with_the_root_of_the_games(tmp_path: Path) -> None:
    few, many = (hoad.record([IGGI], games, tmp_path / str(games))[0] for games in (100, 1600))

    errors = [measure_recorded([path]).shown[str(path), IGGI].errors for path in (few, many)]

    np.testing.assert_allclose(errors[0] / errors[1], 4, rtol=0.35)


def test_one_game_has_neither_interval_nor_deviation(tmp_path: Path) -> None:
    [path] = hoad.record([IGGI], 1, tmp_path)

    [table] = [
        block
        for block in report_recorded(measure_recorded([path])).blocks
        if isinstance(block, Table)
    ]

    cells = dict(zip(*table.rows, strict=True))
    assert cells["SD"] == "-" and "nan" not in " ".join(map(str, table.rows[1]))


def test_the_command_shows_niches_of_two_player_games(path: Path) -> None:
    done = run_here("evaluate.py", "behaviour", path)

    assert done.returncode == 0, done.stderr
    assert not re.search("^ *seed", done.stdout, re.MULTILINE)
    shown = measure_recorded([path]).shown
    for (_, name), one in shown.items():
        [line] = [line for line in done.stdout.splitlines() if f" {name} " in line]
        assert line.split()[-2:] == [one.niche((5, 5)), one.niche((20, 20))]
    [of_three] = hoad.record([IGGI], 3, path.parent / "three", players=3)
    with pytest.raises(HoadError, match="games of 3 players"):
        measure_recorded([of_three])
