"""Checks of game logs: games are replayed under the rules and compared with what the log says.

Faults are returned, not raised, so that every game of a file is checked. A caller that refuses a
faulty file raises an error with the first fault.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from hoad.game.log import GameLogs, Outcomes, encode_turns, find_wrong_decks, replay
from hoad.game.rules import replay_moves
from hoad.game.state import full_game

Notes = Mapping[str, Any]
"""What a log says about one game besides deck and actions, by the keys of JSON Lines."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with one game, and in which turn (from 0), if it is at one turn."""

    game: int
    turn: int | None
    what: str

    def __str__(self) -> str:
        """Return e.g. ``game 3, turn 5: action 17 is illegal``."""
        turn = "" if self.turn is None else f", turn {self.turn}"
        return f"game {self.game}{turn}: {self.what}"


def check_games(logs: GameLogs, notes: Sequence[Notes] = ()) -> tuple[Outcomes, list[Fault]]:
    """Replay games, which may be illegal, with a note for each or without notes.

    Return the outcomes (meaningless for faulty games), and the first fault of each faulty game, in
    order. Checked are the deck, the legality of each action, the game's end (unless the notes say
    ``aborted``), and the notes ``score``, ``hle_score``, ``lives``, ``turns``, ``slots`` and
    ``obs_sha1``. A replay says nothing about other notes.
    """
    wrong_deck = find_wrong_decks(logs)
    decks = np.where(wrong_deck[:, None], full_game(logs.players).full_deck(), logs.decks)
    outcomes = replay(replace(logs, decks=decks))
    suspects = wrong_deck | (outcomes.illegal_turn >= 0) | ~outcomes.over
    faults = (
        Fault(game, None, "the deck is not Hanabi's 50 cards")
        if wrong_deck[game]
        else _find_fault(logs, outcomes, game, notes[game] if notes else {})
        for game in np.flatnonzero(suspects | bool(notes)).tolist()
    )
    return outcomes, [fault for fault in faults if fault]


def _find_fault(logs: GameLogs, outcomes: Outcomes, game: int, notes: Notes) -> Fault | None:
    """Return the first broken rule, else the first wrong note."""
    actions = logs.actions_of(game)
    turn = int(outcomes.illegal_turn[game])
    if turn >= 0:
        reason = "comes after the game's end" if outcomes.over[game] else "is illegal"
        return Fault(game, turn, f"action {actions[turn]} {reason}")
    if not outcomes.over[game] and not notes.get("aborted"):
        what = "the log ends before the game is over and is not marked aborted"
        return Fault(game, len(actions), what)
    facts = {
        "score": outcomes.scores[game],
        "hle_score": outcomes.strict[game],
        "lives": outcomes.lives[game],
        "turns": len(actions),
    }
    for key, fact in facts.items():
        if notes.get(key, fact) != fact:
            return Fault(game, None, f"{key} is {notes[key]} in the log, {fact} by the rules")
    alone = logs.select(np.array([game]))
    if "slots" in notes:
        used = slots_used(alone)
        wrong = np.flatnonzero(used != notes["slots"])
        if len(wrong):
            turn = int(wrong[0])
            logged = notes["slots"][turn]
            return Fault(game, turn, f"slot is {logged} in the log, {used[turn]} by the rules")
    if "obs_sha1" in notes and hash_observations(alone) != notes["obs_sha1"]:
        return Fault(game, None, "obs_sha1 is not the hash of the game's observations")
    return None


def hash_observations(logs: GameLogs) -> str:
    """Return the SHA-1 (hexadecimal) of all packed observations, each of the player to move."""
    return hashlib.sha1(encode_turns(logs).observations.tobytes()).hexdigest()


def slots_used(logs: GameLogs) -> np.ndarray:
    """Return the slot of the card that each turn of legal games played or discarded, int8.

    A drawn card takes the slot of the card that left, as in Walton-Rivers's program; -1 for hints.
    """
    variant = full_game(logs.players)
    state = variant.new_states(1)[0]
    touched = np.zeros(len(logs.actions), np.uint8)
    for game, (first, end) in enumerate(pairwise(logs.offsets.tolist())):
        replay_moves(state, logs.decks[game], logs.actions[first:end])
        touched[first:end] = state.table.touched[: end - first]
    is_hint = logs.actions >= 2 * variant.hand_size
    return np.where(is_hint, -1, np.log2(np.maximum(touched, 1))).astype(np.int8)
