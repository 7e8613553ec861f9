from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.game.log import GameLogs, logs_of, replay
from hoad.replay.check import Fault, check_games, hash_observations, slots_used

MakeLogs = Callable[[int, int, int], GameLogs]


def first_fault(logs: GameLogs, **notes: Any) -> Fault | None:
    faults = check_games(logs, [notes])[1]
    return faults[0] if faults else None


def with_actions(logs: GameLogs, actions: list[int]) -> GameLogs:
    return logs_of(logs.players, logs.decks.tolist(), [actions])


@pytest.fixture(scope="module")
def game(random_logs: MakeLogs) -> GameLogs:
    return random_logs(2, 1, 7)


@settings(deadline=None, max_examples=12)
@given(players=st.integers(2, 5), seed=st.integers(0, 99))
def test_games_that_were_played_have_no_faults(
    random_logs: MakeLogs, players: int, seed: int
) -> None:
    logs = random_logs(players, 3, seed)
    facts = replay(logs)
    notes = [
        {
            "score": facts.scores[i],
            "hle_score": facts.strict[i],
            "lives": facts.lives[i],
            "turns": len(logs.actions_of(i)),
            "obs_sha1": hash_observations(logs.select(np.array([i]))),
            "slots": slots_used(logs.select(np.array([i]))).tolist(),
        }
        for i in range(3)
    ]

    outcomes, faults = check_games(logs, notes)

    assert faults == []
    assert (outcomes.scores == facts.scores).all()


def test_an_illegal_action_is_named_with_its_turn(game: GameLogs) -> None:
    actions = game.actions.tolist()

    fault = first_fault(with_actions(game, [0, *actions]))  # eight tokens forbid a discard

    assert fault == Fault(0, 0, "action 0 is illegal")


def test_an_action_after_the_end_is_named(game: GameLogs) -> None:
    turns = len(game.actions)

    fault = first_fault(with_actions(game, [*game.actions.tolist(), 5]))

    assert fault == Fault(0, turns, "action 5 comes after the game's end")


def test_a_game_must_be_over_unless_it_was_aborted(game: GameLogs) -> None:
    cut = with_actions(game, game.actions.tolist()[:-1])

    fault = first_fault(cut)

    assert fault is not None
    assert fault.turn == len(cut.actions)
    assert "before the game is over" in fault.what
    assert first_fault(cut, aborted=True) is None


def test_a_wrong_deck_is_named_and_the_other_games_are_checked(random_logs: MakeLogs) -> None:
    logs = random_logs(2, 4, 1)
    decks = logs.decks.copy()
    decks[1] = 0

    outcomes, faults = check_games(replace(logs, decks=decks))

    assert [str(fault) for fault in faults] == ["game 1: the deck is not Hanabi's 50 cards"]
    assert (outcomes.scores[[0, 2, 3]] == replay(logs).scores[[0, 2, 3]]).all()


@pytest.mark.parametrize("key", ["score", "hle_score", "lives", "turns"])
def test_a_wrong_number_in_the_notes_is_a_fault(game: GameLogs, key: str) -> None:
    fault = first_fault(game, **{key: 99})

    assert fault is not None
    assert f"{key} is 99 in the log" in fault.what


def test_a_wrong_slot_is_named_with_its_turn(game: GameLogs) -> None:
    slots = slots_used(game).tolist()
    turn = next(turn for turn, slot in enumerate(slots) if slot > 0)
    slots[turn] = 0

    fault = first_fault(game, slots=slots)

    assert fault is not None
    assert (fault.turn, fault.what.startswith("slot is 0 in the log")) == (turn, True)


def test_the_hash_covers_every_observation(game: GameLogs) -> None:
    fault = first_fault(game, obs_sha1="0" * 40)

    assert fault is not None
    assert (fault.game, fault.turn, fault.what.split()[0]) == (0, None, "obs_sha1")
