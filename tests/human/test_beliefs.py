"""Beliefs about the agent, the person and cards."""

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.imagined import imagine
from hoad.game.game import Game
from hoad.game.state import full_game
from hoad.human.beliefs import STRANGER, BeliefInPartner, belief_by_game, card_odds, pool_names
from tests.game.examples import deck_from


def test_all_fair_compiled_agents_are_hypotheses() -> None:
    names = pool_names()

    assert {"iggi", "holmesbot", "wtfwt", "fireflower"} < set(names)
    assert not {"cheatbot", "rainbow"} & set(names)
    assert names[-1] == STRANGER


def test_the_belief_finds_the_partner_and_follows_move_by_move() -> None:
    logs = play([get_agent("piers"), get_agent("holmesbot")], 1, seed=4)
    actions = logs.actions.tolist()
    whole, by_move = (BeliefInPartner(0, logs.decks[0]) for _ in range(2))

    whole.follow(actions)
    for turn in range(len(actions) + 1):
        by_move.follow(actions[:turn])

    assert np.array_equal(whole.beliefs, by_move.beliefs)
    assert len(whole.beliefs) == len(actions) + 1
    assert np.allclose(np.sum(whole.beliefs, axis=1), 1)
    assert dict(zip(pool_names(), whole.beliefs[-1], strict=True))["holmesbot"] > 0.9


def test_the_belief_does_not_see_what_is_hidden_from_the_player() -> None:
    logs = play([get_agent("piers"), get_agent("iggi")], 1, seed=4)
    actions = logs.actions[:12].tolist()
    game = Game(deck=logs.decks[0])
    for action in actions:
        game.step(action)
    now = full_game(2).new_states(1)
    now[0] = game.state
    other, hands = imagine(now, 0, 1)  # the same game with other hidden cards

    beliefs = []
    for deck in (logs.decks[0], other[0, 0]):
        belief = BeliefInPartner(0, deck)
        belief.follow(actions)
        beliefs.append(belief.beliefs)

    assert not np.array_equal(hands[0, 0], game.state.hands[0])
    assert np.array_equal(beliefs[0], beliefs[1])


def test_the_belief_in_a_person_grows_by_game() -> None:
    logs = play([get_agent("outer"), get_agent("iggi")], 3, seed=1)

    beliefs = belief_by_game(logs, [0, 0, 0])

    shares = [dict(zip(pool_names(), belief, strict=True)) for belief in beliefs]
    assert [max(share, key=share.__getitem__) for share in shares] == ["outer"] * 3
    assert shares[2]["outer"] >= shares[0]["outer"]


@pytest.mark.parametrize(("sees_partner", "share"), [(False, 3 / 50), (True, 1 / 45)])
def test_odds_are_shares_of_the_copies_that_are_not_seen(sees_partner: bool, share: float) -> None:
    game = Game(deck=deck_from([0, 0, 1, 2, 3, 15, 15, 20, 5, 10]))  # two of the red 1s at 0

    odds = card_odds(game.state, 1, sees_partner)

    assert np.shape(odds) == (5, 25)
    assert [card[0] for card in odds] == pytest.approx([share] * 5)


def test_hints_leave_some_cards_only() -> None:
    game = Game(deck=deck_from([0, 0, 1, 2, 3, 15, 15, 20, 5, 10]))
    game.step("hint white")

    first, *_, last = card_odds(game.state, 1, sees_partner=True)

    assert np.flatnonzero(first).tolist() == [15, 16, 17, 18, 19]
    assert not any(last[15:20])
