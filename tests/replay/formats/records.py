"""Games as records, where hanab.live ends them, and games as HanabiData and AH2AC2 publish them."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from hoad.game.log import GameLogs, logs_of, replay
from hoad.game.moves import listed_moves
from hoad.game.rules import apply, deal, deal_deck, legal_moves
from hoad.game.state import full_game
from hoad.replay.formats.hanab_live import find_end
from hoad.replay.formats.hanabidata import deck_of
from hoad.replay.formats.jsonl import Record, Source, logs_of_records

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")


def records_of(logs: GameLogs, *names: str) -> list[Record]:
    """Return games as records without notes, of these players or of five people."""
    players = list(names or NAMES[: logs.players])
    return [
        Record(players=players, deck=deck, actions=logs.actions_of(game).tolist())
        for game, deck in enumerate(logs.decks.tolist())
    ]


def read_all(sources: Iterator[Source]) -> list[Record]:
    """Return the games of a file."""
    return [source.read() for source in sources]


def find_ends(logs: GameLogs) -> tuple[np.ndarray, np.ndarray]:
    """Return the turns that the site plays of each game, and whether it ends the game itself."""
    ends = [find_end(record) for record in records_of(logs)]
    exhausted = np.array([end is not None for end in ends])
    return np.where(
        exhausted, np.array([end or 0 for end in ends]), np.diff(logs.offsets)
    ), exhausted


_TURNS = 120
"""The published files have 89, random players need more."""


def tensors_of(logs: GameLogs) -> dict[str, np.ndarray]:
    """Return what AH2AC2's files hold: a move for the player to move, a no-op for the others."""
    lengths = np.diff(logs.offsets)
    actions = np.full((len(logs), _TURNS, logs.players), full_game(logs.players).moves, np.int32)
    for game in range(len(logs)):
        for turn, move in enumerate(logs.actions_of(game).tolist()):
            actions[game, turn, turn % logs.players] = move
    return {
        "scores": replay(logs).strict.astype(np.int32),
        "decks": np.stack([logs.decks // 5, logs.decks % 5], axis=2).astype(np.int32),
        "actions": actions,
        "num_actions": lengths.astype(np.int32),
        "num_players": np.array(logs.players),
    }


COLOURS = [4, 1, 0, 2, 3]
"""The published numbers of HLE's colours: green, yellow, white, blue, red are 0 to 4."""


def move_line(turn: int, action: int) -> str:
    player, value = turn % 2, action % 5
    if action < 10:
        return f"MOVE: {player} {2 if action >= 5 else 3} {value} 1 None None"
    if action < 15:
        return f"MOVE: {player} 0 None {1 - player} {COLOURS[value]} None"
    return f"MOVE: {player} 1 None {1 - player} None {value + 1}"


def write_log(folder: Path, name: str, record: Record, before: str = "") -> Path:
    """Write a game as it is published; ``before`` is the same person's game before it."""
    drawn = [(COLOURS[card // 5], card % 5 + 1) for card in record.deck[10:]]
    program = record.players[0].removeprefix("eger-")
    lines = [f"Old GID: {before}"] if before else []
    lines += [f"Treatment: ('{program}', {record.seed})", str(drawn)]
    for turn, action in enumerate(record.actions):
        lines += [move_line(turn, action), "You plays white 1 successfully!"]
    if not record.aborted:
        lines.append(f"Score {replay(logs_of_records([record], name)).scores[0]}")
    path = folder / f"game{name}.log"
    path.write_text("\n".join(lines) + "\n")
    return path


def write_people(folder: Path, people: int, games: int) -> None:
    """Write games of people who make random moves and stop after 20 turns, and their surveys."""
    folder.mkdir(parents=True)
    for person in range(people):
        (folder / f"survey{person}a0.log").write_text("age 20s\nexp dabbling\n")
        for number in range(games):
            name, before = f"{person}a{number}", f"{person}a{number - 1}" if number else ""
            write_log(folder, name, random_game(1 + person * games + number), before)


def random_game(seed: int, turns: int = 20) -> Record:
    """Return a game of random legal moves with the deck of a seed, stopped after some turns."""
    draw, deck = np.random.default_rng(seed), deck_of(seed)
    state = full_game(2).new_states(1)[0]
    deal_deck(state, np.array(deck, np.uint8))
    actions: list[int] = []
    while len(actions) < turns and not state.table.over:
        actions.append(int(draw.choice(listed_moves(legal_moves(state.table, state.hands)))))
        apply(state, actions[-1])
    over = bool(state.table.over)
    players = ["eger-full", "P001"]
    return Record(players=players, seed=seed, deck=deck, actions=actions, aborted=not over)


@cache  # no test changes the arrays
def careful_logs(players: int, games: int, seed: int) -> GameLogs:
    """Return games of players that play every playable card and no other, else move at random."""
    random = np.random.default_rng(seed)
    variant = full_game(players)
    decks, actions = [], []
    for _ in range(games):
        state = variant.new_states(1)[0]
        state.deck[:] = random.permutation(variant.full_deck())
        deal(state, 0)
        while legal := legal_moves(state.table, state.hands):
            moves = [move for move in range(48) if legal >> move & 1]
            others = [move for move in moves if not _is_play(state, move)]
            moves = [move for move in moves if _fits(state, move)] or others
            apply(state, int(random.choice(moves)))
        decks.append(state.deck.tolist())
        actions.append(state.table.actions[: state.table.turn].tolist())
    return logs_of(players, decks, actions)


def _is_play(state: np.record, move: int) -> bool:
    hand_size = int(state.table.hand_size)
    return hand_size <= move < 2 * hand_size


def _fits(state: np.record, move: int) -> bool:
    """Whether a move is a play of a card that its firework needs next."""
    table = state.table
    if not _is_play(state, move):
        return False
    slot = table.order[table.current, move - int(table.hand_size)]
    colour, rank = divmod(int(state.hands[table.current, slot]), 5)
    return rank == table.fireworks[colour]
