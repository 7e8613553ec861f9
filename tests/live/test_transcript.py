"""Addresses and accounts, and a game as the server tells it to a player."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import Agent, get_agent, play
from hoad.agents.agent import new_view, see
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.game.rules import replay_moves
from hoad.game.state import full_game
from hoad.live.protocol import CHANGED_RULES, read_told, refusal
from hoad.live.seat import Seat
from hoad.live.site import Account, Site
from hoad.live.transcript import Transcript
from hoad.replay.formats.hanab_live import game_of
from hoad.replay.formats.jsonl import Record
from tests.live.server import Game, scrubbed
from tests.scripts import assert_refused, run_here

AGENTS = ["iggi", "legal-random", "valuebot"]
LOGS = play([get_agent("iggi")] * 2, 1, seed=1)


def recorded(logs: GameLogs) -> dict[str, Any]:
    deck, actions = logs.decks[0].tolist(), logs.actions.tolist()
    return game_of(Record(players=["a", "b"], deck=deck, actions=actions))


def hear(transcript: Transcript, told: list[dict[str, Any]]) -> None:
    for one in told:
        if (action := read_told(scrubbed(one, transcript.seat))) is not None:
            transcript.add(action)


def told_games(logs: GameLogs, seat: int) -> Iterator[tuple[Transcript, Game]]:
    """Yield a game, told to a player, whenever that player is to move; and its end."""
    transcript, game = begun(logs, seat)
    while game.expected is not None:
        if game.seat == seat:
            yield transcript, game
        hear(transcript, game.make(game.expected))
    yield transcript, game


def begun(logs: GameLogs, seat: int) -> tuple[Transcript, Game]:
    """Return a game that has just begun, as it is told to a player."""
    transcript, game = Transcript(seat), Game(recorded(logs))
    hear(transcript, game.told)
    return transcript, game


def view(deck: np.ndarray, actions: list[int], seat: int) -> tuple[bytes, bytes]:
    """All that a player sees: the table, and the hands without its own."""
    state = full_game(2).new_states(1)[0]
    replay_moves(state, deck, np.array(actions, np.uint8))
    hands = new_view()
    see(state, seat, hands)
    return state.table.tobytes(), hands.tobytes()


@given(
    names=st.tuples(st.sampled_from(AGENTS), st.sampled_from(AGENTS)),
    seed=st.integers(0, 1_000),
    seat=st.integers(0, 1),
)
@settings(max_examples=15, deadline=None)
def test_the_player_sees_what_the_true_game_shows(
    names: tuple[str, str], seed: int, seat: int
) -> None:
    logs = play([get_agent(name) for name in names], 1, seed)

    for transcript, game in told_games(logs, seat):
        turn = len(game.made)
        assert transcript.actions == logs.actions[:turn].tolist()
        assert transcript.my_turn == (turn % 2 == seat and game.expected is not None)
        deck = transcript.deck()
        assert view(deck, transcript.actions, seat) == view(logs.decks[0], transcript.actions, seat)
        assert sorted(deck) == sorted(logs.decks[0])
        if game.expected is not None and game.seat == seat:
            assert transcript.action_of(int(logs.actions[turn])) == game.expected
    assert transcript.over
    assert transcript.score == sum(game.stacks)


def test_the_player_waits_for_the_card_that_its_partner_draws() -> None:
    transcript, game = begun(LOGS, 1)
    game.tokens = 7
    told = game.make({"type": 1, "target": 0})  # a discard

    removed, drawn = [one for one in told if one["type"] in ("discard", "draw")]
    hear(transcript, [removed])
    assert not transcript.my_turn
    hear(transcript, [drawn])
    assert transcript.my_turn


@pytest.mark.parametrize(
    "told",
    [
        {"type": "discard", "playerIndex": 1, "order": 5, "suitIndex": 0, "rank": 1},
        {"type": "discard", "playerIndex": 0, "order": 7, "suitIndex": 0, "rank": 1},
        {"type": "clue", "clue": {"type": 1, "value": 9}, "giver": 0, "target": 1, "list": []},
        {"type": "clue", "clue": {"type": 1, "value": 1}, "giver": 0, "target": 0, "list": []},
    ],
    ids=["wrong turn", "not held", "no such clue", "to itself"],
)
def test_a_game_that_is_told_out_of_order_is_refused(told: dict[str, Any]) -> None:
    transcript, _ = begun(LOGS, 1)

    with pytest.raises(HoadError, match="turn 0"):
        hear(transcript, [told])


def test_clues_that_no_cards_agree_with_are_refused() -> None:
    transcript, _ = begun(LOGS, 1)
    everything = {"clue": {"type": 1, "value": 5}, "list": [5, 6, 7, 8, 9]}
    hear(transcript, [{"type": "clue", "giver": 0, "target": 1, **everything}])
    transcript.deck()
    hear(transcript, [{"type": "clue", "giver": 1, "target": 0, **everything, "list": []}])
    nothing = {"clue": {"type": 1, "value": 5}, "list": []}
    hear(transcript, [{"type": "clue", "giver": 0, "target": 1, **nothing}])

    with pytest.raises(HoadError, match="no cards agree"):
        transcript.deck()


def choices(agent: Agent, logs: GameLogs, seat: int, late: int = 0) -> list[int]:
    """The moves of an agent that is asked from some turn on."""
    player = Seat(agent, seat, seed=7, game=3)
    return [
        player.choose(transcript.deck(), list(transcript.actions))
        for transcript, game in told_games(logs, seat)
        if game.expected is not None and len(game.made) >= late
    ]


@pytest.mark.parametrize("name", ["noisy:0.4:valuebot", "bayes-moves:iggi+piers"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_makes_the_moves_of_hoads_own_game_also_if_asked_again(name: str, seat: int) -> None:
    agents = [get_agent("iggi"), get_agent("iggi")]
    agents[seat] = get_agent(name)
    logs = play(agents, 1, seed=7, first_game=3)
    own = logs.actions[: len(recorded(logs)["actions"])][seat::2].tolist()

    assert choices(get_agent(name), logs, seat) == own
    assert choices(get_agent(name), logs, seat, late=9) == own[-len(own) + (10 - seat) // 2 :]
    again = Seat(get_agent("legal-random"), 0, seed=1, game=0)
    assert len({again.choose(logs.decks[0], []) for _ in range(20)}) == 1


@pytest.mark.parametrize("clues", [9, 128, 129, 256, 100_000])
def test_more_clues_than_there_are_tokens_break_the_rules(clues: int) -> None:
    transcript, game = begun(LOGS, clues % 2)
    partners = {0: game.told[5], 1: game.told[0]}

    with pytest.raises(HoadError, match=r"turn (8: .* breaks the rules|128: .* so many turns)"):
        for turn in range(clues):
            touched = partners[turn % 2]
            clue = {"type": 1, "value": touched["rank"]}
            told = {"type": "clue", "clue": clue, "giver": turn % 2, "target": 1 - turn % 2}
            clue_told = read_told({**told, "list": [touched["order"]]})
            assert clue_told is not None
            transcript.add(clue_told)
        transcript.deck()


PLAIN = {"variantName": "No Variant", "startingPlayer": 0, "timed": True}


@pytest.mark.parametrize(
    ("address", "login", "socket"),
    [
        ("https://example.org", "https://example.org/login", "wss://example.org/ws"),
        ("http://127.0.0.1:81/", "http://127.0.0.1:81/login", "ws://127.0.0.1:81/ws"),
        ("http://localhost:81", "http://localhost:81/login", "ws://localhost:81/ws"),
        ("http://[::1]:81", "http://[::1]:81/login", "ws://[::1]:81/ws"),
    ],
)
def test_an_address_says_where_to_log_in_and_play(address: str, login: str, socket: str) -> None:
    site = Site(address)

    assert (site.login, site.socket) == (login, socket)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        *(("http://example.org", ""), ("ws://127.0.0.1", ""), ("example.org", "")),
        *(("https://", ""), ("https://me:pw@example.org", "")),
        *(
            ("HTTPS://example.org", ""),
            ("https://example.org?a", ""),
            ("https://example.org/#a", ""),
        ),
        *(
            (f"http{rest}", "https://HOST:PORT")
            for rest in ("://[bad/", "s://h:port", "s://h:99999")
        ),
    ],
)
def test_other_addresses_are_refused(address: str, said: str) -> None:
    with pytest.raises(HoadError, match=said or None):
        Site(address)


@pytest.mark.parametrize("name", ["hoad", "bot-hoad", "Alice", ""])
def test_names_that_do_not_say_bot_are_refused_and_passwords_not_shown(name: str) -> None:
    with pytest.raises(HoadError, match="Bot-"):
        Account(name, "secret")
    assert "secret" not in f"{Account('Bot-x', 'secret')!r} {Account('Bot-x', 'secret')}"


def test_other_games_than_plain_ones_of_two_are_refused() -> None:
    assert refusal(PLAIN, 2) is None
    assert refusal(PLAIN, 3) is not None
    for change in ({"variantName": "Null"}, {"startingPlayer": 1}):
        assert refusal(PLAIN | change, 2) is not None
    for option in CHANGED_RULES:
        assert option in (refusal(PLAIN | {option: True}, 2) or "")


@pytest.mark.parametrize(
    ("agent", "name", "named"),
    [("iggi", "hoad", "Bot-"), ("cheatbot", "Bot-x", "cheatbot"), ("iggi", "", "HANAB_LIVE_NAME")],
)
def test_the_command_refuses_before_it_connects(agent: str, name: str, named: str) -> None:
    secrets = {"HANAB_LIVE_NAME": name, "HANAB_LIVE_PASSWORD": "secret"}

    done = run_here("hanab_live.py", agent, "--site", "http://127.0.0.1:1", **secrets)

    assert_refused(done, named)
    assert "secret" not in done.stderr
    assert_refused(run_here("hanab_live.py", agent), "--site")


def test_ctrl_d_in_place_of_a_name_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", mock.Mock(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", mock.Mock(side_effect=EOFError))

    done = run_here("hanab_live.py", "iggi", "--site", "http://127.0.0.1:1")

    assert_refused(done, "no HANAB_LIVE_NAME was typed")
