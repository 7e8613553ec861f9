"""The niche of a player, and ``niche`` as the published program of Canaan et al. 2020 plays it."""

import numpy as np
import pytest

from hoad.adhoc_player import play_episodes
from hoad.agents import behaviour, get_agent, play
from hoad.agents.agent import Batch
from hoad.agents.imagined import last_states
from hoad.bayes.features import behaviour_between_moves
from hoad.bayes.matchups import Matchups
from hoad.bayes.niche import NicheBelief, PublishedNicheMetaAgent, count_as_published
from hoad.bayes.pool import Pool, agents_of
from hoad.core.errors import HoadError
from hoad.evolution.map_elites import niches_of
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT, PLAY
from hoad.game.state import full_game
from tests.game.examples import up_to

GRID = (4, 4)
NO_RESPONSES = np.zeros(10, np.int64)


@pytest.fixture(scope="module")
def logs():
    return play([get_agent("iggi"), get_agent("piers")], 10, seed=5)


def niche_of(features):
    return tuple(int(index) for index in np.minimum(np.floor(features * 4), 3))


def pool_of(niches, features=behaviour.OBSERVABLE):
    return Pool(tuple(map(str, niches)), tuple(niches), GRID, features)


@pytest.mark.parametrize("seat", [0, 1])
def test_belief_is_in_the_niche_that_all_games_of_the_other_seat_so_far_show(logs, seat):
    everywhere = [(c, i) for c in range(4) for i in range(4)]
    belief = NicheBelief(pool_of(everywhere))
    belief.begin(10)
    for _ in range(2):
        belief.update(logs, seat, NO_RESPONSES)
    belief.update(logs.select(np.arange(10)[::-1]), seat, NO_RESPONSES)

    counts = behaviour.count_behaviour(logs)[:, 1 - seat]
    shown = behaviour.features_of(2 * counts + counts[::-1])
    np.testing.assert_allclose(belief.estimates, shown)
    believed = [everywhere[index] for index in belief.probabilities.argmax(1)]
    assert believed == [niche_of(features) for features in shown]
    assert (belief.probabilities.max(1) == 1).all()


def test_hypotheses_of_one_niche_share_the_belief_which_is_uniform_until_enough_is_seen(logs):
    one = logs.select(np.array([0]))
    counts = behaviour.count_behaviour(one)[0, 1]
    niche, turns = niche_of(behaviour.features_of(counts)), int(counts[behaviour.OPPORTUNITIES])
    for niches, threshold, expected in (
        ([niche, (0, 0), niche], turns - 1, [0.5, 0, 0.5]),
        ([niche, (0, 0)], turns - 1, [1, 0]),
        ([niche, (0, 0)], turns, [0.5, 0.5]),
        ([(0, 0), (0, 1)], turns - 1, [0.5, 0.5]),  # nobody lives in the niche
    ):
        belief = NicheBelief(pool_of(niches), threshold)
        belief.begin(1)
        assert belief.probabilities == pytest.approx(1 / len(niches))

        belief.update(one, 0, NO_RESPONSES[:1])

        assert belief.probabilities.tolist() == [expected]


def test_ratios_on_the_border_of_a_niche_are_in_the_niche_of_evolution(monkeypatch):
    """As a product, 29 / 50 of 50 niches comes to less than 29."""
    features = np.array([[29 / 50, 0.5]])
    niches = [(28, 25), (29, 25)]
    belief = NicheBelief(
        Pool(("28", "29"), tuple(niches), (50, 50), behaviour.OBSERVABLE), threshold=-1
    )
    belief.begin(1)
    monkeypatch.setattr(NicheBelief, "estimates", features)

    assert niches_of(features, (50, 50)).tolist() == [29 * 50 + 25]
    assert belief.probabilities.tolist() == [[0, 1]]


def test_agents_without_a_niche_or_with_one_that_a_partner_does_not_see_are_refused():
    with pytest.raises(HoadError, match="no niche"):
        NicheBelief(pool_of([(0, 0), None]))
    with pytest.raises(HoadError, match="risk_aversion"):
        NicheBelief(pool_of([(0, 0)], ("risk_aversion", "communicativeness")))


NAMES = ("iggi", "piers", "outer", "flawed")
NICHES = ((0, 0), (0, 1), (1, 0), (1, 1))


def meta_agent(
    niches: tuple[tuple[int, int], ...], best: tuple[int, ...], names: tuple[str, ...] = NAMES
) -> PublishedNicheMetaAgent:
    """Return the one for which ``best`` names the best response to each hypothesis."""
    size = len(niches)
    scores = np.zeros((size, size))
    scores[list(best), range(size)] = 1
    known = Matchups(names[:size], scores, scores, np.zeros((size, size, 2, 2)))
    pool = Pool(known.agents, niches, (2, 2), behaviour.OBSERVABLE)
    return PublishedNicheMetaAgent("niche", pool, known)


