"""The niche of a player, and ``niche`` as the published program of Canaan et al. 2020 plays it."""

import numpy as np
import pytest

from hoad.adhoc_player import play_episodes
from hoad.agents import get_agent, play
from hoad.agents.agent import Batch
from hoad.agents.behaviour import (
    HINTS,
    KNOWN,
    OBSERVABLE,
    OPPORTUNITIES,
    PLAYS,
    count_behaviour,
    features_of,
)
from hoad.bayes.features import behaviour_between_moves
from hoad.bayes.matchups import Matchups
from hoad.bayes.niche import NicheBelief
from hoad.bayes.pool import Pool, agents_of
from hoad.bayes.published_niche import PublishedNicheMetaAgent, count_as_published
from hoad.core.errors import HoadError
from hoad.evolution.map_elites import niches_of
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT, PLAY
from hoad.game.rules import apply, deal_deck
from hoad.game.state import full_game

GRID = (4, 4)
NO_RESPONSES = np.zeros(10, np.int64)


@pytest.fixture(scope="module")
def logs():
    return play([get_agent("iggi"), get_agent("piers")], 10, seed=5)


def niche_of(features):
    return tuple(int(index) for index in np.minimum(np.floor(features * 4), 3))


def pool_of(niches, features=OBSERVABLE):
    return Pool(tuple(map(str, niches)), tuple(niches), GRID, features)


def test_belief_is_in_the_niche_that_all_games_so_far_show(logs):
    everywhere = [(c, i) for c in range(4) for i in range(4)]
    belief = NicheBelief(pool_of(everywhere))
    belief.begin(10)
    for _ in range(2):
        belief.update(logs, 0, NO_RESPONSES)
    belief.update(logs.select(np.arange(10)[::-1]), 0, NO_RESPONSES)

    counts = count_behaviour(logs)[:, 1]
    shown = features_of(2 * counts + counts[::-1])
    np.testing.assert_allclose(belief.estimates, shown)
    believed = [everywhere[index] for index in belief.probabilities.argmax(1)]
    assert believed == [niche_of(features) for features in shown]
    assert (belief.probabilities.max(1) == 1).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_partner_is_the_other_seat(logs, seat):
    belief = NicheBelief(pool_of([(0, 0)]))
    belief.begin(10)

    belief.update(logs, seat, NO_RESPONSES)

    shown = features_of(count_behaviour(logs)[:, 1 - seat])
    np.testing.assert_allclose(belief.estimates, shown)


def test_hypotheses_of_one_niche_share_the_belief(logs):
    [niche] = {niche_of(features_of(count_behaviour(logs)[:1, 1].sum(0)))}
    belief = NicheBelief(pool_of([niche, (0, 0), niche]))
    belief.begin(1)

    belief.update(logs.select(np.array([0])), 0, NO_RESPONSES[:1])

    assert belief.probabilities.tolist() == [[0.5, 0, 0.5]]


def test_belief_is_uniform_in_a_niche_where_nobody_lives(logs):
    belief = NicheBelief(pool_of([(0, 0), (0, 1)]))
    belief.begin(10)

    belief.update(logs, 0, NO_RESPONSES)

    np.testing.assert_array_equal(belief.probabilities, np.full((10, 2), 0.5))


def test_belief_is_uniform_until_enough_turns_are_seen(logs):
    one = logs.select(np.array([0]))
    counts = count_behaviour(one)[0, 1]
    niche = niche_of(features_of(counts))
    for threshold, expected in ((counts[OPPORTUNITIES], 0.5), (counts[OPPORTUNITIES] - 1, 1.0)):
        belief = NicheBelief(pool_of([niche, (0, 0)]), int(threshold))
        belief.begin(1)
        assert belief.probabilities[0, 0] == 0.5

        belief.update(one, 0, NO_RESPONSES[:1])

        assert belief.probabilities[0, 0] == expected


def test_ratios_on_the_border_of_a_niche_are_in_the_niche_of_evolution(monkeypatch):
    """As a product, 29 / 50 of 50 niches comes to less than 29."""
    features = np.array([[29 / 50, 0.5]])
    niches = [(28, 25), (29, 25)]
    belief = NicheBelief(Pool(("28", "29"), tuple(niches), (50, 50), OBSERVABLE), threshold=-1)
    belief.begin(1)
    monkeypatch.setattr(NicheBelief, "estimates", features)

    assert niches_of(features, (50, 50)).tolist() == [29 * 50 + 25]
    assert belief.probabilities.tolist() == [[0, 1]]


def test_agents_without_a_niche_or_with_one_that_a_partner_does_not_see_are_refused():
    with pytest.raises(HoadError, match="no niche"):
        NicheBelief(pool_of([(0, 0), None]))
    with pytest.raises(HoadError, match="risk_aversion"):
        NicheBelief(pool_of([(0, 0)], ("risk_aversion", "communicativeness")))


# ``niche`` as the published program of Canaan et al. 2020 plays it.


NAMES = ("iggi", "piers", "outer", "flawed")
NICHES = ((0, 0), (0, 1), (1, 0), (1, 1))


@pytest.fixture(scope="module")
def twenty_games() -> GameLogs:
    return play([get_agent("iggi"), get_agent("piers")], 20, seed=5)


def matchups(scores: np.ndarray) -> Matchups:
    size = len(scores)
    return Matchups(NAMES[:size], scores, scores, np.zeros((size, size, 2, 2)))


