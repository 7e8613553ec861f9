from collections.abc import Sequence

import numpy as np
import pytest

from hoad.adhoc_player import Episodes, play_episodes, seat_of
from hoad.agents import get_agent, play
from hoad.agents.agent import Agent
from hoad.bayes.belief import UniformBelief
from hoad.bayes.matchups import Matchups, known_matchups, play_matchups, scores_with
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.response import ExpectedBest
from hoad.core.errors import HoadError
from hoad.evolution.population import elite_names
from tests.bayes.meta_agents import POOL, bayes_features, generalist, oracle, random_response

EPISODES, GAMES, SEED = 40, 4, 21


@pytest.fixture(scope="module")
def matchups() -> Matchups:
    return play_matchups(POOL, games=200, seed=1)


def play_with(player: MetaAgent, partner: str, threads: int = 1) -> Episodes:
    return play_episodes(player, get_agent(partner), EPISODES, GAMES, SEED, threads)


def names_of(agents: Sequence[Agent]) -> list[str]:
    return [agent.name for agent in agents]


def test_first_game_is_played_on_the_prior(matchups):
    player, unmoved = bayes_features(matchups), generalist(matchups)
    played, expected = (play_with(who, POOL[3]) for who in (player, unmoved))

    np.testing.assert_array_equal(played.lenient[:, 0], expected.lenient[:, 0])
    assert (played.lenient[:, 1:] != expected.lenient[:, 1:]).any()


def test_adapting_finds_the_partner_and_gains_over_the_generalist_and_the_oracle_over_both(
    matchups,
):
    means = np.zeros(3)
    for index, partner in enumerate(POOL):
        agent = get_agent(partner)
        scores = scores_with(agent, [get_agent(name) for name in POOL], games=300, seed=77)
        players = generalist(matchups), bayes_features(matchups), oracle(matchups, scores)
        means += [play_with(player, partner).lenient[:, 1:].mean() for player in players]
        assert (players[1].belief.probabilities.argmax(1) == index).mean() > 0.6, partner

    gains = np.diff(means) / len(POOL)
    assert gains[0] > 0.2
    assert gains[1] > 0


def test_two_meta_agents_learn_of_each_other(matchups):
    player, partner = bayes_features(matchups), bayes_features(matchups)

    played = play_episodes(player, partner, EPISODES, GAMES, SEED)
    again = play_episodes(bayes_features(matchups), bayes_features(matchups), EPISODES, GAMES, SEED)

    np.testing.assert_array_equal(played.lenient, again.lenient)
    for side in (player, partner):
        assert (side.belief.probabilities.max(1) > 0.5).mean() > 0.5


def test_what_generalist_oracle_and_random_response_play(matchups):
    scores = np.zeros((2, len(POOL)))
    scores[0, 2] = scores[1, 4] = 1
    best, informed = generalist(matchups), oracle(matchups, scores)
    random = random_response(matchups)
    for player in (best, informed, random):
        player.begin(200, SEED)

    for seat in range(2):
        of_best_mean = POOL[int(matchups.scores(seat).mean(1).argmax())]
        assert names_of(best.agents(0, seat)) == [of_best_mean] * 200
        assert names_of(informed.agents(seat, seat)) == [POOL[(2, 4)[seat]]] * 200
    games = np.array([names_of(random.agents(game, seat_of(game))) for game in range(2)])
    assert set(games.ravel()) == set(POOL)
    assert (games[0] == games[1]).mean() == pytest.approx(1 / len(POOL), abs=0.1)


@pytest.mark.parametrize("make", [bayes_features, generalist, random_response])
def test_sessions_are_reproducible_for_any_number_of_threads(matchups, make):
    player = make(matchups)

    once, again = (play_with(player, "piers", threads) for threads in (1, 2))

    np.testing.assert_array_equal(once.lenient, again.lenient)


def test_pool_of_another_size_than_the_belief_is_refused(matchups):
    with pytest.raises(HoadError, match="1 responses to 1 hypotheses, with a belief about 5"):
        MetaAgent("broken", matchups.select([0]), UniformBelief(5), ExpectedBest(matchups))


def test_published_population_gives_the_published_table(reference):
    """Canaan et al. 2022, Table IV, population 2 in distribution, meta-agent in the first seat.

    Twenty episodes here, 200 there; the features of all their games count at each update.
    """
    names = elite_names(str(reference / "canaan_5x5_population_2.json"))
    matchups = play_matchups(names, games=200, seed=2, threads=2)
    published = {"generalist": 11.90, "bayes-features": 12.23, "oracle": 12.80}
    published["random-response"] = 8.02

    means = dict.fromkeys(published, 0.0)
    for index, name in enumerate(names):
        known = np.stack([matchups.scores(seat)[:, index] for seat in range(2)])
        players = generalist(matchups), bayes_features(matchups, "cumulative")
        for player in (*players, oracle(matchups, known), random_response(matchups)):
            # Decks and random responses of its own for each partner, lest their luck be shared.
            played = play_episodes(player, get_agent(name), 20, 10, SEED + index)
            means[player.name] += played.lenient[:, played.seats == 0].mean() / len(names)

    assert means == pytest.approx(published, abs=0.4)
    assert means["generalist"] < means["bayes-features"] < means["oracle"]


def test_generalist_agent_is_the_best_of_the_pool_in_each_seat():
    pool = ("iggi", "flawed", "piers")
    scores = known_matchups(pool).lenient

    generalist = get_agent("generalist:iggi+flawed+piers")

    assert generalist.in_seat(0).name == pool[int(scores.mean(1).argmax())]
    assert generalist.in_seat(1).name == pool[int(scores.mean(0).argmax())]
    play([generalist, get_agent("iggi")], 5, seed=1)


def test_generalist_is_not_chosen_on_the_decks_of_a_table_of_seed_0(monkeypatch):
    chosen_on = []

    def spied(agents, games, seed):
        chosen_on.append(play([get_agent("iggi")] * 2, games, seed).decks)
        return play_matchups(agents, 2, seed)

    monkeypatch.setattr("hoad.bayes.matchups.play_matchups", spied)

    get_agent("generalist:iggi+internal")

    [decks] = chosen_on
    tested_on = play([get_agent("iggi")] * 2, 1_000, seed=0).decks
    assert len(decks) == 400
    assert not {deck.tobytes() for deck in decks} & {deck.tobytes() for deck in tested_on}


@pytest.mark.parametrize("prefix", ["generalist", "bayes-moves"])
@pytest.mark.parametrize("argument", ["absent", "iggi+igi", "iggi+iggi", "absent.json", ""])
def test_agents_of_pools_that_do_not_exist_are_refused(prefix, argument, tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    with pytest.raises(HoadError, match=f"^{prefix}:{argument.replace('+', '.')}: "):
        get_agent(f"{prefix}:{argument}")
