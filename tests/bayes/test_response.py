"""Pools of agents, and responses to their agents."""

import json
import re

import numpy as np
import pytest

from hoad.agents.features import OBSERVABLE
from hoad.bayes.matchups import Matchups
from hoad.bayes.pool import Pool, agents_of, find_pool, make_pool
from hoad.bayes.response import BestKnown, ExpectedBest, MostLikelyBest, RandomResponse
from hoad.core.errors import HoadError


@pytest.fixture
def population(tmp_path):
    path = tmp_path / "mine.json"
    elites = [{"niche": at, "chromosome": [8, 13], "fitness": None} for at in ([2, 3], [0, 1])]
    values = {"name": "mine", "grid": [4, 5], "rules": "published", "elites": elites}
    path.write_text(json.dumps(values))
    return path


def test_a_population_or_names_in_one_word_or_both_are_a_pool(population, monkeypatch):
    monkeypatch.setenv("MY_POPULATIONS", str(population.parent))
    pool, named = find_pool(str(population)), find_pool("iggi+rules:8,13+piers")
    joined, by_variable = (
        make_pool(["iggi"], str(population)),
        find_pool("$MY_POPULATIONS/mine.json"),
    )

    assert pool.agents == (f"elite:{population}/0,1", f"elite:{population}/2,3")
    assert pool.niches == ((0, 1), (2, 3))
    assert (pool.grid, pool.features, pool.label(1)) == ((4, 5), OBSERVABLE, "2,3")
    assert named.agents == ("iggi", "rules:8,13", "piers")
    assert (named.niches, named.label(1)) == ((None, None, None), "rules:8,13")
    assert (joined.agents[0], joined.niches) == ("iggi", (None, (0, 1), (2, 3)))
    assert by_variable.agents[0] == "elite:$MY_POPULATIONS/mine.json/0,1"
    assert [agent.name for agent in agents_of(by_variable.agents)] == list(by_variable.agents)


