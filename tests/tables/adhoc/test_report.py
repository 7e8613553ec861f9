"""The report on an ad-hoc table: one page, and the same numbers as JSON and CSV."""

import csv
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex

from hoad import adhoc_player
from hoad.agents import get_agent, play
from hoad.bayes import matchups
from hoad.core.recipe import check_recipe, load_recipe
from hoad.reports.output import csv_text, write_report
from hoad.reports.page import Heading, Strong, Table
from hoad.reports.statistics import SCORES
from hoad.reports.styles import COLOURS, NAMED_STYLES
from hoad.tables.adhoc.figures import (
    belief_figure,
    by_game_figure,
    distribution,
    drawn_by_game,
    from_the_best,
    noticed,
    score_figures,
)
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.report import _pairs_to_show, _what_was_played, adhoc_report
from hoad.tables.adhoc.table import AdhocResult, run_adhoc, table_rows
from hoad.tables.scores import ALL_PARTNERS
from tests.meta_models import save_meta_model
from tests.scripts import ROOT, run_here
from tests.studies.decks import note_decks

PNG = b"\x89PNG\r\n"
PLAYERS = ("random-partner", "naive", "generalist", "bayes-features", "oracle", "self-play")


def recipe_of(folder: Path, **changes: object) -> AdhocRecipe:
    values = {
        "partners": ["iggi", "outer"],
        "players": PLAYERS,
        "agents": ["piers", "iggi", "flawed"],
        "pool": ["piers", "flawed", "iggi", "internal"],
        "episodes": 6,
        "games_per_episode": 4,
        "trials": 2,
        "matchup_games": 10,
        "cross_play_games": 10,
        "seed": 3,
        "naive": {"hidden": [16], "batch_size": 64, "epochs": 2, "precision": "float32"},
        "out": str(folder / "results"),
    }
    return check_recipe(values | changes, AdhocRecipe, "test")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> AdhocResult:
    result = run_adhoc(recipe_of(tmp_path_factory.mktemp("adhoc")), threads=1)
    write_report(adhoc_report(result), result.recipe.out)
    return result


def page_of(result: AdhocResult) -> str:
    return (result.recipe.out / "report.md").read_text()


def tidy_rows(result: AdhocResult) -> list[dict[str, str]]:
    with (result.recipe.out / "results.csv").open() as file:
        return list(csv.DictReader(file))


def test_table_has_a_mean_with_interval_in_each_cell(made: AdhocResult) -> None:
    for score in SCORES:
        heading, *rows = table_rows(made, score)
        assert sorted(heading[1:]) == sorted(PLAYERS)
        assert [row[0] for row in rows] == ["iggi", "outer", ALL_PARTNERS]
        cells = [cell for row in rows for cell in row[1:]]
        assert all(re.fullmatch(r"\d+\.\d\d ± \d+\.\d\d( †)?", cell) for cell in cells)


