"""Games of people, published with the Ad-Hoc Human-AI Coordination Challenge.

A safetensors file holds games of one number of players (Dizdarević et al. 2025, "Ad-Hoc Human-AI
Coordination Challenge"; "Data Details" of the repository FLAIROx/ah2ac2): ``decks`` has colour and
rank of each card, both from 0, the top of the deck first; ``actions`` has a move for each player
and turn, a no-op for players that are not to move; ``num_actions`` is the number of turns played.
Moves, hands and colours are those of JaxMARL and HLE: discards, plays, colours, ranks; the oldest
card first; red, yellow, green, white, blue. All published tensors are int32.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load

from hoad.core.errors import HoadError
from hoad.core.files import reporting, what_it_is
from hoad.game.state import full_game
from hoad.replay.formats.jsonl import Record, Source, mark_aborted, replay_unfinished

PLAYER: Final = "human"
"""The name of every seat; the files name no players."""

_KEYS: Final = ("scores", "decks", "actions", "num_actions", "num_players")
_COLOURS: Final = 5
_RANKS: Final = 5

Tensors = dict[str, np.ndarray]


def sources(path: Path) -> Iterator[Source]:
    """Yield the games of a file, each replayed under the rules when it is read.

    A game that is not over is marked ``aborted``: people stop when no points are left to make.

    Raises:
        HoadError: The file cannot be read; a tensor is missing, or has a wrong shape or value; a
            game breaks the rules. File and game are named.
    """
    tensors = _load(path)
    players = _check_shapes(tensors, path)
    faults = _find_faults(tensors, players)
    turns = np.arange(tensors["actions"].shape[1])
    moves = tensors["actions"][:, turns, turns % players]

    def read(game: int) -> Record:
        if game in faults:
            raise HoadError(f"{path}: game {game} {faults[game]}; remove this game or correct it")
        deck = (tensors["decks"][game] @ (_RANKS, 1)).tolist()
        actions = moves[game, : tensors["num_actions"][game]].tolist()
        record = Record(players=[PLAYER] * players, deck=deck, actions=actions)
        outcomes, stated = replay_unfinished([record], path, game), tensors["scores"][game]
        if stated not in (outcomes.scores[0], outcomes.strict[0]):
            raise HoadError(
                f"{path}: game {game}: score is {stated} in the file, {outcomes.scores[0]} by the "
                "rules; remove this game or correct it"
            )
        return mark_aborted([record], outcomes.over)[0]

    for game in range(len(tensors["scores"])):
        yield Source(f"{path}: game {game}", partial(read, game))


def _load(path: Path) -> Tensors:
    """Return the required tensors, as int64."""
    with reporting(path):
        content = path.read_bytes()
    try:
        tensors = load(content)
    except KeyError as error:  # a type that numpy does not have
        kind = {"BF16": "bfloat16"}.get(error.args[0], error.args[0])
        raise HoadError(
            f"{path}: a tensor has the type {kind}, expected whole numbers; convert it to int32"
        ) from error
    except (SafetensorError, ValueError, OverflowError) as error:
        what = what_it_is(path) or (str(error) or "no reason given").splitlines()[0]
        raise HoadError(f"{path}: not a complete safetensors file ({what})") from error
    missing = [key for key in _KEYS if key not in tensors]
    if missing:
        raise HoadError(f"{path}: no tensor {missing[0]}; expected {', '.join(_KEYS)}")
    return {key: _whole_numbers(tensors[key], key, path) for key in _KEYS}


def _whole_numbers(tensor: np.ndarray, key: str, path: Path) -> np.ndarray:
    if tensor.dtype.kind not in "iuf":
        raise HoadError(f"{path}: {key} has the type {tensor.dtype}, expected whole numbers")
    small = np.abs(tensor.astype(np.float64)) < 2**31
    if not small.all() or (tensor != np.floor(tensor)).any():
        raise HoadError(f"{path}: {key} has an entry that is not a whole number below 2**31")
    return tensor.astype(np.int64)


def _check_shapes(tensors: Tensors, path: Path) -> int:
    """Return the number of players; raise an error that names the first tensor of wrong shape."""
    stated = tensors["num_players"]
    if stated.size != 1 or not 2 <= stated.item() <= 5:
        raise HoadError(f"{path}: num_players is {stated.tolist()!s:.40}, expected 2 to 5")
    players = int(stated.item())
    actions = tensors["actions"]
    games, turns = (*actions.shape, 0, 0)[:2]
    expected = {
        "actions": (games, turns, players),
        "decks": (games, 50, 2),
        "scores": (games,),
        "num_actions": (games,),
    }
    for key, shape in expected.items():
        if tensors[key].shape != shape:
            raise HoadError(
                f"{path}: {key} has the shape {tensors[key].shape}, expected {shape}; "
                "restore the file from its source"
            )
    return players


def _find_faults(tensors: Tensors, players: int) -> dict[int, str]:
    """Return what is wrong, by game, with each that has an entry that is not a card or move."""
    decks, actions, lengths = tensors["decks"], tensors["actions"], tensors["num_actions"]
    no_move = full_game(players).moves
    turns = np.arange(actions.shape[1])
    played = turns < lengths[:, None]
    acting = turns[:, None] % players == np.arange(players)
    fits = np.where(acting, (actions >= 0) & (actions < no_move), actions == no_move)
    no_card = (decks < 0) | (decks >= (_COLOURS, _RANKS))
    wrong_mover = ~fits.all(axis=2) & played
    two_movers = "a turn in which the player to move has no move, or another player has one"
    faults = {
        "an entry in decks that is not a card": no_card.any(axis=(1, 2)),
        f"num_actions outside of 0 to {len(turns)}": (lengths < 0) | (lengths > len(turns)),
        two_movers: wrong_mover.any(axis=1),
    }
    fault_of_game: dict[int, str] = {}
    for what, wrong in faults.items():
        for game in np.flatnonzero(wrong).tolist():
            fault_of_game.setdefault(game, f"has {what}")
    return fault_of_game