def test_agents_are_the_same_objects_whenever_asked_and_fair_ones_that_exist(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    assert agents_of(["iggi", "piers"]) is agents_of(("iggi", "piers"))
    with pytest.raises(HoadError, match="cheatbot"):
        agents_of(("iggi", "cheatbot"))
    with pytest.raises(HoadError, match="population 'absent'"):
        find_pool("absent")


OTHER_FEATURES = ("risk_aversion", "communicativeness")


def elites(name, grid=(4, 4), features=OBSERVABLE):
    return Pool((f"{name} a", f"{name} b"), ((0, 1), (2, 3)), grid, features)


@pytest.mark.parametrize(
    ("partners", "expected"),
    [
        (elites("other"), 1),
        (elites("other", grid=(5, 5)), None),
        (elites("other", features=OTHER_FEATURES), None),
        (elites("mine", features=OTHER_FEATURES), 1),
        (Pool(("iggi", "piers"), (None, None)), None),
    ],
)
def test_a_hypothesis_stands_for_itself_and_for_its_niche_on_the_same_axes(partners, expected):
    assert elites("mine").hypothesis(partners, 1) == expected


# Published check values by population: the generalist's niche, the expected scores of generalist,
# oracle and random response, and how many different responses the oracle has.
GENERALIST = {1: "23", 2: "14", 3: "23"}
EXPECTED = {1: (12.770, 13.286, 8.712), 2: (11.836, 12.846, 8.133), 3: (13.792, 13.980, 9.497)}
ORACLE_RESPONSES = {1: 7, 2: 10, 3: 4}

# By population: mean and maximum of the self-play diagonal; mean over hypotheses of the standard
# deviation over responses of communicativeness and IPP; mean difference between the two orders.
SPREAD = {
    1: (11.364, 19.54, 0.095, 0.127, 1.38),
    2: (11.655, 19.95, 0.115, 0.103, 1.48),
    3: (11.593, 20.00, 0.072, 0.104, 1.60),
}

# The oracle's response to each hypothesis (niches) and its score.
RESPONSE_TABLE = {
    1: "00->22 3.98; 01->24 3.96; 10->42 8.42; 11->33 10.63; 12->13 15.07; 13->33 16.01; "
    "14->33 15.97; 20->42 8.42; 21->33 9.04; 22->14 14.81; 23->24 19.62; 24->24 19.54; "
    "30->14 10.95; 31->42 8.41; 32->23 17.11; 33->24 19.45; 34->24 19.41; 40->14 10.99; "
    "41->42 8.30; 42->23 16.62; 43->23 17.79; 44->23 17.79",
    2: "00->12 4.45; 01->12 4.45; 10->43 7.05; 11->33 8.15; 12->24 14.38; 13->14 16.02; "
    "14->24 16.17; 20->43 7.05; 21->31 9.35; 22->24 15.40; 23->23 19.75; 24->24 19.95; "
    "30->32 7.47; 31->32 10.06; 32->34 16.46; 33->24 19.06; 34->24 19.16; 40->32 6.61; "
    "41->42 10.16; 42->33 15.84; 43->43 17.80; 44->34 17.82",
    3: "00->44 4.29; 01->44 4.32; 10->44 12.28; 11->23 8.26; 12->24 14.89; 13->24 16.57; "
    "14->23 16.63; 20->44 7.73; 21->33 14.10; 22->24 17.67; 23->24 20.10; 24->23 19.97; "
    "30->24 10.22; 31->23 12.07; 32->23 17.59; 33->23 20.07; 34->24 20.03; 40->24 9.33; "
    "41->24 9.54; 42->23 17.09; 43->24 17.48; 44->44 17.35",
}

SMALL = Matchups(
    ("a", "b", "c"),
    np.array([[9.0, 1.0, 1.0], [5.0, 5.0, 5.0], [0.0, 8.0, 0.0]]),
    np.zeros((3, 3)),
    np.zeros((3, 3, 2, 2)),
)


@pytest.mark.parametrize("population", [1, 2, 3])
def test_responses_expected_scores_and_the_spread_are_the_published_ones(published, population):
    matchups, prior = published(population), np.full((20_000, 22), 1 / 22)
    names, scores = np.array(matchups.agents), matchups.scores(0)
    random_response = RandomResponse(0, len(names))
    random_response.begin(20_000, seed=1)

    generalist = ExpectedBest(matchups).choose(prior[:1], seat=0)[0]
    certain = ExpectedBest(matchups).choose(np.eye(22), seat=0)
    drawn = random_response.choose(prior, seat=0)

    means = scores[generalist].mean(), scores[certain, np.arange(22)].mean(), scores.mean()
    assert names[generalist] == GENERALIST[population]
    assert means == pytest.approx(EXPECTED[population], abs=5e-4)
    assert scores[drawn].mean() == pytest.approx(EXPECTED[population][2], abs=0.1)
    table = re.findall(r"(\d\d)->(\d\d) ([\d.]+)", RESPONSE_TABLE[population])
    assert [(h, r) for h, r, _ in table] == list(zip(names, names[certain], strict=True))
    of_table = pytest.approx([float(score) for *_, score in table], abs=0.0051)
    assert scores[certain, np.arange(22)] == of_table
    assert len(set(certain.tolist())) == ORACLE_RESPONSES[population]
    # Self-play, how much features depend on the response, and scores on who moves first.
    expected, self_play = SPREAD[population], np.diag(scores)
    spread = np.nanstd(matchups.expected_features(0), axis=0).mean(0)
    assert (self_play.mean(), self_play.max()) == pytest.approx(expected[:2], abs=5e-3)
    assert tuple(spread) == pytest.approx(expected[2:4], abs=6e-4)
    assert np.abs(scores - scores.T).mean() == pytest.approx(expected[4], abs=5e-3)


@pytest.mark.parametrize(
    ("response", "seat", "beliefs", "chosen"),
    [
        # The expected best weighs scores by the belief; each seat is evaluated by games in it.
        (ExpectedBest(SMALL), 0, [[1 / 3] * 3, [0.8, 0.1, 0.1], [0.1, 0.8, 0.1]], [1, 0, 2]),
        (ExpectedBest(SMALL), 0, [[0, 1, 0]], [2]),
        (ExpectedBest(SMALL), 1, [[0, 0, 1]], [1]),
        # The most likely best ignores all but the most likely.
        *(
            (MostLikelyBest(SMALL), seat, 0.3 + 0.1 * np.eye(3), chosen)
            for seat, chosen in ((0, [0, 2, 1]), (1, [0, 0, 1]))
        ),
        (BestKnown(np.array([[3.0, 4.0], [6.0, 5.0]])), 0, np.full((2, 2), 0.5), [1, 1]),
        (BestKnown(np.array([[3.0, 4.0], [6.0, 5.0]])), 1, np.full((2, 2), 0.5), [0, 0]),
    ],
)
def test_responses_to_beliefs(response, seat, beliefs, chosen):
    assert response.choose(np.array(beliefs), seat).tolist() == chosen
