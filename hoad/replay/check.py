"""Is a log true? Its games are replayed under the rules, and what it says about them is compared.

Faults are found, not raised, so that a whole file can be judged; who wants to refuse the file
raises the first of them.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numba import njit

from hoad.game.log import GameLogs, Outcomes, encode_turns, replay
from hoad.game.rules import apply, deal_deck
from hoad.game.state import full_game

Problem = tuple[int | None, str]
"""The turn, if it is one, and what is wrong."""

Notes = Mapping[str, Any]
"""What a log says about one game beyond its deck and actions (keys as in JSON Lines)."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with one game: the game's index, the turn (from 0) if it is one, and what."""

    game: int
    turn: int | None
    what: str

    def __str__(self) -> str:
        """Return e.g. ``game 3, turn 5: action 17 is illegal``."""
        turn = "" if self.turn is None else f", turn {self.turn}"
        return f"game {self.game}{turn}: {self.what}"


def judge(logs: GameLogs, notes: Sequence[Notes] = ()) -> tuple[Outcomes, list[Fault]]:
    """Replay games of any content; return how they went and the first fault of each faulty one.

    Checked are the deck, the legality of each action, the game's end (unless the notes say
    ``aborted``), and of the notes ``score``, ``hle_score``, ``lives``, ``turns``, ``slots`` and
    ``obs_sha1``. Other notes cannot be checked by replaying.

    Args:
        logs: The games.
        notes: One for each game, or none at all.

    Returns:
        Outcomes (meaningless for faulty games) and the faults, in the order of the games.
    """
    wrong_deck = _find_wrong_decks(logs)
    decks = np.where(wrong_deck[:, None], full_game(logs.players).full_deck(), logs.decks)
    outcomes = replay(replace(logs, decks=decks))
    suspects = wrong_deck | (outcomes.illegal_turn >= 0) | ~outcomes.over
    faults = []
    for game in np.flatnonzero(suspects | bool(notes)).tolist():
        note = notes[game] if notes else {}
        if wrong_deck[game]:
            problem: Problem | None = (None, "the deck is not Hanabi's 50 cards")
        else:
            problem = _find_broken_rule(logs, outcomes, game, note)
            problem = problem or _find_lie(logs, outcomes, game, note)
        if problem:
            faults.append(Fault(game, *problem))
    return outcomes, faults


def _find_wrong_decks(logs: GameLogs) -> np.ndarray:
    """Return for each game whether its deck is not the 50 cards of Hanabi, bool."""
    wanted = full_game(logs.players).full_deck()
    return (np.sort(logs.decks, axis=1) != wanted).any(axis=1)


def _find_broken_rule(
    logs: GameLogs, outcomes: Outcomes, game: int, notes: Notes
) -> Problem | None:
    """Return turn and complaint where the rules do not allow how the game went or ended."""
    actions = logs.actions_of(game)
    turn = int(outcomes.illegal_turn[game])
    if turn >= 0:
        reason = "comes after the game's end" if outcomes.over[game] else "is illegal"
        return turn, f"action {actions[turn]} {reason}"
    if not outcomes.over[game] and not notes.get("aborted"):
        return len(actions), "the log ends before the game is over and is not marked aborted"
    return None


def _find_lie(logs: GameLogs, outcomes: Outcomes, game: int, notes: Notes) -> Problem | None:
    """Return turn and complaint for the first note that does not fit the game."""
    facts = {
        "score": outcomes.scores[game],
        "hle_score": outcomes.strict[game],
        "lives": outcomes.lives[game],
        "turns": len(logs.actions_of(game)),
    }
    for key, fact in facts.items():
        if notes.get(key, fact) != fact:
            return None, f"{key} is {notes[key]} in the log, {fact} by the rules"
    alone = logs.select(np.array([game]))
    if "slots" in notes:
        used = slots_used(alone)
        wrong = np.flatnonzero(used != notes["slots"])
        if len(wrong):
            turn = int(wrong[0])
            return turn, f"slot is {notes['slots'][turn]} in the log, {used[turn]} by the rules"
    if "obs_sha1" in notes and hash_observations(alone) != notes["obs_sha1"]:
        return None, "obs_sha1 does not fit the observations"
    return None


def hash_observations(logs: GameLogs) -> str:
    """Return the SHA-1 (hexadecimal) of all packed observations, each of the player to move."""
    return hashlib.sha1(encode_turns(logs).observations.tobytes()).hexdigest()


def slots_used(logs: GameLogs) -> np.ndarray:
    """Return the slot that each turn played or discarded from, -1 for hints, int8.

    A drawn card takes the slot of the card that left, as in Walton-Rivers's program.
    """
    slots = np.empty(len(logs.actions), np.int8)
    states = full_game(logs.players).new_states(1)
    _find_slots(states, logs.decks, logs.actions, logs.offsets, slots)
    return slots


@njit(cache=True, nogil=True)
def _find_slots(
    states: np.ndarray,
    decks: np.ndarray,
    actions: np.ndarray,
    offsets: np.ndarray,
    slots: np.ndarray,
) -> None:
    state = states[0]
    table = state.table
    for game in range(len(decks)):
        deal_deck(state, decks[game])
        for index in range(offsets[game], offsets[game + 1]):
            action, hand_size = int(actions[index]), int(table.hand_size)
            slots[index] = -1
            if action < 2 * hand_size:
                slots[index] = table.order[int(table.current), action % hand_size]
            apply(state, action)
