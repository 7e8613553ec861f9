"""The agent at the table."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents.registry import get_agent
from hoad.game.view import turns_of
from hoad.human.beliefs import card_odds
from hoad.human.partner import Partner
from tests.human.tables import Table, silent


def test_it_tells_the_odds_of_its_cards_as_it_sees_them(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(4)

    thought = table.thoughts[-1]

    *_, turn = turns_of(table.session.deck, table.session.actions[: thought.turn])
    assert thought.odds == card_odds(turn.state[0], 1, sees_partner=True)
    assert thought.scores == thought.belief == []


def test_search_tells_the_expected_score_of_each_move(tmp_path: Path) -> None:
    table = Table(tmp_path)
    told: list[float] = []
    table.begin("search:iggi")
    table.turn()
    session = table.session

    thought = table.partner.think(session.actions, session.stream, told.append)

    names, scores = zip(*thought.scores, strict=True)
    assert len(set(names)) == len(names) > 10
    assert list(scores) == sorted(scores, reverse=True)
    assert 10 < scores[0] < 25
    assert np.allclose(np.sum(thought.odds, axis=1), 1)
    assert told == sorted(told)
    assert 0 < told[-1] <= 1


def test_search_thinks_as_it_does_in_other_games(tmp_path: Path) -> None:
    agent = get_agent("search:iggi")
    table = Table(tmp_path)
    table.begin("search:iggi")
    table.turn()
    session = table.session
    partner = Partner(agent, 1, session.deck)

    thought = partner.think(session.actions, session.stream, silent)

    decided = agent.weights(partner.batch(session.stream))
    assert decided[0, thought.move] == 1


def test_bayes_moves_remembers_the_person_from_earlier_games(tmp_path: Path) -> None:
    table = Table(tmp_path)
    beliefs = []
    for _ in range(2):
        table.begin("bayes-moves:iggi+piers+outer", person="outer")
        table.turns(2)
        beliefs.append(dict(table.thoughts[-1].belief))
        table.finish()

    before, after = (belief["outer"] for belief in beliefs)

    assert set(beliefs[0]) == {"iggi", "piers", "outer"}
    assert sum(beliefs[0].values()) == pytest.approx(1)
    assert before < 0.8 < after
