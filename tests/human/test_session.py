"""A person's games with agents, one after another, and the agent at the table."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.game.view import turns_of
from hoad.human.journal import GAMES, UNFINISHED
from hoad.human.session import Partner, Session
from hoad.replay.formats.convert import import_games
from hoad.watch.position import card_odds
from tests.human.tables import Table, silent


def test_seats_alternate_and_games_are_those_of_the_seed_or_differ_without_one(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path, seed=5)
    for _ in range(2):
        table.begin("outer", person="iggi")
        table.finish()

    first, second = table.session.games

    assert first.players == ["person", "outer"]
    assert second.players == ["outer", "person"]
    played = play([get_agent("iggi"), get_agent("outer")], 1, seed=5)
    assert first.deck == played.decks[0].tolist()
    assert first.actions == played.actions.tolist()  # outer draws the same chance as anywhere
    imported = import_games(tmp_path / "games.jsonl", tmp_path / "games.h5")
    assert imported.names.tolist() == [["person", "outer"], ["outer", "person"]]
    assert imported.scores.tolist() == [first.score, second.score]
    unseeded = [Session(tmp_path / name) for name in ("one", "other")]
    for session in unseeded:
        session.begin("iggi")
    assert not np.array_equal(unseeded[0].deck, unseeded[1].deck)


def test_a_game_goes_on_where_it_was(tmp_path: Path) -> None:
    whole, broken = Table(tmp_path / "whole"), Table(tmp_path / "broken")
    for table in (whole, broken):
        table.begin("outer")  # which draws some of its moves
    whole.finish()
    while broken.session.is_playing:
        broken.turn()
        broken.session = Session(tmp_path / "broken")
        if broken.session.is_playing:
            broken.sit("outer")

    assert broken.session.games == whole.session.games


def test_a_game_with_an_illegal_move_on_disk_is_named(tmp_path: Path) -> None:
    Table(tmp_path).begin("iggi")
    with (tmp_path / UNFINISHED).open("a") as file:
        file.write('{"move":0,"stream":1}\n')  # a discard with all tokens

    with pytest.raises(HoadError, match=f"{UNFINISHED}.*illegal in turn 0"):
        Session(tmp_path)


def test_illegal_moves_and_moves_out_of_turn_are_refused_and_change_nothing(tmp_path: Path) -> None:
    session = Session(tmp_path, seed=1)
    session.begin("iggi")

    for move in (0, -1, 20):
        with pytest.raises(HoadError, match="move"):
            session.move(move, turn=0)
    assert session.actions == Session(tmp_path).actions == []

    session.move(5, turn=0)
    for turn in (0, 1, 2):  # a second click, the agent's turn, one that is to come
        with pytest.raises(HoadError, match="turn"):
            session.move(6, turn)
    with pytest.raises(HoadError, match="being played"):
        session.begin("piers")


def test_without_a_game_there_is_nothing_to_do(tmp_path: Path) -> None:
    session = Session(tmp_path)

    with pytest.raises(HoadError, match="no game has begun"):
        session.move(5, 0)
    session.give_up()

    assert not session.is_playing


@pytest.mark.parametrize(("turns", "kept"), [(5, [(True, 5)]), (0, [])])
def test_a_game_that_is_given_up_is_recorded_as_aborted_unless_the_person_made_no_move(
    tmp_path: Path, turns: int, kept: list[tuple[bool, int]]
) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(turns)

    table.session.give_up()

    assert [(game.aborted, game.turns) for game in Session(tmp_path).games] == kept


def test_a_whole_game_that_could_not_be_recorded_is_none_that_is_given_up(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    (tmp_path / GAMES).mkdir()
    with pytest.raises(HoadError, match=f"{GAMES}: cannot write this file"):
        table.finish()
    (tmp_path / GAMES).rmdir()

    assert table.session.is_playing and not table.session.waits_for_agent
    table.session.give_up()

    [game] = Session(tmp_path).games
    assert (game.aborted, game.actions) == (None, table.session.actions)


def test_cards_are_hidden_until_the_game_is_over(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.begin("iggi")
    table.turns(4)
    before = table.session.view().hands[0]
    table.finish()

    assert all(card.number is None for card in before)
    assert all(card.number is not None for card in table.session.view().hands[0])


@pytest.mark.parametrize(
    "name", ["process:touch {mark}", "python:{code}:A", "noisy:0:python:{code}:A"]
)
def test_an_unfinished_game_starts_no_program(tmp_path: Path, name: str) -> None:
    mark, code = tmp_path / "mark", tmp_path / "code.py"
    code.write_text(f"open({str(mark)!r}, 'w')")
    agent = name.format(mark=mark, code=code)
    Session(tmp_path, seed=3).begin(agent)

    for given in (None, "iggi"):
        with pytest.raises(HoadError, match=r"unfinished\.jsonl: names .*, and data may not load"):
            Session(tmp_path, agent=given)

    assert Session(tmp_path, agent=agent).is_playing  # the person has named it
    assert not mark.exists()


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