def meta_agent(
    niches: tuple[tuple[int, int], ...], best: tuple[int, ...]
) -> PublishedNicheMetaAgent:
    """Return the one for which ``best`` names the best response to each hypothesis."""
    size = len(niches)
    scores = np.zeros((size, size))
    scores[list(best), range(size)] = 1
    known = matchups(scores)
    pool = Pool(known.agents, niches, (2, 2), OBSERVABLE)
    return PublishedNicheMetaAgent("niche", pool, known)


@pytest.mark.parametrize("seat", [0, 1])
def test_all_but_attributes_are_counted_between_its_own_moves(twenty_games, seat):
    counts, shown = (
        count_as_published(twenty_games, seat),
        behaviour_between_moves(twenty_games, seat),
    )

    for column in (HINTS, OPPORTUNITIES, PLAYS):
        assert counts[:, column].tolist() == shown[:, column].tolist()
    assert (counts[:, KNOWN] <= shown[:, KNOWN]).all()
    assert counts[:, KNOWN].sum() < shown[:, KNOWN].sum()


@pytest.mark.parametrize("hints", [("colour", "rank 3"), ("rank 3", "colour")])
def test_what_its_last_hint_told_is_not_counted(hints):
    twenty_games = _game_of_hints(*hints)

    assert count_behaviour(twenty_games)[0, 1, KNOWN] == 2
    assert count_as_published(twenty_games, 0)[0, KNOWN] == 1


def test_what_its_earlier_hints_told_is_counted():
    twenty_games = _game_of_hints("colour", "rank 3", "rank 4")

    assert count_as_published(twenty_games, 0)[0, KNOWN] == 2


def _game_of_hints(*hints: str) -> GameLogs:
    """Return a game in which seat 0 gives hints, then seat 1 plays its first card, a 3.

    Seat 1 holds 3, 3, 4, 4 and 5 of the first colour. It gives a hint after each but the last.
    """
    actions = {"colour": COLOUR_HINT, "rank 3": COLOUR_HINT + 5 + 2, "rank 4": COLOUR_HINT + 5 + 3}
    moves = [move for hint in hints for move in (actions[hint], COLOUR_HINT)]
    moves[-1:] = [PLAY, 0]
    deck = full_game(2).full_deck()[None]
    return GameLogs(2, deck, np.array(moves, np.uint8), np.array([0, len(moves)]))


def test_it_responds_to_the_niche_at_every_turn(twenty_games):
    """Its moves in recorded games are those of the response to what it has counted so far."""
    player = meta_agent(NICHES, best=(1, 2, 3, 0))
    player.begin(1, seed=0)
    [agent] = player.agents(0, seat=0)
    answers = {(0, 0): "piers", (0, 1): "outer", (1, 0): "flawed", (1, 1): "iggi"}
    memory = player.memory(0, seat=0)
    state = full_game(2).new_states(1)
    seen = set()
    deal_deck(state[0], twenty_games.decks[0])
    for index in range(twenty_games.offsets[1]):
        action = int(twenty_games.actions[index])
        if int(state[0]["table"]["current"]) == 0:
            beginning = GameLogs(
                2,
                twenty_games.decks[:1],
                np.append(twenty_games.actions[:index], 0),
                np.array([0, index + 1]),
            )
            counted = count_as_published(beginning, 0)[0]
            niche = (
                _half(counted[HINTS], counted[OPPORTUNITIES]),
                _half(counted[KNOWN], 2 * counted[PLAYS]),
            )
            seen.add(niche)
            response = get_agent(answers[niche])
            expected = response.weights(Batch(state, 0, response.new_memory(1)))
            assert agent.weights(Batch(state, 0, memory)).tolist() == expected.tolist()
        agent.observe(state, 0, memory, np.array([action], np.uint8))
        apply(state[0], action)
    assert len(seen) > 1


def _half(pieces: int, chances: int) -> int:
    return int(chances > 0 and 2 * pieces >= chances)


def test_an_empty_niche_is_answered_by_the_elite_of_the_first():
    player = meta_agent(((0, 0), (1, 0)), best=(1, 1))
    player.begin(1, seed=0)
    [agent] = player.agents(0, seat=0)
    memory = player.memory(0, seat=0)
    counts = memory[:, :16].view(np.int32)
    counts[0, [HINTS, OPPORTUNITIES, PLAYS, KNOWN]] = 0, 10, 10, 20  # niche (0, 1)
    states = full_game(2).new_states(1)
    deal_deck(states[0], play([get_agent("iggi")] * 2, 1, seed=3).decks[0])

    first = agents_of(NAMES)[0]
    expected = first.weights(Batch(states, 0, first.new_memory(1)))
    assert agent.weights(Batch(states, 0, memory)).tolist() == expected.tolist()


def test_its_history_goes_on_from_game_to_game(twenty_games):
    player = meta_agent(NICHES, best=(0, 0, 0, 0))
    player.begin(len(twenty_games), seed=0)

    for game in range(3):
        player.agents(game, seat=0)
        player.watch(game, 0, twenty_games)

    counted = 3 * count_as_published(twenty_games, 0)[:, : KNOWN + 1].astype(np.int32)
    assert player.memory(3, seat=0)[:, :16].view(np.int32).tolist() == counted.tolist()
    assert play_episodes(player, get_agent("piers"), 2, 4, seed=2).strict.max() > 0


def test_other_agents_than_rule_lists_are_refused():
    scores = np.zeros((1, 1))
    known = Matchups(("simplebot",), scores, scores, np.zeros((1, 1, 2, 2)))
    pool = Pool(known.agents, ((0, 0),), (2, 2), OBSERVABLE)

    with pytest.raises(HoadError, match="rule lists only"):
        PublishedNicheMetaAgent("niche", pool, known)
