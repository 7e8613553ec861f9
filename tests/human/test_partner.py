"""The agent at the table."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents.registry import get_agent
from hoad.game.view import turns_of
from hoad.human.partner import Partner
from hoad.studies.watch.position import card_odds
from tests.human.tables import Table, silent


def test_it_tells_the_odds_of_its_cards_as_it_sees_them(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(4)

    answer = table.answers[-1]

    *_, turn = turns_of(table.session.deck, table.session.actions[: answer.turn])
    assert list(map(list, answer.thought.odds)) == card_odds(turn.state[0], 1, sees_partner=True)
    assert not answer.thought.candidates and not answer.thought.partner


def test_search_tells_the_expected_score_of_each_move_and_thinks_as_in_other_games(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    told: list[float] = []
    table.begin("search:iggi")
    table.turn()
    session = table.session

    answer = table.partner.think(session.actions, session.stream, told.append)

    moves, scores = zip(*((one.move, one.mean) for one in answer.thought.candidates), strict=True)
    assert len(set(moves)) == len(moves) > 10
    assert answer.move in moves
    assert list(scores) == sorted(scores, reverse=True)
    assert 10 < scores[0] < 25
    assert np.allclose(np.sum(answer.thought.odds, axis=1), 1)
    assert told == sorted(told)
    assert 0 < told[-1] <= 1
    agent = get_agent("search:iggi")
    elsewhere = Partner(agent, 1, session.deck)
    elsewhere.think(session.actions, session.stream, silent)
    assert agent.weights(elsewhere.batch(session.stream))[0, answer.move] == 1


def test_bayes_moves_remembers_the_person_from_earlier_games(tmp_path: Path) -> None:
    table = Table(tmp_path)
    beliefs = []
    for _ in range(2):
        table.begin("bayes-moves:iggi+piers+outer", person="outer")
        table.turns(2)
        beliefs.append(dict(table.answers[-1].thought.partner))
        table.finish()

    before, after = (belief["outer"] for belief in beliefs)

    assert set(beliefs[0]) <= {"iggi", "piers", "outer"}
    assert sum(beliefs[0].values()) == pytest.approx(1, abs=0.02)
    assert before < 0.8 < after
