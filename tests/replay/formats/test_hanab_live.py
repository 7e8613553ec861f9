import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of, replay
from hoad.game.moves import move_id
from hoad.game.rules import apply, deal_deck
from hoad.game.state import Variant, full_game
from hoad.replay.formats.hanab_live import ADDRESS, find_end, game_of, link_of, sources, stopped
from hoad.replay.formats.jsonl import Record
from tests.game import examples
from tests.game.examples import random_logs
from tests.replay.formats.records import NAMES, careful_logs, find_ends, read_all, records_of

FULL_DECK = full_game(2).full_deck().tolist()


def games_of(logs: GameLogs) -> list[dict[str, Any]]:
    """The games in the site's format."""
    return [game_of(record) for record in records_of(logs)]


def opening(variant: Variant, names: list[str]) -> dict[str, Any]:
    """A game of a full deck in order, with these moves."""
    moves = [move_id(variant, name) for name in names]
    return game_of(Record(players=list(NAMES[: variant.players]), deck=FULL_DECK, actions=moves))


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


@pytest.fixture
def game() -> dict[str, Any]:
    return games_of(random_logs(2, 1, 7))[0]


@settings(deadline=None, max_examples=20)
@given(players=st.integers(2, 5), count=st.integers(1, 3), seed=st.integers(0, 999))
def test_games_survive_the_way_there_and_back(players: int, count: int, seed: int) -> None:
    logs = careful_logs(players, count, seed)
    ends, _ = find_ends(logs)

    with tempfile.TemporaryDirectory() as folder:
        records = read_all(sources(write(Path(folder, "a.json"), games_of(logs))))

    for number, record in enumerate(records):
        assert record.deck == logs.decks[number].tolist()
        assert record.actions == logs.actions_of(number)[: ends[number]].tolist()
        assert bool(record.aborted) == (len(record.actions) < len(logs.actions_of(number)))


def test_moves_are_told_as_the_site_tells_them() -> None:
    variant = full_game(3)
    names = ["play 0", "hint green +2", "discard 4", "hint 3", "discard 0"]

    actions = opening(variant, names)["actions"]

    assert actions == [
        {"type": 0, "target": 0},  # player 0 plays the first card of the deck and draws card 15
        {"type": 2, "target": 0, "value": 2},
        {"type": 1, "target": 14},
        {"type": 3, "target": 1, "value": 3},
        {"type": 1, "target": 5},
    ]
    actions = opening(full_game(2), ["play 0", "hint red", "play 4"])["actions"]
    assert actions[2] == {"type": 0, "target": 10}  # a drawn card is the newest of its hand


def test_the_seed_is_empty_and_cards_are_told_by_index_and_a_link_wraps_at_twenty_characters(
    game: dict[str, Any],
) -> None:
    assert game["seed"] == ""
    assert game["options"] == {"variant": "No Variant"}
    assert len(game["deck"]) == 50
    assert {card["suitIndex"] for card in game["deck"]} == set(range(5))
    assert {card["rank"] for card in game["deck"]} == set(range(1, 6))
    parts = link_of(game).removeprefix(ADDRESS).split("-")
    assert {len(part) for part in parts[:-1]} == {20}
    assert parts[0].startswith("215")


def test_the_site_ends_a_game_in_which_no_more_points_can_be_made() -> None:
    """Both players hint twice, then discard, until the last of the fifteen 1s is gone."""
    ones = [card for card in FULL_DECK if card % 5 == 0]
    deck = ones + [card for card in FULL_DECK if card % 5 != 0]
    rounds = ["hint 1", "hint 1", "discard 0", "discard 0"] * 7
    names = [*rounds, "hint 2", "hint 1", "discard 0", "discard 0"]
    logs = logs_of(2, [deck], [[move_id(full_game(2), name) for name in names]])

    ends, exhausted = find_ends(logs)

    assert replay(logs).illegal_turn.tolist() == [-1]
    assert not replay(logs).over[0]
    assert (ends.tolist(), exhausted.tolist()) == ([31], [True])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_cutting_never_changes_the_score(players: int) -> None:
    logs = careful_logs(players, 20, 1)
    ends, exhausted = find_ends(logs)
    kept = [logs.actions_of(game)[:end].tolist() for game, end in enumerate(ends.tolist())]

    cut = replay(logs_of(players, logs.decks.tolist(), kept))

    assert (cut.scores == replay(logs).scores).all()
    shorter = ends < np.diff(logs.offsets)
    assert shorter.any()
    assert exhausted[shorter].all()


def decode(link: str) -> dict[str, Any]:
    """What the site makes of a link (its published description, read backwards)."""
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    head, moves, variant = link.removeprefix(ADDRESS).replace("-", "").split(",")
    low, high = int(head[1]), int(head[2])
    deck = [divmod(alphabet.index(char), high - low + 1) for char in head[3:]]
    first, last = int(moves[0]), int(moves[1])
    actions = []
    for index in range(2, len(moves), 2):
        value, kind = divmod(alphabet.index(moves[index]), last - first + 1)
        action = {"type": kind + first, "target": alphabet.index(moves[index + 1])}
        actions.append(action | ({"value": value - 1} if value else {}))
    return {
        "players": int(head[0]),
        "deck": [{"suitIndex": suit, "rank": rank + low} for suit, rank in deck],
        "actions": actions,
        "variant": variant,
    }


