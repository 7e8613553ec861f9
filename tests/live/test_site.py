"""Addresses and accounts, and the command that takes them."""

import pytest

from hoad.core.errors import HoadError
from hoad.live.protocol import CHANGED_RULES, refusal
from hoad.live.site import Account, Site
from tests.scripts import assert_refused, run_here

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
def test_one_address_says_where_to_log_in_and_to_play(
    address: str, login: str, socket: str
) -> None:
    site = Site(address)

    assert (site.login, site.socket) == (login, socket)


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org",
        "ws://127.0.0.1",
        "example.org",
        "https://",
        "https://me:pw@example.org",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(HoadError):
        Site(address)


@pytest.mark.parametrize("name", ["hoad", "bot-hoad", "Alice", ""])
def test_names_that_do_not_say_bot_are_refused(name: str) -> None:
    with pytest.raises(HoadError, match="Bot-"):
        Account(name, "secret")


def test_the_password_is_in_no_text_of_an_account() -> None:
    assert "secret" not in f"{Account('Bot-x', 'secret')!r} {Account('Bot-x', 'secret')}"


def test_plain_games_of_two_are_accepted() -> None:
    assert refusal(PLAIN, 2) is None


@pytest.mark.parametrize("change", [{"variantName": "Null"}, {"startingPlayer": 1}])
def test_other_games_are_refused(change: dict[str, object]) -> None:
    assert refusal(PLAIN | change, 2) is not None
    assert refusal(PLAIN, 3) is not None


@pytest.mark.parametrize("option", CHANGED_RULES)
def test_options_that_change_the_rules_are_named(option: str) -> None:
    assert option in (refusal(PLAIN | {option: True}, 2) or "")


def test_the_command_needs_an_address() -> None:
    assert_refused(run_here("hanab_live.py", "iggi"), "--site")


@pytest.mark.parametrize(
    ("agent", "name", "named"),
    [("iggi", "hoad", "Bot-"), ("cheatbot", "Bot-x", "cheatbot"), ("iggi", "", "HANAB_LIVE_NAME")],
)
def test_the_command_refuses_before_it_connects(agent: str, name: str, named: str) -> None:
    secrets = {"HANAB_LIVE_NAME": name, "HANAB_LIVE_PASSWORD": "secret"}

    done = run_here("hanab_live.py", agent, "--site", "http://127.0.0.1:1", **secrets)

    assert_refused(done, named)
    assert "secret" not in done.stderr