@pytest.mark.parametrize("seat", [0, 1])
def test_all_but_attributes_are_counted_between_its_own_moves(logs, seat):
    counts, shown = count_as_published(logs, seat), behaviour_between_moves(logs, seat)

    for column in (behaviour.HINTS, behaviour.OPPORTUNITIES, behaviour.PLAYS):
        assert counts[:, column].tolist() == shown[:, column].tolist()
    assert (counts[:, behaviour.KNOWN] <= shown[:, behaviour.KNOWN]).all()
    assert counts[:, behaviour.KNOWN].sum() < shown[:, behaviour.KNOWN].sum()


@pytest.mark.parametrize(
    ("hints", "counted"),
    [(["colour", "rank 3"], 1), (["rank 3", "colour"], 1), (["colour", "rank 3", "rank 4"], 2)],
)
def test_what_its_last_hint_told_is_not_counted_but_that_of_earlier_ones(hints, counted):
    games = _game_of_hints(*hints)

    assert behaviour.count_behaviour(games)[0, 1, behaviour.KNOWN] == 2
    assert count_as_published(games, 0)[0, behaviour.KNOWN] == counted


def _game_of_hints(*hints: str) -> GameLogs:
    """Return a game in which seat 0 gives hints, then seat 1 plays its first card, a 3.

    Seat 1 holds 3, 3, 4, 4 and 5 of the first colour. It gives a hint after each but the last.
    """
    actions = {"colour": COLOUR_HINT, "rank 3": COLOUR_HINT + 5 + 2, "rank 4": COLOUR_HINT + 5 + 3}
    moves = [move for hint in hints for move in (actions[hint], COLOUR_HINT)]
    moves[-1:] = [PLAY, 0]
    deck = full_game(2).full_deck()[None]
    return GameLogs(2, deck, np.array(moves, np.uint8), np.array([0, len(moves)]))


def test_it_responds_to_the_niche_at_every_turn(logs):
    """Its moves in recorded games are those of the response to what it has counted so far."""
    player = meta_agent(NICHES, best=(1, 2, 3, 0))
    player.begin(1, seed=0)
    [agent] = player.agents(0, seat=0)
    answers = {(0, 0): "piers", (0, 1): "outer", (1, 0): "flawed", (1, 1): "iggi"}
    memory = player.memory(0, seat=0)
    game, seen = logs.select(np.array([0])), set()
    for turn, action in enumerate(game.actions):
        state = last_states(up_to(game, turn))
        if turn % 2 == 0:
            counted = count_as_published(up_to(game, turn + 1), 0)[0]
            niche = (
                _half(counted[behaviour.HINTS], counted[behaviour.OPPORTUNITIES]),
                _half(counted[behaviour.KNOWN], 2 * counted[behaviour.PLAYS]),
            )
            seen.add(niche)
            response = get_agent(answers[niche])
            expected = response.weights(Batch(state, 0, response.new_memory(1)))
            assert agent.weights(Batch(state, 0, memory)).tolist() == expected.tolist()
        agent.observe(state, 0, memory, np.array([action], np.uint8))
    assert len(seen) > 1


def _half(pieces: int, chances: int) -> int:
    return int(chances > 0 and 2 * pieces >= chances)


def test_an_empty_niche_is_answered_by_the_elite_of_the_first(logs):
    player = meta_agent(((0, 0), (1, 0)), best=(1, 1))
    player.begin(1, seed=0)
    [agent] = player.agents(0, seat=0)
    memory, states = player.memory(0, seat=0), last_states(up_to(logs.select(np.array([0])), 0))
    columns = [behaviour.HINTS, behaviour.OPPORTUNITIES, behaviour.PLAYS, behaviour.KNOWN]
    memory[:, :16].view(np.int32)[0, columns] = [0, 10, 10, 20]  # niche (0, 1)

    first = agents_of(NAMES)[0]
    expected = first.weights(Batch(states, 0, first.new_memory(1)))
    assert agent.weights(Batch(states, 0, memory)).tolist() == expected.tolist()


def test_its_history_goes_on_from_game_to_game(logs):
    player = meta_agent(NICHES, best=(0, 0, 0, 0))
    player.begin(len(logs), seed=0)

    for game in range(3):
        player.agents(game, seat=0)
        player.watch(game, 0, logs)

    counted = 3 * count_as_published(logs, 0)[:, : behaviour.KNOWN + 1].astype(np.int32)
    assert player.memory(3, seat=0)[:, :16].view(np.int32).tolist() == counted.tolist()
    assert play_episodes(player, get_agent("piers"), 2, 4, seed=2).strict.max() > 0


def test_other_agents_than_rule_lists_are_refused():
    with pytest.raises(HoadError, match="rule lists only"):
        meta_agent(((0, 0),), (0,), ("simplebot",))
