"""Beliefs about the agent and the person."""

import numpy as np

from hoad.agents import get_agent, play
from hoad.agents.imagined import imagine
from hoad.game.game import Game
from hoad.game.state import full_game
from hoad.human.beliefs import STRANGER, BeliefInPartner, belief_by_game, pool_names


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
