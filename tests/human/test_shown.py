"""What the page shows besides the game: a finished game, the person, beliefs, and the lobby."""

import re
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.imagined import imagine
from hoad.agents.registry import RULE_LISTS, agent_descriptions
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.core.errors import HoadError
from hoad.game.game import Game
from hoad.game.state import full_game
from hoad.human.beliefs import STRANGER, BeliefInPartner, belief_by_game, pool_names
from hoad.human.lobby import describe_person, listed_agents
from hoad.human.review import review, site_game
from hoad.human.session import Session
from hoad.partners.known_people import known_people
from hoad.partners.regression.population import RelatingInputs
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
    reviewed = review(games, 1)

    turns = len(games[1].actions) + 1
    positions, odds = reviewed.data["positions"], reviewed.data["odds"]
    shared = reviewed.data["shared_odds"]
    assert [len(part) for part in (positions, reviewed.beliefs, odds, shared)] == [turns] * 4
    dealt = [np.unique(np.reshape(part[0], (10, 25)), axis=0) for part in (odds, shared)]
    assert list(map(len, dealt)) == [2, 1]  # each sees a hand; both know the same
    assert [made["move"] for made in reviewed.data["made"]] == games[1].actions
    assert (reviewed.agent, reviewed.seat, reviewed.score) == ("piers", 1, games[1].score)
    assert [position["turn"] for position in positions] == list(range(turns))
    assert positions[-1]["over"]
    names = pool_names()  # all fair compiled agents
    assert reviewed.names == names and names[-1] == STRANGER
    assert {"iggi", "holmesbot", "wtfwt", "fireflower"} < set(names)
    assert not {"cheatbot", "rainbow"} & set(names)


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


def test_after_three_games_the_person_is_placed_among_others(
    games: list[Record], tmp_path: Path
) -> None:
    person = describe_person(games)

    assert describe_person(games[:2]) is None  # which say too little
    assert person is not None
    known = known_people()
    assert person["most_alike"] in known.names
    assert person["people"] == len(known.losses) > 100
    assert person["harder"] == (known.losses > person["loss"]).mean()
    assert person["games"] == 3
    words = tuple(rule.words for rule in CATALOGUE.values())
    assert person["rules"] and all(rule.startswith(words) for rule in person["rules"])
    assert len(person["differences"]) == 3
    pattern = r"(\w.*) \((more, \+|less, -)\d\.\d SD\)"
    found = [re.fullmatch(pattern, difference) for difference in person["differences"]]
    assert all(match and match[1] in RelatingInputs((), ()).words for match in found)
    session = Session(tmp_path)
    unasked = session.played_before
    session.record_experience(True)
    session.record_experience(False)  # it is kept once
    assert (unasked, session.played_before, Session(tmp_path).played_before) == (None, True, True)
    assert [path.name for path in tmp_path.iterdir()] == ["experience.json"]


def test_all_agents_and_prefixes_are_listed_the_best_first_and_prefixes_last() -> None:
    listed = listed_agents()

    assert {agent["name"] for agent in listed} == set(agent_descriptions())
    scores = [agent["score"] for agent in listed if agent["family"]]
    assert scores == sorted(scores, reverse=True)
    assert all(agent["name"].endswith(":") == (not agent["family"]) for agent in listed)
    by_name = {agent["name"]: agent for agent in listed}
    assert 17 < by_name["iggi"]["score"] < 17.3  # as in the published table
    assert by_name["forgiving"]["score"] == 0
    assert all(by_name[name]["about"] == "" for name in RULE_LISTS)  # no numbers of rules


def test_the_belief_finds_the_partner_and_follows_move_by_move() -> None:
    logs = play([get_agent("piers"), get_agent("holmesbot")], 1, seed=4)
    actions = logs.actions.tolist()
    whole, by_move = (BeliefInPartner(0, logs.decks[0]) for _ in range(2))

    whole.follow(actions)
    for turn in range(len(actions) + 1):
        by_move.follow(actions[:turn])

    assert np.array_equal(whole.beliefs, by_move.beliefs)
    assert len(whole.beliefs) == len(actions) + 1
    assert np.allclose(np.sum(whole.beliefs, axis=1), 1)
    assert dict(zip(pool_names(), whole.beliefs[-1], strict=True))["holmesbot"] > 0.9


def test_the_belief_does_not_see_what_is_hidden_from_the_player() -> None:
    logs = play([get_agent("piers"), get_agent("iggi")], 1, seed=4)
    actions = logs.actions[:12].tolist()
    game = Game(deck=logs.decks[0])
    for action in actions:
        game.step(action)
    now = full_game(2).new_states(1)
    now[0] = game.state
    other, hands = imagine(now, 0, 1)  # the same game with other hidden cards

    beliefs = []
    for deck in (logs.decks[0], other[0, 0]):
        belief = BeliefInPartner(0, deck)
        belief.follow(actions)
        beliefs.append(belief.beliefs)

    assert not np.array_equal(hands[0, 0], game.state.hands[0])
    assert np.array_equal(beliefs[0], beliefs[1])


def test_the_belief_in_a_person_grows_by_game() -> None:
    logs = play([get_agent("outer"), get_agent("iggi")], 3, seed=1)

    beliefs = belief_by_game(logs, [0, 0, 0])

    shares = [dict(zip(pool_names(), belief, strict=True)) for belief in beliefs]
    assert [max(share, key=share.__getitem__) for share in shares] == ["outer"] * 3
    assert shares[2]["outer"] >= shares[0]["outer"]
