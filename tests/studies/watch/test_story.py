"""Which game is watched, and what agents think in it."""

from pathlib import Path

import numpy as np
import pytest

from hoad.agents import Agent, get_agent, play
from hoad.agents.follow import follow
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of
from hoad.game.view import turns_of
from hoad.partners.model import Ensemble
from hoad.replay.formats.jsonl import Record, write_records
from hoad.search.agent import SearchAgent
from hoad.search.effort import Effort
from hoad.studies.watch.story import story_of
from hoad.studies.watch.thoughts import Thought, thoughts_of


def test_two_agents_play_the_game_of_the_seed_with_this_number() -> None:
    story = story_of(["iggi", "piers"], seed=5, game=3)

    logs = play([get_agent("iggi"), get_agent("piers")], 1, seed=5, first_game=3)
    assert [turn.move.action for turn in story.turns if turn.move] == logs.actions.tolist()
    assert story.players == ("iggi", "piers")


def test_a_recorded_game_is_told_with_the_thoughts_of_agents_that_are_here(tmp_path: Path) -> None:
    logs = play([get_agent("iggi"), get_agent("iggi")], 2, seed=5)
    records = [
        Record(players=["iggi", "Donald"], deck=deck, actions=logs.actions_of(game).tolist())
        for game, deck in enumerate(logs.decks.tolist())
    ]
    write_records(tmp_path / "games.jsonl", records)

    story = story_of([str(tmp_path / "games.jsonl")], seed=0, game=1)

    with pytest.raises(HoadError, match="no game 2"):
        story_of([str(tmp_path / "games.jsonl")], seed=0, game=2)
    assert story.agents[1] is None
    told = list(story.told())
    assert len(told) == len(logs.actions_of(1)) + 1
    for turn, thought in told[:-1]:
        assert (thought is None) == (turn.view.player == 1)


@pytest.mark.parametrize("words", [["iggi"], ["iggi", "iggi", "iggi"], ["iggi", "nobody-here"]])
def test_other_words_are_refused(words: list[str]) -> None:
    with pytest.raises(HoadError):
        story_of(words, seed=0, game=0)


@pytest.mark.parametrize(
    "name", ["process:touch {mark}", "python:{code}:A", "search:python:{code}:A"]
)
def test_a_recorded_game_starts_no_program(tmp_path: Path, name: str) -> None:
    mark, code = tmp_path / "mark", tmp_path / "code.py"
    code.write_text(f"open({str(mark)!r}, 'w')")
    logs = play([get_agent("iggi"), get_agent("iggi")], 1, seed=5)
    players = ["iggi", name.format(mark=mark, code=code)]
    record = Record(players=players, deck=logs.decks[0].tolist(), actions=logs.actions.tolist())
    write_records(tmp_path / "games.jsonl", [record])

    story = story_of([str(tmp_path / "games.jsonl")], seed=0, game=0)
    list(story.told())

    assert story.players == tuple(players)
    assert story.agents[1] is None
    assert not mark.exists()


# What agents think of their moves, their partner and their cards.


def thoughts(agent: Agent, logs: GameLogs, seat: int = 0) -> list[Thought | None]:
    return list(thoughts_of(agent, seat, turns_of(logs.decks[0], logs.actions)))


def test_an_agent_thinks_when_it_is_to_move_and_not_at_the_end() -> None:
    logs = play([get_agent("iggi"), get_agent("piers")], 1, seed=1)

    found = thoughts(get_agent("iggi"), logs)

    assert [thought is not None for thought in found[:-1]] == [
        turn % 2 == 0 for turn in range(len(logs.actions))
    ]
    assert found[-1] is None


@pytest.mark.parametrize("name", ["noisy:0.3:iggi", "smartbot"])
def test_moves_are_those_of_the_agent_with_what_it_remembers(name: str) -> None:
    agent = get_agent(name)
    logs = play([get_agent("iggi"), agent], 1, seed=2)
    seats = np.array([[False, True]])

    found = [thought for thought in thoughts(agent, logs, seat=1) if thought]

    for thought, decision in zip(found, follow(agent, logs, seats), strict=True):
        expected = decision.weights[0]
        for move, share in thought.moves:
            assert share == pytest.approx(expected[move])
        assert [share for _, share in thought.moves] == sorted(expected[expected > 0])[::-1]


def test_bayes_moves_comes_to_believe_in_its_partner() -> None:
    logs = play([get_agent("bayes-moves:iggi+outer"), get_agent("outer")], 1, seed=3)

    found = [t for t in thoughts(get_agent("bayes-moves:iggi+outer"), logs) if t]

    assert dict(found[0].partner) == pytest.approx({"iggi": 0.5, "outer": 0.5})
    assert dict(found[-1].partner)["outer"] > 0.9
    assert all(sum(share for _, share in t.partner) > 0.98 for t in found)


def test_search_tells_the_expected_score_of_each_move_and_what_its_cards_may_be() -> None:
    iggi = get_agent("iggi")
    effort = Effort(rollouts=400, round=160, particles=40)
    agent = SearchAgent("small", iggi, Ensemble([iggi], np.ones(1), 0.01), effort)
    played = play([iggi, iggi], 1, seed=4)
    logs = logs_of(2, [played.decks[0]], [played.actions[:3]])

    turns = list(turns_of(logs.decks[0], logs.actions))
    chosen = int(agent.decide(turns[2].state, 0, lambda done: None).move)
    [thought] = [t for t in thoughts_of(agent, 0, turns[2:3]) if t]

    assert thought.moves == ((chosen, 1.0),)
    assert {one.move for one in thought.candidates} == set(turns[2].view.legal)
    assert all(0 <= one.mean <= 25 and one.rollouts > 1 for one in thought.candidates)
    assert all(one.half_width is not None and one.half_width >= 0 for one in thought.candidates)
    assert (thought.candidates[0].move == chosen) == (thought.why_not_highest == "")
    assert len(thought.odds) == 5
    view = turns[2].view
    for card, believed in zip(view.hands[0], thought.odds, strict=True):
        assert set(np.flatnonzero(believed)) <= set(view.possible_to_holder(0, card))
