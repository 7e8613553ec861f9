"""A finished game that is shown again."""

import pytest

from hoad.core.errors import HoadError
from hoad.human.beliefs import pool_names
from hoad.human.review import review, site_game
from hoad.replay.formats import hanab_live
from hoad.replay.formats.jsonl import Record
from tests.human.tables import Table


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    table = Table(tmp_path_factory.mktemp("games"))
    for agent in ("iggi", "piers", "iggi"):
        table.begin(agent, person="outer")
        table.finish()
    return table.session.games


def test_it_has_every_turn_and_belief(games: list[Record]) -> None:
    found = review(games, 1)

    turns = len(games[1].actions) + 1
    positions, odds = found.data["positions"], found.data["odds"]
    assert [len(part) for part in (positions, found.beliefs, odds)] == [turns] * 3
    assert [made["move"] for made in found.data["made"]] == games[1].actions
    assert (found.agent, found.seat, found.score) == ("piers", 1, games[1].score)
    assert [position["turn"] for position in positions] == list(range(turns))
    assert positions[-1]["over"]
    assert found.names == pool_names()


def test_an_agent_learns_from_its_own_games_with_the_person(games: list[Record]) -> None:
    outer = pool_names().index("outer")

    assert [len(review(games, game).learned) for game in range(3)] == [1, 1, 2]
    assert review(games, 2).learned[1][outer] > 0.9


def test_hanab_live_gets_the_game_and_there_is_no_other(games: list[Record]) -> None:
    link = review(games, 0).link

    assert link == hanab_live.link_of(site_game(games, 0))
    assert link.startswith(hanab_live.ADDRESS)
    for index in (3, -1):
        with pytest.raises(HoadError, match="3 games"):
            review(games, index)
