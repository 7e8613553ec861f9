import csv
import json
from pathlib import Path

import pytest

from hoad.evaluation.behaviour_report import (
    COLUMNS,
    as_csv,
    as_mapping,
    behaviour_page,
    write_behaviour_report,
)
from hoad.evaluation.behaviour_table import (
    BehaviourTable,
    behaviour_table,
    features_with_partners,
)
from hoad.evaluation.report.output import plain_json
from hoad.evaluation.report.page import blocks_to_text

NAMES = ("iggi", "cheatbot", "flawed")
PNG = b"\x89PNG\r\n"


@pytest.fixture(scope="module")
def table() -> BehaviourTable:
    return behaviour_table(NAMES, games=30, self_play_games=40, seed=7)


def test_the_folder_holds_page_figures_json_and_csv(table: BehaviourTable, tmp_path: Path):
    folder = tmp_path / "agents"

    page = write_behaviour_report(table, {"commit": "abc", "command": "evaluate.py"}, folder)

    assert page == folder / "report.md"
    text = page.read_text()
    for word in ("| commit | abc |", "| seed | 7 |", "wall time", "| command | evaluate.py |"):
        assert word in text
    for name in ("behaviour.png", "cross_play.png"):
        assert f"({name})" in text
        assert (folder / name).read_bytes().startswith(PNG)
    assert json.loads((folder / "results.json").read_text())["made_with"]["commit"] == "abc"
    assert (folder / "results.csv").read_text() == as_csv(table)


def test_the_page_shows_here_published_and_difference(table: BehaviourTable):
    hints = features_with_partners(table.pairs)[0, 2, 0]

    text = blocks_to_text(list(behaviour_page(table)))

    assert f"{hints:.2f} / 0.46 / {hints - 0.46:+z.2f}" in text
    assert "Canaan et al. 2022, table I," in text
    assert "Canaan et al. 2022, table II," in text
    assert "Why they differ" in text


def test_who_is_not_fair_is_marked(table: BehaviourTable):
    text = blocks_to_text(list(behaviour_page(table)))

    assert "cheatbot*" in text
    assert "iggi*" not in text
    assert "* sees its own hand" in text


def test_an_agent_that_plays_no_card_has_no_information_per_play():
    silent = behaviour_table(("forgiving",), games=3, self_play_games=2, seed=0)

    text = blocks_to_text(list(behaviour_page(silent)))

    assert "[1] forgiving" in text
    assert "nan" not in text
    assert json.loads(plain_json(as_mapping(silent)))["features"]["information_per_play"] == [
        [None]
    ]


def test_agents_of_whom_nothing_is_published_have_their_own_figures_only():
    unknown = behaviour_table(("rules:8,39", "legal-random"), games=2, self_play_games=2, seed=0)

    text = blocks_to_text(list(behaviour_page(unknown)))

    assert "[1] rules:8,39" in text
    assert "Beside" not in text
    assert "Why they differ" not in text
    assert "original programs" not in text


def test_csv_has_a_line_for_every_agent_with_every_partner(table: BehaviourTable):
    heading, *rows = csv.reader(as_csv(table).splitlines())

    assert tuple(heading) == COLUMNS
    assert [row[:2] for row in rows] == [[a, b] for a in NAMES for b in NAMES]
    line = dict(zip(heading, rows[2], strict=True))
    features = features_with_partners(table.pairs)[0, 2]
    assert float(line["communicativeness"]) == pytest.approx(features[0], rel=1e-5)
    assert float(line["information_per_play"]) == pytest.approx(features[1], rel=1e-5)
    assert float(line["lenient"]) == pytest.approx(table.pairs.lenient[0, 2], rel=1e-5)


def test_json_says_all_that_the_page_shows(table: BehaviourTable):
    found = json.loads(plain_json(as_mapping(table)))

    assert found["cross_play"]["agents"] == list(NAMES)
    assert found["cross_play"]["fair"] == [True, False, True]
    assert set(found["features"]) == {"communicativeness", "information_per_play"}
    canaan = found["beside_canaan"]["communicativeness"]
    assert canaan["agents"] == ["iggi", "flawed"]
    assert canaan["published"] == [[0.50, 0.46, 0.51], [0.28, 0.06, 0.08]]
    assert found["beside_thesis"]["published"] == [[16.2]]
    scores = [(one["agent"], one["score"]) for one in found["self_play"]]
    assert scores == [(name, score) for name in NAMES for score in ("lenient", "strict")]
