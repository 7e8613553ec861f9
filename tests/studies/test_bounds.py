"""How well one can play with each agent."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.seeds import other_seed
from hoad.bayes.matchups import play_matchups
from hoad.core.errors import HoadError
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.page import to_markdown
from hoad.search.agent import make_search
from hoad.studies.bounds import Bounds, measure_bounds, report
from hoad.studies.recipes import BoundsRecipe, SearchRecipe
from hoad.studies.search import Setting, measure_search

pytestmark = pytest.mark.usefixtures("own_checkpoints")
AGENTS = ("iggi", "legal-random", "imitator:iggi")
SEED = 3


def recipe(out: Path, **keys: object) -> BoundsRecipe:
    tiny = {"agents": AGENTS, "games": 20, "choosing_games": 20, "search_games": 4}
    return BoundsRecipe.model_validate({**tiny, "rollouts": 60, "seed": SEED, "out": out, **keys})


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Bounds:
    wanted = recipe(tmp_path_factory.mktemp("bounds"), longer=("iggi",), longer_games=8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOAD_CHECKPOINTS", str(tmp_path_factory.mktemp("checkpoints")))
        return measure_bounds(wanted, threads=2)


def seats_in_turn(player: str, partner: str, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Return lenient and strict scores; the partner moves first in games of odd number."""
    agents, seed = [get_agent(player), get_agent(partner)], other_seed(SEED, Purpose.TABLE)
    one, other = (replay(play(seats, games, seed)) for seats in (agents, agents[::-1]))
    odd = np.arange(games) % 2 == 1
    return np.where(odd, other.scores, one.scores), np.where(odd, other.strict, one.strict)


def test_the_best_response_is_chosen_on_other_decks_than_it_is_scored_on(result):
    matchups = play_matchups(AGENTS, 20, other_seed(SEED, Purpose.ORACLE))

    for score, scores in (("lenient", matchups.lenient), ("strict", matchups.strict)):
        both_seats = (scores + scores.T) / 2  # each score has a best response of its own
        for column, partner in enumerate(AGENTS):
            bound = result.of(partner, score)["best response"]
            assert bound.player == AGENTS[both_seats[:, column].argmax()]
            played = seats_in_turn(bound.player, partner, 20)[score == "strict"]
            np.testing.assert_array_equal(bound.scores, played)
    assert result.of("legal-random", "strict")["best response"].player != "legal-random"


def test_self_play_is_that_of_the_agent(result):
    for partner in AGENTS:
        lenient, strict = seats_in_turn(partner, partner, 20)
        np.testing.assert_array_equal(result.of(partner, "lenient")["self-play"].scores, lenient)
        np.testing.assert_array_equal(result.of(partner, "strict")["self-play"].scores, strict)


def test_search_takes_the_partner_for_its_model_and_the_best_response_for_its_blueprint(result):
    [setting] = [one.setting for one in result.searched if one.setting.agent == "legal-random"]

    searching, partner = setting.players()

    blueprint = result.of("legal-random", "strict")["search-oracle"].player
    assert blueprint == "iggi"  # the imitator is not compiled
    assert searching.blueprint.identity == get_agent(blueprint).identity
    assert searching.model.agents[0].identity == partner.identity
    assert partner.identity == get_agent("legal-random").identity


def test_an_agent_that_is_its_own_best_response_is_searched_with_as_in_a_study_of_search():
    settings = Setting("iggi", "one", 8_000), Setting("iggi", "one", 8_000, "iggi")

    assert settings[0].players()[0].identity == settings[1].players()[0].identity
    assert settings[0].players()[0].identity == make_search("iggi").identity


def test_bounds_keep_games_in_the_folder_of_a_study_of_search(tmp_path):
    keys = {"agents": ("iggi",), "games": 4, "rollouts": 60, "seed": SEED, "kept": tmp_path}
    study = measure_search(SearchRecipe.model_validate({**keys, "out": tmp_path}), threads=1)

    bounds = measure_bounds(recipe(tmp_path / "bounds", agents=("iggi",), kept=tmp_path), 1, True)

    one_searches = next(one for one in study.table if one.setting.who == "one")
    np.testing.assert_array_equal(bounds.searched[0].moves, one_searches.moves)  # their times
    self_play = bounds.of("iggi", "strict")["self-play"].scores[:4]
    np.testing.assert_array_equal(self_play, study.table[0].strict)


def test_networks_are_not_searched_with_and_kept_games_do_not_change_the_bounds(result):
    assert [one.setting.agent for one in result.searched] == ["iggi", "legal-random"]
    assert [len(one.strict) for one in result.searched] == [8, 4]
    assert "without games of search-oracle: 1;" in to_markdown(report(result))
    again = measure_bounds(result.recipe, threads=1, resume=True)
    assert report(again).rows == report(result).rows


def test_no_games_of_search_need_no_search(tmp_path):
    bounds = measure_bounds(
        recipe(tmp_path / "out", search_games=0, longer=("iggi",), longer_games=4), 1, True
    )

    kinds = {bound.partner: bound.kind for bound in bounds.bounds if bound.kind == "search-oracle"}
    assert list(kinds) == ["iggi"]
    assert "without games of search-oracle: 2;" in to_markdown(report(bounds))
    left_out = recipe(tmp_path / "2", agents=("iggi",), longer=("piers",), search_games=0)
    assert list(measure_bounds(left_out, threads=1).searched) == []
    without = recipe(tmp_path / "3", agents=("iggi",), without_search=("iggi", "piers"))
    assert list(measure_bounds(without, threads=1).searched) == []


def test_there_is_a_row_for_each_agent_bound_score_and_seat(result):
    rows = report(result).rows

    keys = [tuple(row[key] for key in ("agent", "bound", "score", "seat")) for row in rows]
    assert len(set(keys)) == len(rows) == 2 * (3 * 1 + 3 * 3 + 2 * 3)
    search = result.of("iggi", "lenient")["search-oracle"]
    row = rows[keys.index(("iggi", "search-oracle", "lenient", "partner first"))]
    assert (row["mean"], row["games"]) == (pytest.approx(search.scores[1::2].mean(), rel=1e-5), 4)


@pytest.mark.parametrize(
    ("agents", "complaint"),
    [
        (("iggi", "cheatbot"), "cheatbot sees its own hand"),
        (("imitator:iggi",), "no agent is compiled"),
    ],
)
def test_agents_that_see_their_hands_or_no_compiled_ones_are_refused(agents, complaint, tmp_path):
    with pytest.raises(HoadError, match=complaint):
        measure_bounds(recipe(tmp_path, agents=agents), threads=1)
