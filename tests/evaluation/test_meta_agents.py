"""Tables of meta-agents: small ones of named agents, and the published one."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from hoad.adhoc import matchups, session
from hoad.adhoc.bayes import response
from hoad.adhoc.bayes.meta_agent import adaptive, certain
from hoad.adhoc.matchup_files import match_ups_path
from hoad.adhoc.matchups import play_match_ups
from hoad.adhoc.seeds import TABLE, other_seed
from hoad.adhoc.session import play_session
from hoad.agents import get_agent
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe, load_recipe
from hoad.evaluation.meta_agents_numbers import (
    as_csv,
    as_mapping,
    beside_published,
    estimation_errors,
    finding,
)
from hoad.evaluation.meta_agents_recipe import MetaAgentsRecipe
from hoad.evaluation.meta_agents_report import write_meta_agents_report
from hoad.evaluation.meta_agents_run import MetaAgentsResult, run_meta_agents
from hoad.evaluation.meta_agents_table import MetaAgentTable, MetaCell, PoolBeliefs
from hoad.evaluation.report.output import plain_json
from tests.evaluation.decks import note_decks

ROOT = Path(__file__).parents[2]
POOLS = {"a": ("iggi", "flawed", "internal"), "b": ("piers", "flawed")}
PLAYERS = (
    "oracle",
    "adaptive",
    "most-likely",
    "likelihood",
    "likelihood-in-game",
    "generalist",
    "random-response",
)
EPISODES, GAMES = 6, 4


def small_recipe(folder: Path, **changes: object) -> MetaAgentsRecipe:
    values = {
        "pools": [{"name": name, "agents": agents} for name, agents in POOLS.items()],
        "players": PLAYERS,
        "episodes": EPISODES,
        "games_per_episode": GAMES,
        "matchup_games": 30,
        "seed": 5,
        "out": str(folder),
    }
    return check_recipe(values | changes, MetaAgentsRecipe, "recipe.toml")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> MetaAgentsResult:
    folder = tmp_path_factory.mktemp("meta-agents")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOAD_CHECKPOINTS", str(folder))
        result = run_meta_agents(small_recipe(folder), threads=1)
        write_meta_agents_report(result)
    return result


def test_cells_are_sessions_with_each_partner(made):
    match_ups = play_match_ups(POOLS["a"], 30)
    seed = other_seed(5, TABLE)
    for index, name in enumerate(POOLS["b"]):
        session = play_session(adaptive(match_ups), get_agent(name), EPISODES, GAMES, seed)
        cell = made.table.cells[0, 1, "adaptive"]
        np.testing.assert_array_equal(cell.lenient[index], session.lenient)
        np.testing.assert_array_equal(cell.strict[index], session.strict)


def test_oracle_knows_partners_of_its_pool_and_of_others(made):
    """Flawed is in both pools; for piers, which is not in the first, games are played."""
    match_ups, seed = play_match_ups(POOLS["a"], 30), other_seed(5, TABLE)

    known = play_session(certain(match_ups, 1), get_agent("flawed"), EPISODES, GAMES, seed)

    for met, index in ((0, 1), (1, 1)):
        cell = made.table.cells[0, met, "oracle"]
        np.testing.assert_array_equal(cell.lenient[index], known.lenient)
    assert made.table.cells[0, 1, "oracle"].lenient[0].mean() > 10


@pytest.mark.parametrize("learns", [matchups, response])
def test_no_meta_agent_learns_from_games_of_the_table(learns, tmp_path, monkeypatch):
    """The oracle plays with piers of the other pool to learn what is best with it."""
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    learned_from = note_decks(monkeypatch, learns, "play")
    of_the_table = note_decks(monkeypatch, session, "play_numbered")

    run_meta_agents(small_recipe(tmp_path, players=["oracle"], seed=0), threads=1)

    assert len(learned_from) == 30
    assert len(of_the_table) == EPISODES * GAMES
    assert not learned_from & of_the_table


def test_meta_agents_may_always_move_first(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    result = run_meta_agents(small_recipe(tmp_path, seats="first", players=["generalist"]), 1)
    match_ups = play_match_ups(POOLS["a"], 30)
    best = get_agent(POOLS["a"][int(match_ups.scores(0).mean(1).argmax())])

    from hoad.adhoc.player import Fixed

    partner, seed = get_agent("piers"), other_seed(5, TABLE)
    alone = play_session(Fixed("best", best), partner, EPISODES, GAMES, seed, seat=0)
    np.testing.assert_array_equal(result.table.cells[0, 1, "generalist"].lenient[0], alone.lenient)


def test_table_does_not_depend_on_threads(made, tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    again = run_meta_agents(small_recipe(tmp_path), threads=3)

    for key, cell in made.table.cells.items():
        np.testing.assert_array_equal(cell.lenient, again.table.cells[key].lenient)


def test_match_ups_are_kept_for_the_next_table(made, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(made.recipe.out))

    for agents in POOLS.values():
        assert match_ups_path(agents, 30).is_file()


def test_report_json_and_csv_have_the_same_numbers(made):
    folder = made.recipe.out
    results = json.loads((folder / "results.json").read_text())
    rows = list(csv.DictReader((folder / "results.csv").open()))

    assert len(results["cells"]) == 2 * 2 * len(PLAYERS)
    assert len(rows) == 2 * (3 + 2) * len(PLAYERS)
    page = (folder / "report.md").read_text()
    for cell in results["cells"]:
        key = {name: cell[name] for name in ("trained_on", "met", "player")}
        partners = [float(row["lenient"]) for row in rows if key.items() <= row.items()]
        found = cell["lenient"]
        assert np.mean(partners) == pytest.approx(found["mean"], abs=1e-4)
        assert f"{found['mean']:.2f} ± {found['half_width']:.2f}" in page
    assert "(by_game.png)" in page
    assert (folder / "by_game.png").is_file()


def test_beliefs_find_the_partners_of_their_pool(made):
    for player in ("adaptive", "likelihood", "likelihood-in-game"):
        beliefs = made.table.cells[0, 0, player].beliefs
        assert beliefs is not None
        found = finding(beliefs)
        assert found.belief[0] == pytest.approx(1 / 3)
        assert found.found[0] == 0
        assert found.belief[-1] > 0.5
    stranger = made.table.cells[0, 1, "adaptive"].beliefs
    assert stranger is not None
    assert np.isnan(stranger.in_partner[0]).all()
    assert not np.isnan(stranger.in_partner[1]).any()


def beliefs_that_found(found: list[list[int]]) -> PoolBeliefs:
    array = np.array([found], dtype=np.float64)
    nothing = np.zeros((1, array.shape[2], 1))
    return PoolBeliefs(nothing, nothing, array, array, np.zeros((1, len(found), 2)))


def test_partner_is_found_from_the_game_on_after_which_nobody_else_is_as_likely():
    finds = finding(
        beliefs_that_found([[0, 1, 0, 1], [0, 1, 1, 1], [0, 1, 1, 0], [0, 0, 1, 1], [0, 1, 1, 1]])
    )

    assert finds.found == pytest.approx([0, 0.8, 0.8, 0.8])
    assert finds.ever == pytest.approx(0.8)
    assert finds.soon == 2.5


def table_of(**means: float) -> MetaAgentTable:
    cells = {
        (0, 0, player.replace("_", "-")): MetaCell(
            np.full((2, 3, 4), mean), np.full((2, 3, 4), mean), None
        )
        for player, mean in means.items()
    }
    return MetaAgentTable(("a",), tuple(player for *_, player in cells), cells)


def test_gap_is_measured_from_generalist_to_oracle():
    table = table_of(generalist=10.0, oracle=14.0, adaptive=13.0, random_response=8.0)

    found = [table.gap_covered(player) for player in table.players]

    assert found == pytest.approx([0, 1, 0.75, -0.5])


def test_without_oracle_there_is_no_gap():
    assert np.isnan(table_of(generalist=10.0, adaptive=11.0).gap_covered("adaptive"))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"players": ["oracel"]}, "oracel"),
        ({"players": ["oracle", "oracle"]}, "players names somebody twice"),
        ({"pools": [{"name": "a"}]}, "pool a has neither a population nor agents"),
        ({"published_match_ups": "x.csv"}, 'seats = "first"'),
        ({"beside": "canaan-2022"}, "three published populations"),
    ],
)
def test_recipes_that_cannot_be_meant_are_refused(changes, named, tmp_path):
    with pytest.raises(HoadError, match=named):
        small_recipe(tmp_path, **changes)


def test_niche_needs_populations(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    with pytest.raises(HoadError, match="no niche"):
        run_meta_agents(small_recipe(tmp_path, players=["niche"]), threads=1)


def test_a_belief_about_nobody_is_refused(tmp_path):
    with pytest.raises(HoadError, match=r"belief_about = 'igi': .*choose from .*iggi"):
        run_meta_agents(small_recipe(tmp_path, belief_about="igi"), threads=1)


@pytest.fixture(scope="module")
def published_table(reference, tmp_path_factory) -> MetaAgentsResult:
    folder = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOAD_REFERENCE", str(reference))
        patch.setenv("HOAD_CHECKPOINTS", str(folder))
        recipe = load_recipe(ROOT / "results" / "meta-agents.toml", MetaAgentsRecipe)
        fewer = {
            "episodes": 20,
            "matchup_games": 60,
            "players": ("oracle", "adaptive", "niche", "generalist", "random-response"),
            "out": folder,
        }
        result = run_meta_agents(recipe.model_copy(update=fewer), threads=2)
        write_meta_agents_report(result)
    return result


def test_published_populations_give_the_published_table(published_table):
    """Canaan et al. 2022, table IV: 20 episodes here, 200 there."""
    beside = beside_published(published_table)

    assert len(beside) == 36
    assert all(cell.agrees for cell in beside.values())
    differences = np.array([cell.difference for cell in beside.values()])
    assert differences.mean() == pytest.approx(0, abs=0.15)
    assert np.abs(differences).max() < 0.4


def test_published_match_ups_agree_but_for_games_that_are_ended(published_table):
    for check in published_table.checks:
        for (what, group, quantity), found in check.differences.items():
            if group == "rules 78 to 82" and what == "published":
                continue
            assert found.spread_z < 1.3
            assert abs(found.mean_difference) < (0.4 if quantity == "score" else 0.02)


def test_partners_that_act_differently_are_listed_apart(published_table):
    page = (published_table.recipe.out / "report.md").read_text()

    for label in ("1: 2,4", "1: 3,1", "2: 2,4", "2: 4,1", "3: 4,0", "3: 4,1"):
        assert f"| {label} |" in page
    assert "belief_adaptive.png" in page
    assert "responses.png" in page


def test_niche_estimates_what_it_sees_and_not_what_partners_do_in_self_play(published_table):
    errors = estimation_errors(published_table, 0, 0)

    page = (published_table.recipe.out / "report.md").read_text()
    assert "How far off the estimated features are" in page
    assert (errors[0] > 0.05).all()
    assert (errors[0] < 0.4).all()


def test_what_is_written_is_plain_json(published_table):
    written = json.loads(plain_json(as_mapping(published_table)))

    assert written["cells"][0]["published"]["agrees"] is True
    assert len(list(csv.reader(io.StringIO(as_csv(published_table))))) == 1 + 45 * 22