@settings(deadline=None, max_examples=20)
@given(players=st.integers(2, 5), seed=st.integers(0, 999), turns=st.integers(0, 99))
def test_a_link_holds_the_whole_game(players: int, seed: int, turns: int) -> None:
    logs = examples.random_logs(players, 1, seed)
    (game,) = games_of(logs)
    game["actions"] = game["actions"][:turns]

    for variety in (game, stopped(game)):
        found = decode(link_of(variety))

        assert found["players"] == players
        assert found["deck"] == variety["deck"]
        assert found["actions"] == variety["actions"]
        assert found["variant"] == "0"


@pytest.mark.parametrize(
    "ending", [{"type": 4, "target": 1, "value": 4}, {"type": 5, "target": -1}]
)
def test_a_game_that_was_stopped_is_marked_and_what_the_site_adds_is_allowed(
    game: dict[str, Any], tmp_path: Path, ending: dict[str, int]
) -> None:
    added = {"id": 7, "seed": "p2v0s7", "notes": [["good"], []], "characters": []}  # by the site
    actions = [*({"value": 0} | action for action in game["actions"][:5]), ending]

    path = write(tmp_path / "a.json", game | added | {"actions": actions})
    (record,) = read_all(sources(path))

    assert (len(record.actions), record.aborted) == (5, True)
    assert record.players == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"weather": "fine"}, "game 0: unknown key weather"),
        ({"options": {"variant": "Rainbow (6 Suits)"}}, "options.variant"),
        ({"options": {"deckPlays": True}}, "options.deckPlays"),
        ({"players": ["Ada"]}, "players"),
        ({"deck": []}, "deck"),
        ({"deck": [{"suitIndex": 5, "rank": 1}] * 50}, "deck.0.suitIndex"),
        ({"deck": [{"suitIndex": 0, "rank": 1}] * 50, "actions": []}, "game 0: the deck"),
        ({"actions": [{"type": 6, "target": 0}]}, "actions.0.type"),
        ({"actions": [{"type": 0, "target": 5}]}, "turn 0: player 0 does not hold card 5"),
        ({"actions": [{"type": 2, "target": 0, "value": 0}]}, "turn 0: player 0 cannot hint"),
        ({"actions": [{"type": 2, "target": 2, "value": 0}]}, "turn 0: player 0 cannot hint"),
        ({"actions": [{"type": 3, "target": 1, "value": 0}]}, "hints do not have the value 0"),
        ({"actions": [{"type": 2, "target": 1}]}, "hints do not have the value None"),
        ({"actions": [{"type": 1, "target": 0}]}, "game 0, turn 0: action 0 is illegal"),
        ({"actions": [{"type": 0, "target": 0}]}, "game 0, turn 1: the log ends before"),
        (
            {"actions": [{"type": 4, "target": 0}, {"type": 0, "target": 0}]},
            "turn 0: more actions come after",
        ),
    ],
)
def test_what_is_no_game_is_named(
    game: dict[str, Any], tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    path = write(tmp_path / "a.json", game | change)

    with pytest.raises(HoadError) as failure:
        read_all(sources(path))

    assert str(failure.value).startswith(f"{path}: game 0")
    assert complaint in str(failure.value)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_in_the_last_round_only_hands_that_will_be_played_count(players: int) -> None:
    in_the_last_round = 0
    for record in records_of(careful_logs(players, 100, 1)):
        state = full_game(players).new_states(1)[0]
        deal_deck(state, np.array(record.deck, np.uint8))
        expected, last_turns = None, 0  # taken by players after the last card was drawn
        for turn, action in enumerate(record.actions):
            was_empty = not state.table.deck_left
            apply(state, action)
            last_turns += was_empty
            done = {(turn - ago) % players for ago in range(last_turns)}
            cards = set(state.deck[50 - int(state.table.deck_left) :].tolist())
            for player in set(range(players)) - done:
                cards |= set(state.hands[player].tolist())
            heights = enumerate(state.table.fireworks.tolist())
            needed = {5 * colour + height for colour, height in heights if height < 5}
            if expected is None and not needed & cards:
                expected = turn + 1
                in_the_last_round += last_turns > 0
        assert find_end(record) == expected
    assert in_the_last_round > 0


@pytest.mark.parametrize(
    ("name", "turns", "score"),
    [("f01-final-round-2p.json", 60, 23), ("f02-speedrun-fail.json", 10, 4)],
)
def test_games_that_the_site_ended_are_whole(
    reference: Path, name: str, turns: int, score: int
) -> None:
    (record,) = read_all(sources(reference / "cases" / name))

    assert (len(record.actions), record.aborted) == (turns, True)
    assert replay(logs_of(2, [record.deck], [record.actions])).scores == [score]
    cut = json.loads((reference / "cases" / name).read_text())
    cut["actions"].pop()
    with pytest.raises(
        HoadError, match=f"game 0, turn {turns - 1}: the log ends before the game is over"
    ):
        read_all(sources(write(Path(tempfile.mkdtemp()) / "a.json", cut)))


def test_a_speedrun_ends_when_a_perfect_score_is_lost(tmp_path: Path) -> None:
    game = opening(full_game(2), ["hint red", "hint red", "discard 0", "discard 0"])
    last = FULL_DECK.index(4)  # the only red 5
    deck = [*FULL_DECK]
    deck[5], deck[last] = deck[last], deck[5]
    game["deck"] = [{"suitIndex": card // 5, "rank": card % 5 + 1} for card in deck]

    for speedrun in (True, False):
        path = write(tmp_path / "a.json", game | {"options": {"speedrun": speedrun}})
        if speedrun:
            assert read_all(sources(path))[0].aborted
        else:
            with pytest.raises(HoadError, match="turn 4: the log ends"):
                read_all(sources(path))
