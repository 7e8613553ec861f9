"""Which game is watched."""

from pathlib import Path

import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.replay.formats.jsonl import Record, write_records
from hoad.studies.watch.story import story_of


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

    assert story.agents[1] is None
    told = list(story.told())
    assert len(told) == len(logs.actions_of(1)) + 1
    for turn, thought in told[:-1]:
        assert (thought is None) == (turn.player == 1)


@pytest.mark.parametrize("words", [["iggi"], ["iggi", "iggi", "iggi"], ["iggi", "nobody-here"]])
def test_other_words_are_refused(words: list[str]) -> None:
    with pytest.raises(HoadError):
        story_of(words, seed=0, game=0)


def test_a_game_that_the_file_does_not_have_is_refused(tmp_path: Path) -> None:
    logs = play([get_agent("iggi"), get_agent("iggi")], 1, seed=5)
    record = Record(players=["a", "b"], deck=logs.decks[0].tolist(), actions=logs.actions.tolist())
    write_records(tmp_path / "games.jsonl", [record])

    with pytest.raises(HoadError, match="no game 1"):
        story_of([str(tmp_path / "games.jsonl")], seed=0, game=1)
