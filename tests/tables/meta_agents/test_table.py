"""Recipes and tables of meta-agents: small ones of named agents, and the published one."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hoad import adhoc_player
from hoad.adhoc_player import Fixed, play_episodes
from hoad.agents import get_agent
from hoad.agents.seeds import other_seed
from hoad.agents.wrappers import BySeat
from hoad.bayes import matchups
from hoad.bayes.belief import FixedBelief
from hoad.bayes.matchups import matchups_path, play_matchups
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.response import ExpectedBest
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe, load_recipe
from hoad.game.stream import Purpose
from hoad.reports.output import csv_text, plain_json, write_report
from hoad.reports.page import Report, to_markdown
from hoad.tables import engine
from hoad.tables.meta_agents.matchup_check import Measured, as_measured, compare, measure
from hoad.tables.meta_agents.recipe import MetaAgentsRecipe
from hoad.tables.meta_agents.report import meta_agents_report
from hoad.tables.meta_agents.table import MetaAgentsResult, Scenario, run_meta_agents
from tests.bayes.meta_agents import bayes_features
from tests.scripts import ROOT
from tests.studies.decks import note_decks

POOLS = {"a": ("iggi", "flawed", "internal"), "b": ("piers", "flawed")}
LEARNERS = ("bayes-features", "most-likely", "likelihood", "bayes-moves")
PLAYERS = ("oracle", *LEARNERS, "generalist", "random-response")
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
        write_report(meta_agents_report(result), result.recipe.out)
        for agents in POOLS.values():
            assert matchups_path(agents, 30).is_file()  # for the next table
    return result


def test_cells_are_episodes_with_each_partner(made):
    matchups = play_matchups(POOLS["a"], 30)
    seed = other_seed(5, Purpose.TABLE)
    for index, name in enumerate(POOLS["b"]):
        played = play_episodes(bayes_features(matchups), get_agent(name), EPISODES, GAMES, seed)
        cell = made.table.cells_of(Scenario(0, 1), "bayes-features")[index]
        np.testing.assert_array_equal(cell.episodes.lenient, played.lenient)
        np.testing.assert_array_equal(cell.episodes.strict, played.strict)


def test_oracle_knows_partners_of_its_pool_and_of_others(made):
    """Flawed is in both pools; for piers, which is not in the first, games are played."""
    matchups, seed = play_matchups(POOLS["a"], 30), other_seed(5, Purpose.TABLE)

    certain = MetaAgent("oracle", matchups, FixedBelief(np.eye(3)[1]), ExpectedBest(matchups))
    known = play_episodes(certain, get_agent("flawed"), EPISODES, GAMES, seed)

    for met, index in ((0, 1), (1, 1)):
        cell = made.table.cells_of(Scenario(0, met), "oracle")[index]
        np.testing.assert_array_equal(cell.episodes.lenient, known.lenient)
    assert made.table.cells_of(Scenario(0, 1), "oracle")[0].episodes.lenient.mean() > 10


def test_no_meta_agent_learns_from_games_of_the_table(own_checkpoints, monkeypatch):
    """The oracle plays matchups, and with piers of the other pool to learn what is best."""
    learned_from = note_decks(monkeypatch, matchups, "play")
    of_the_table = note_decks(monkeypatch, adhoc_player, "play_numbered")

    run_meta_agents(small_recipe(own_checkpoints, players=["oracle"], seed=0), threads=1)

    assert len(learned_from) == 30 + 30
    assert len(of_the_table) == EPISODES * GAMES
    assert not learned_from & of_the_table


def test_meta_agents_may_always_move_first(own_checkpoints):
    result = run_meta_agents(
        small_recipe(own_checkpoints, seats="first", players=["generalist"]), 1
    )
    matchups = play_matchups(POOLS["a"], 30)
    best = get_agent(POOLS["a"][int(matchups.scores(0).mean(1).argmax())])

    partner, seed = get_agent("piers"), other_seed(5, Purpose.TABLE)
    alone = play_episodes(Fixed("best", best), partner, EPISODES, GAMES, seed, seat=0)
    [cell, _] = result.table.cells_of(Scenario(0, 1), "generalist")
    np.testing.assert_array_equal(cell.episodes.lenient, alone.lenient)


def test_responses_may_be_other_agents_than_the_hypotheses(own_checkpoints):
    responses = ("piers", "simplebot", "flawed")
    pools = [{"name": name, "agents": agents} for name, agents in POOLS.items()]
    pools[0]["responses"] = responses
    players = ("oracle", "bayes-features", "bayes-moves")

    result = run_meta_agents(small_recipe(own_checkpoints, pools=pools, players=players), threads=1)

    scores = play_matchups(tuple(dict.fromkeys([*POOLS["a"], *responses])), 30)
    for seat in range(2):
        rows = [scores.agents.index(name) for name in responses]
        known = result.matchups[0].scores(seat)
        np.testing.assert_array_equal(known, scores.scores(seat)[np.ix_(rows, range(3))])
    for player in ("bayes-features", "bayes-moves"):
        beliefs = result.table.cells_of(Scenario(0, 0), player)[0].beliefs
        assert beliefs is not None
        assert beliefs.hypotheses == POOLS["a"]
    best = [
        get_agent(responses[int(known.argmax(0)[0])])
        for known in (result.matchups[0].scores(seat) for seat in range(2))
    ]
    iggi, seed = get_agent("iggi"), other_seed(5, Purpose.TABLE)
    played = play_episodes(Fixed("oracle", BySeat("oracle", *best)), iggi, EPISODES, GAMES, seed)
    oracle = result.table.cells_of(Scenario(0, 0), "oracle")[0]
    np.testing.assert_array_equal(oracle.episodes.lenient, played.lenient)
    page = to_markdown(meta_agents_report(result))
    assert "their responses are piers, simplebot, flawed" in page
    assert "Score of each player; mean over partners" in page  # no generalist to compare them with


def test_table_does_not_depend_on_threads(made, own_checkpoints):
    again = run_meta_agents(small_recipe(own_checkpoints), threads=3)

    assert made.cells.keys() == again.cells.keys()
    for key, cell in made.cells.items():
        np.testing.assert_array_equal(cell.episodes.lenient, again.cells[key].episodes.lenient)


def test_a_resumed_table_plays_nothing_again(made, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(made.recipe.out))
    monkeypatch.setattr(engine, "play_cell", None)

    again = run_meta_agents(made.recipe, threads=1, resume=True)

    assert meta_agents_report(again).rows == meta_agents_report(made).rows
    for scenario in made.own_pool:
        for player in made.learners:
            one, other = made.finding(scenario, player), again.finding(scenario, player)
            assert one is not None and other is not None
            np.testing.assert_array_equal(one.belief, other.belief)
    monkeypatch.setattr("hoad.tables.meta_agents.table.saved_matchups", None)
    with pytest.raises(HoadError, match="holds games already"):  # before matchups are played
        run_meta_agents(made.recipe, threads=1)


@pytest.mark.parametrize(
    "change", [{"evidence": "cumulative"}, {"evidence": "histograms"}, {"adapt_after": 4}]
)
def test_a_resumed_table_plays_what_learns_otherwise(made, monkeypatch, change):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(made.recipe.out))
    played = []
    original = engine.play_cell

    def play_cell(recipe, roster, key, *trial):
        played.append(key.player)
        return original(recipe, roster, key, *trial)

    monkeypatch.setattr(engine, "play_cell", play_cell)

    run_meta_agents(made.recipe.model_copy(update=change), 1, resume=True)

    assert set(played) == {"bayes-features", "most-likely"}


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
        assert f"{found['mean']:.2f}\u00a0±\u00a0{found['half_width']:.2f}" in page
    assert "(by_game.png)" in page
    assert (folder / "by_game.png").is_file()


def test_the_page_says_which_score_responses_maximise(made):
    strict = replace(made, recipe=made.recipe.model_copy(update={"score": "strict"}))

    pages = [to_markdown(meta_agents_report(result)) for result in (made, strict)]

    first = [page.split("\n\n")[1] for page in pages]
    assert ["strict score" in paragraph for paragraph in first] == [False, True]


def test_beliefs_find_the_partners_of_their_pool(made):
    for player in ("bayes-features", "likelihood", "bayes-moves"):
        finding = made.finding(Scenario(0, 0), player)
        assert finding.belief[0] == pytest.approx(1 / 3)
        assert finding.found[0] == 0
        assert finding.belief[-1] > 0.5
    piers, flawed = made.table.cells_of(Scenario(0, 1), "bayes-features")
    assert np.isnan(piers.beliefs.in_partner).all()
    assert not np.isnan(flawed.beliefs.in_partner).any()


def result_of(made, **means: float) -> MetaAgentsResult:
    """Return a result in which each player always has its mean score."""
    players = {player.replace("_", "-"): mean for player, mean in means.items()}
    cells = {}
    for key, cell in made.cells.items():
        for player, mean in players.items():
            scores = np.full_like(cell.episodes.lenient, mean)
            played = replace(cell.episodes, lenient=scores, strict=scores)
            cells[key._replace(player=player)] = replace(cell, episodes=played)
    recipe = made.recipe.model_copy(update={"players": tuple(players)})
    return replace(made, recipe=recipe, cells=cells)


def test_gap_is_measured_from_generalist_to_oracle(made):
    result = result_of(made, generalist=10, oracle=14, bayes_features=13, random_response=8)

    shares = [result.gap_covered(player) for player in result.recipe.players]

    assert shares == pytest.approx([0, 1, 0.75, -0.5])
    without_oracle = result_of(made, generalist=10, bayes_features=11)
    assert np.isnan(without_oracle.gap_covered("bayes-features"))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"players": ["niche"]}, "no niche"),
        ({"belief_about": "igi"}, r"belief_about = 'igi': .*choose from .*iggi"),
    ],
)
def test_what_the_pools_lack_is_refused(changes, complaint, own_checkpoints):
    with pytest.raises(HoadError, match=complaint):
        run_meta_agents(small_recipe(own_checkpoints, **changes), threads=1)


@pytest.mark.parametrize("player", ["naive", "generalist+elites", "niche+elites"])
def test_a_player_that_is_no_meta_agent_is_refused(player):
    with pytest.raises(HoadError, match="no meta-agent"):
        small_recipe(Path("table"), players=[player])


@pytest.fixture(scope="module")
def published(reference, tmp_path_factory) -> tuple[MetaAgentsResult, Report]:
    """The published table with fewer games, and the report that was written of it."""
    folder = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOAD_REFERENCE", str(reference))
        patch.setenv("HOAD_CHECKPOINTS", str(folder))
        recipe = load_recipe(ROOT / "results" / "meta-agents.toml", MetaAgentsRecipe)
        players = ("oracle", "bayes-features", "niche", "generalist", "random-response")
        fewer = {"episodes": 12, "matchup_games": 40, "players": players, "out": folder}
        result = run_meta_agents(recipe.model_copy(update=fewer), threads=2)
        report = meta_agents_report(result)
        write_report(report, result.recipe.out)
    return result, report


def test_published_populations_give_the_published_table(published):
    """Canaan et al. 2022, table IV: 12 episodes here, 200 there."""
    result, report = published
    compared = result.compared_with_published

    assert len(compared) == 36
    assert all(mean.agrees for mean in compared.values())
    differences = np.array([mean.difference for mean in compared.values()])
    assert differences.mean() == pytest.approx(0, abs=0.15)
    assert np.abs(differences).max() < 0.4
    written = json.loads(plain_json(report.facts))
    assert written["cells"][0]["published"]["agrees"] is True
    assert len(list(csv.reader(io.StringIO(csv_text(report.rows))))) == 1 + 45 * 22


def test_published_matchups_agree_but_for_games_that_are_ended(published):
    for check in published[0].checks:
        for (what, group, quantity), difference in check.differences.items():
            if group == "rules 78 to 82" and what == "published":
                continue
            assert difference.spread_z < 1.3
            assert abs(difference.mean_difference) < (0.4 if quantity == "score" else 0.02)


def test_page_lists_partners_that_act_differently_and_errors_of_niche(published):
    """It estimates what it sees, and not what partners do in self-play."""
    page = (published[0].recipe.out / "report.md").read_text()
    errors = published[0].estimation_errors(Scenario(0, 0))

    for label in ("1: 2,4", "1: 3,1", "2: 2,4", "2: 4,1", "3: 4,0", "3: 4,1"):
        assert f"| {label} |" in page
    assert "belief_bayes-features.png" in page and "responses.png" in page
    assert "Errors of the estimated features" in page
    assert ((errors[0] > 0.05) & (errors[0] < 0.4)).all()


META_AGENTS = {
    "pools": [{"name": "a", "agents": ["iggi", "flawed"]}, {"name": "b", "agents": ["piers"]}],
    "players": ["oracle", "bayes-features"],
    "out": "out",
}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"players": ["oracel"]}, "oracel"),
        ({"players": ["oracle", "low-shot"]}, "low-shot"),
        ({"players": ["oracle", "oracle"]}, "players names .* twice"),
        ({"pools": [{"name": "a", "agents": ["iggi"]}] * 2}, "pools names .* twice"),
        ({"pools": [{"name": "a"}]}, "pool a has neither a population nor agents"),
        ({"published_matchups": "x.csv"}, 'seats = "first"'),
        (
            {"published_matchups": "x.csv", "seats": "first", "tell_seats_apart": False},
            "behaviour of one seat only: leave tell_seats_apart",
        ),
        ({"compare_with": "canaan-2022"}, "three published populations"),
        ({"adapt_after": 0}, "adapt_after"),
        ({"adapt_after": "turn"}, "adapt_after"),
        ({"adapt_after": 5, "evidence": "as_published"}, "evidence = as_published is of whole"),
        (
            {
                "pools": [{"name": "a", "agents": ["iggi"], "responses": ["piers"]}],
                "players": ["niche"],
                "evidence": "as_published",
            },
            "responses: niche has none",
        ),
        ({"evidence": "histograms", "tell_seats_apart": False}, "histograms are those of a seat"),
    ],
)
def test_meta_agent_recipes_that_make_no_sense_are_refused(changes, named):
    with pytest.raises(HoadError, match=named):
        check_recipe(META_AGENTS | changes, MetaAgentsRecipe, "test")


@pytest.mark.parametrize("after", ["game", "mistake", 5])
def test_beliefs_change_after_games_mistakes_or_turns(after):
    recipe = check_recipe(META_AGENTS | {"adapt_after": after}, MetaAgentsRecipe, "test")

    assert recipe.adapt_after == after


POOL = ("iggi", "flawed", "piers")
EVERY_PAIR = np.ones((3, 3), np.bool_)


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measure(POOL, games=300, seed=1, threads=1)


def test_means_are_those_of_matchups_and_errors_tell_how_far_those_on_other_decks_are(measured):
    matchups = play_matchups(POOL, 300, seed=1)
    others = [measure(POOL, games=300, seed=seed, threads=1) for seed in range(2, 12)]

    np.testing.assert_allclose(as_measured(matchups, measured.errors).means, measured.means)
    spread = np.std([other.means for other in others], axis=0, ddof=1)

    ratio = np.nanmean(spread[measured.errors > 0] / measured.errors[measured.errors > 0])
    assert ratio == pytest.approx(1, abs=0.25)


def test_the_same_agents_on_other_decks_agree_and_others_do_not(measured):
    other = measure(POOL, games=300, seed=2, threads=1)

    for difference in compare(measured, other, EVERY_PAIR):
        assert difference.pairs > 0
        assert abs(difference.largest_z) < 4.5
    others = measure(("piers", "flawed", "internal"), games=300, seed=1, threads=1)
    assert abs(compare(measured, others, EVERY_PAIR)[0].largest_z) > 10


def test_differences_are_counted_in_standard_errors():
    first = Measured(np.full((3, 3, 3), 2.0), np.full((3, 3, 3), 3.0))
    second = Measured(np.full((3, 3, 3), 12.0), np.full((3, 3, 3), 4.0))
    second.means[0, 0, 0] = np.nan

    comparisons = compare(first, second, EVERY_PAIR)

    assert [one.pairs for one in comparisons] == [8, 9, 9]
    assert comparisons[0].mean_z == comparisons[0].largest_z == -2
    assert (comparisons[0].mean_difference, comparisons[0].absolute_difference) == (-10, 10)
    assert (comparisons[0].spread_z, comparisons[0].beyond) == (0, 1)