def test_the_best_of_each_row_stands_out(
    made: AdhocResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    heading, *rows = table_rows(made, "strict")

    competing = [player for player in PLAYERS if player not in ("self-play", "oracle")]
    assert heading[1 : 1 + len(competing)] == competing
    for name, *cells in rows:
        means = {p: made.table.over_repetitions(name, p, "strict").mean for p in competing}
        strong = [
            player
            for player, cell in zip(heading[1:], cells, strict=True)
            if isinstance(cell, Strong)
        ]
        assert strong == [max(competing, key=means.__getitem__)]
        close = made.table.best(name, competing, "strict")[1]
        assert {p for p, c in zip(heading[1:], cells, strict=True) if "†" in c} == close
    monkeypatch.setattr("hoad.tables.adhoc.table.MOST_SIDE_BY_SIDE", 2)  # many are in rows
    columns = zip(heading, *rows, strict=True)
    assert table_rows(made, "strict") == [list(column) for column in columns]


def test_report_has_figures(made: AdhocResult) -> None:
    folder = made.recipe.out
    for name in ("means", "players", "distributions", "by_game", "cross_play", "beliefs"):
        assert (folder / f"{name}.png").read_bytes().startswith(PNG)
        assert f"({name}.png)" in page_of(made)
    page = (folder / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 6
    for word in ("commit", "wall time", "Sarmasi 2022, table 3.3"):
        assert word in page


def test_the_command_in_the_report_makes_a_row_again(made: AdhocResult, tmp_path: Path) -> None:
    [line] = re.findall(r"^python (evaluate\.py adhoc .*)$", page_of(made), re.MULTILINE)
    script, *words = shlex.split(line)
    words[words.index("--out") + 1] = str(tmp_path)

    result = run_here(script, *words)

    assert result.returncode == 0, result.stderr
    rows = [
        row for row in tidy_rows(made) if row["partner"] == words[words.index("--partners") + 1]
    ]
    assert len(rows) == len(PLAYERS) * 2 * 3
    assert (tmp_path / "results.csv").read_text() == csv_text(rows)


def test_many_players_have_rows_in_a_figure(
    made: AdhocResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoad.tables.adhoc.figures.MOST_SIDE_BY_SIDE", 2)

    figures = {figure.name: figure for figure in score_figures(made)}

    assert list(figures) == ["means.png", "players_strict.png"]
    [whole] = figures["means.png"].draw().axes
    competing = [one[0].get_xdata()[0] for one in whole.containers][: len(made.competing)]
    assert competing == sorted(competing, reverse=True)
    axes = figures["players_strict.png"].draw().axes
    assert [one.get_title() for one in axes] == [ALL_PARTNERS, "iggi", "outer"]
    rows = [label.get_text() for label in axes[0].get_yticklabels()]
    assert rows == [*made.competing, *made.knowing]
    assert made.knowing == ["oracle", "self-play"]
    means = [made.table.over_repetitions("outer", row, "strict").mean for row in rows]
    assert [one[0].get_xdata()[0] for one in axes[2].containers] == pytest.approx(means)


def test_curves_by_game_show_few_players_that_look_as_in_all_figures(
    made: AdhocResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoad.tables.adhoc.figures.MOST_CURVES", 3)

    figure = by_game_figure(made)

    drawn = drawn_by_game(made)
    assert len(drawn) == 3 and {"random-partner", "self-play"} <= {*drawn}
    assert "3 of 6 players" in figure.caption
    for axes in figure.draw().axes:
        assert [line.get_label() for line in axes.lines] == drawn
        for line in axes.lines:
            colour, marker = NAMED_STYLES[str(line.get_label())]
            assert (to_hex(line.get_color()), line.get_marker()) == (
                COLOURS[colour].lower(),
                marker,
            )


def test_lost_games_and_the_scores_of_the_others_are_shown(made: AdhocResult) -> None:
    table = next(block for block in distribution(made) if isinstance(block, Table))

    heading, *rows = table.rows
    assert heading == ["player", "lost games", "10%", "50%", "90%"]
    assert [row[0] for row in rows] == from_the_best(made)
    for player, lost, *quantiles in rows:
        strict = np.concatenate([cell.episodes.strict.ravel() for cell in made.cells_of(player)])
        assert lost.split()[0] == f"{100 * (strict == 0).mean():.1f}"
        expected = ["-"] * 3
        if strict.any():
            expected = [
                f"{value:.0f}" for value in np.quantile(strict[strict > 0], [0.1, 0.5, 0.9])
            ]
        assert quantiles == expected


def test_the_best_player_and_its_variant_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoad.tables.adhoc.report.MOST_SIDE_BY_SIDE", 2)  # many are compared less
    players = ["search", "search+elites", "piers"]
    table = SimpleNamespace(players=players, best=lambda *_: ("search", 20.0))
    result: Any = SimpleNamespace(table=table, competing=players, overall=ALL_PARTNERS)

    assert _pairs_to_show(result) == [("search", "search+elites"), ("search", "piers")]


def test_hypotheses_that_no_player_notices_are_summed() -> None:
    one = np.array([[0.25, 0.25, 0.25, 0.25], [0.01, 0.9, 0.05, 0.04]])
    other = np.array([[0.25, 0.25, 0.25, 0.25], [0.8, 0.1, 0.06, 0.04]])

    names, beliefs = noticed(("elite:pool/0,1", "b", "c", "d"), {"one": one, "other": other})

    assert names == ["elite 0,1", "b", "2 others"]
    np.testing.assert_allclose(beliefs["one"], [[0.25, 0.01], [0.25, 0.9], [0.5, 0.09]])


def test_a_figure_has_a_heading_of_its_own_and_few_games_of_cross_play_have_none(
    made: AdhocResult,
) -> None:
    recipe = made.recipe.model_copy(update={"figures": False})
    few_games = replace(made.cross_play, games=made.cross_play.games - 1)

    page = adhoc_report(replace(made, recipe=recipe))

    assert not page.figures
    without, whole, few = (
        {block.text for block in page.blocks if isinstance(block, Heading)}
        for page in (page, adhoc_report(made), adhoc_report(replace(made, cross_play=few_games)))
    )
    assert "By seat" in without and not without & {"Score by game number", "Cross-play"}
    assert whole - few == {"Cross-play"}
    [figure] = belief_figure(made)
    about_iggi, about_outer, _ = figure.draw().axes
    assert about_iggi.get_title() == about_outer.get_title() == "bayes-features"
    assert about_iggi.get_ylabel() == "about iggi" and about_outer.get_ylabel() == "about outer"


def test_csv_and_page_have_the_same_numbers(made: AdhocResult) -> None:
    results = json.loads((made.recipe.out / "results.json").read_text())
    rows = tidy_rows(made)

    assert len(rows) == 3 * len(PLAYERS) * 2 * 3
    assert "rows" not in results
    iggi = made.table.over_repetitions("iggi", "bayes-features", "strict")
    assert f"{iggi.mean:.2f}\u00a0±\u00a0{iggi.half_width:.2f}" in page_of(made)
    assert results["recipe"]["seed"] == 3
    beliefs = {(one["partner"], one["player"]) for one in results["beliefs"]}
    assert beliefs == {(name, "bayes-features") for name in ("iggi", "outer")}
    for row in rows:
        partners = 2 if row["partner"] == ALL_PARTNERS else 1
        assert int(row["games"]) == partners * (24 if row["seat"] == "both" else 12)
    counts = {row["player"]: int(row["repetitions"]) for row in rows}
    assert (counts["naive"], counts["bayes-features"], counts["self-play"]) == (2, 6, 6)


def test_published_figures_are_compared_in_the_seat_that_they_used(made: AdhocResult) -> None:
    mean = made.table.over_repetitions("iggi", "naive", "strict", "partner first").mean

    start = "| iggi | naive | strict, partner first |"
    line = next(line for line in page_of(made).splitlines() if line.startswith(start))
    assert f"| {mean:.2f}\u00a0±\u00a0" in line
    assert "| 2.5 |" in line


def test_new_names_are_compared_with_the_same_published_figures(made: AdhocResult) -> None:
    table = made.recipe.model_copy(update={"players": ("bayes-features",)})
    renamed = run_adhoc(table, threads=1, resume=True)

    sources = [
        {one["source"] for one in adhoc_report(result).facts["published"] if "IV" in one["source"]}
        for result in (made, renamed)
    ]
    assert sources[0] == sources[1] != set()


@pytest.mark.parametrize(
    ("partners", "rows"),
    [
        (("iggi",), ["iggi"]),
        (("iggi", "flawed"), ["iggi", "flawed", ALL_PARTNERS]),
        (("iggi", "outer"), ["iggi", "outer", ALL_PARTNERS]),
        (("iggi", "outer", "flawed"), ["iggi", "outer", "flawed", ALL_PARTNERS, "all but flawed"]),
    ],
)
def test_a_second_mean_leaves_partners_out_and_means_over_one_are_not_shown(
    tmp_path: Path, partners, rows
) -> None:
    keys = {"players": ["piers"], "partners": partners, "mean_without": ["flawed"]}

    table = run_adhoc(recipe_of(tmp_path, **keys), threads=1).table

    assert list(table.rows) == rows
    if len(partners) == 3:
        means = [table.over_repetitions(row, "piers", "lenient").mean for row in rows]
        assert means[3] == pytest.approx(sum(means[:3]) / 3)
        assert means[4] == pytest.approx((means[0] + means[1]) / 2)


def test_the_table_does_not_depend_on_threads(tmp_path: Path) -> None:
    players = ("naive", "random-partner", "bayes-features", "imitator:simplebot", "imitator:piers")

    one, other = (
        adhoc_report(run_adhoc(recipe_of(tmp_path / str(threads), players=players), threads)).rows
        for threads in (1, 3)
    )

    assert one == other


@pytest.mark.parametrize(
    ("player", "learns"),
    [
        ("low-shot", adhoc_player),
        ("naive", adhoc_player),
        ("nearest", adhoc_player),
        ("bayes-features", matchups),
        ("oracle", matchups),
    ],
)
def test_no_player_learns_from_games_of_the_table(player, learns, own_checkpoints, monkeypatch):
    save_meta_model(own_checkpoints, "iggi")
    learned_from = note_decks(monkeypatch, learns, "play")
    of_the_table = note_decks(monkeypatch, adhoc_player, "play_numbered")

    run_adhoc(recipe_of(own_checkpoints, players=[player], partners=["iggi"]), threads=1)

    assert learned_from
    assert len(of_the_table) == 6 * 4
    assert not learned_from & of_the_table


def test_the_table_is_on_other_decks_than_recordings_of_its_seed(tmp_path, monkeypatch):
    recipe = recipe_of(tmp_path, players=["self-play"], partners=["iggi"], seed=4)
    iggi = get_agent("iggi")
    recorded = play([iggi, iggi], recipe.episodes * recipe.games_per_episode, recipe.seed)
    of_the_table = note_decks(monkeypatch, adhoc_player, "play_numbered")

    run_adhoc(recipe, threads=1)

    assert len(of_the_table) == len(recorded.decks)
    assert not of_the_table & {deck.tobytes() for deck in recorded.decks}


def test_report_shows_the_training_of_the_meta_models(checkpoints: Path) -> None:
    recipe = recipe_of(checkpoints, players=["zero-shot", "low-shot@2"], partners=["iggi"])

    report = adhoc_report(run_adhoc(recipe, threads=1))

    [figure] = [figure for figure in report.figures if figure.name == "training.png"]
    assert "the agent itself" in figure.caption
    page = write_report(report, recipe.out).read_text()
    assert "| maml:iggi | 2, 16 to 16 wide |" in page
    assert (recipe.out / "training.png").stat().st_size > 10_000
    assert report.facts["meta_training"]["iggi"]["metadata"]["step"] <= 4
    np.testing.assert_array_equal(
        report.facts["meta_training"]["iggi"]["curves"]["held-out/zero-shot accuracy"][0], [2, 4]
    )


def test_low_shot_is_compared_with_each_other_player_by_partner(checkpoints: Path) -> None:
    players = ["zero-shot", "low-shot", "self-play"]
    recipe = recipe_of(checkpoints / "gains", players=players, partners=["iggi"])
    result = run_adhoc(recipe, threads=1)

    blocks = adhoc_report(result).blocks

    [table] = [b.rows for b in blocks if isinstance(b, Table) and b.rows[0][0] == "low-shot minus"]
    assert [row[0] for row in table[1:]] == ["zero-shot", "self-play"]
    scores = [result.table.over_repetitions("iggi", player, "strict") for player in players]
    assert table[1][1].startswith(f"{scores[1].mean - scores[0].mean:+.2f} ±")


OWN = """
from hoad import AdhocLearner, get_agent
from hoad.agents import PlainAgent

class Oldest(PlainAgent):
    name = "oldest first"
    def choose(self, view):
        return "play 0"

class Piers(AdhocLearner):
    name = "always piers"
    def agent(self):
        return get_agent("piers")
"""


def test_own_agents_and_players_are_shown_with_their_titles(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    agent, player = (f"python:{tmp_path / 'own.py'}:{name}" for name in ("Oldest", "Piers"))
    partners, players = ["iggi", agent], [player, "random-partner"]
    small = {"episodes": 2, "games_per_episode": 2, "trials": 1, "cross_play_games": 2}
    changes = {"partners": partners, "players": players, "pool": [], "support_games": 0, **small}
    result = run_adhoc(recipe_of(tmp_path, **changes), threads=1)

    heading, *rows = table_rows(result, "strict")

    assert heading == ["strict score", f"always piers ({player})", "random-partner"]
    assert [row[0] for row in rows] == ["iggi", f"oldest first ({agent})", ALL_PARTNERS]
    means, side_by_side = (figure.draw() for figure in score_figures(result))
    assert f"always piers ({player})" in [t.get_text() for t in means.axes[0].get_yticklabels()]
    labels = [t.get_text() for axes in side_by_side.axes for t in axes.get_xticklabels()]
    assert f"oldest first ({agent})" in labels
    assert {row["partner"] for row in adhoc_report(result).rows} == {*partners, ALL_PARTNERS}


@pytest.mark.parametrize("name", ["agents", "controls", "search-family"])
def test_published_pages_say_what_their_recipes_play(name: str) -> None:
    recipe = load_recipe(ROOT / f"results/adhoc-{name}.toml", AdhocRecipe)

    played = _what_was_played(recipe)

    assert f"\n{played.text}\n" in (ROOT / recipe.out / "report.md").read_text()
