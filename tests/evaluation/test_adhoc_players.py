"""Nobody at the table may have met the partner, nor learned from the games of the table."""

import json

import numpy as np
import pytest
import torch
from hoad.evaluation.adhoc_players import PlayerMaker, check_players, play_pool
from hoad.evaluation.adhoc_recipe import META_AGENTS, AdhocRecipe
from hoad.evaluation.adhoc_run import run_adhoc

from hoad.adhoc import learned, matchups, session
from hoad.adhoc.bayes import response
from hoad.adhoc.learned import LowShot
from hoad.adhoc.player import AdhocPlayer
from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.game.log import encode_turns
from hoad.learning.maml.adapt import adapt
from hoad.learning.policies import PolicyAgent, load_meta_model
from tests.evaluation.decks import note_decks
from tests.meta_models import save_meta_model

IGGI = "rules:2,8,13,38,27,22"
RECIPE = {
    "partners": ["iggi"],
    "players": ["self-play"],
    "agents": ["piers", "iggi", IGGI, "outer"],
    "pool": ["piers", IGGI, "flawed", "iggi"],
    "episodes": 30,
    "trials": 3,
    "games_per_episode": 2,
    "matchup_games": 20,
    "out": "out",
}


def recipe_of(**changes):
    return check_recipe(RECIPE | changes, AdhocRecipe, "test")


def make(name, partner="iggi", **changes) -> AdhocPlayer:
    recipe = recipe_of(**{"players": [name]} | changes)
    return PlayerMaker(recipe, play_pool(recipe, threads=1)).make(name, partner)


def seated(player, episodes=30):
    player.begin(episodes, seed=1)
    return {agent.name for game in range(2) for agent in player.agents(game, game)}


def test_random_partner_is_never_the_partner():
    player = PlayerMaker(recipe_of()).make("random-partner", "iggi")

    assert seated(player) == {"piers", "outer"}


@pytest.mark.parametrize("name", META_AGENTS)
def test_meta_agents_never_play_as_the_partner(name):
    player = make(name)

    assert player.name == name
    assert seated(player) <= {"piers", "flawed"}


def test_random_response_plays_as_everybody_else_in_the_pool():
    player = make("random-response")

    assert seated(player) == {"piers", "flawed"}


def test_elites_join_the_pool_but_not_the_one_that_is_the_partner(tmp_path):
    path = tmp_path / "small.json"
    chromosomes = [[2, 8, 13, 38, 27, 22], [8, 38, 20]]
    elites = [
        {"niche": [0, niche], "chromosome": chromosome, "fitness": None}
        for niche, chromosome in enumerate(chromosomes)
    ]
    path.write_text(
        json.dumps({"name": "small", "grid": [2, 2], "rules": "first-50", "elites": elites})
    )

    player = make("random-response", population=str(path), pool=["piers"])

    assert seated(player) == {"piers", f"elite:{path}/0,1"}


def test_self_play_is_the_partner_itself():
    assert seated(make("self-play", "outer")) == {"outer"}


def test_any_agent_can_be_a_player():
    assert seated(make("simplebot")) == {"simplebot"}


@pytest.mark.parametrize(
    ("low_shot", "steps", "rate"),
    [
        ({}, 3, 0.1),
        ({"steps": 0}, 0, 0.1),
        ({"steps": 5}, 5, 0.1),
        ({"rate": 0.02}, 3, 0.02),
        ({"steps": 1, "rate": 0.02}, 1, 0.02),
    ],
)
def test_low_shot_adapts_as_the_recipe_says_and_else_as_its_checkpoint(
    low_shot, steps, rate, tmp_path, monkeypatch
):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    save_meta_model(tmp_path, "iggi", inner_rate=0.1, play_steps=3)
    model, _ = load_meta_model("iggi")
    logs = play([get_agent("iggi")] * 2, 3, seed=77)

    player = PlayerMaker(recipe_of(low_shot=low_shot)).make("low-shot", "iggi")
    assert isinstance(player, LowShot)
    agent = player.learn(logs, seed=5)

    assert isinstance(agent, PolicyAgent)
    adapted = adapt(model, encode_turns(logs), rate, steps)
    for mine, expected in zip(agent.network.parameters(), adapted.parameters(), strict=True):
        torch.testing.assert_close(mine, expected)


@pytest.mark.parametrize(
    ("player", "learns"),
    [
        ("low-shot", learned),
        ("naive", learned),
        ("adaptive", matchups),
        ("oracle", response),
    ],
)
def test_no_player_learns_from_games_of_the_table(player, learns, tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    save_meta_model(tmp_path, "iggi")
    learned_from = note_decks(monkeypatch, learns, "play")
    of_the_table = note_decks(monkeypatch, session, "play_numbered")
    small = {"hidden": [8], "batch_size": 32, "epochs": 1}

    run_adhoc(recipe_of(players=[player], naive=small, out=str(tmp_path)), threads=1)

    assert learned_from
    assert len(of_the_table) == 30 * 2
    assert not learned_from & of_the_table


def test_the_table_is_on_other_decks_than_recordings_of_its_seed(tmp_path, monkeypatch):
    recipe = recipe_of(out=str(tmp_path), seed=4)
    iggi = get_agent("iggi")
    recorded = play([iggi, iggi], recipe.episodes * recipe.games_per_episode, recipe.seed)
    of_the_table = note_decks(monkeypatch, session, "play_numbered")

    run_adhoc(recipe, threads=1)

    assert len(of_the_table) == len(recorded.decks)
    assert not of_the_table & {deck.tobytes() for deck in recorded.decks}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"players": ["self-play", "low-shoot"]}, "'low-shoot'; did you mean low-shot?"),
        ({"players": ["generalist"], "pool": ["iggi", IGGI]}, "iggi: no hypothesis remains"),
        ({"players": ["generalist"], "pool": ["piers", "igi"]}, "igi"),
        ({"players": ["generalist"], "pool": ["piers", "outer", "piers"]}, "piers is named twice"),
        ({"source": "imitators"}, r"imitator/rules_.*model\.safetensors"),
        ({"players": ["low-shot:flawed"]}, "maml/flawed"),
        ({"players": ["zero-shot@20"]}, r"maml/iggi/step-20\.safetensors"),
        ({"players": ["low-shot@20"]}, r"maml/iggi/step-20\.safetensors"),
    ],
)
def test_players_that_cannot_be_made_are_noticed_before_the_games(
    changes, complaint, monkeypatch, tmp_path
):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))

    with pytest.raises(HoadError, match=complaint):
        recipe = recipe_of(**changes)
        check_players(recipe, [("iggi", player) for player in recipe.players])


def test_imitators_take_the_seats_if_the_recipe_says_so():
    imitators = PlayerMaker(recipe_of(source="imitators"))

    assert imitators.seated("iggi").name == "imitator:iggi"
    assert PlayerMaker(recipe_of()).seated("iggi").identity == get_agent("iggi").identity


def test_only_learners_have_trials():
    maker = PlayerMaker(recipe_of())

    assert maker.repetitions("low-shot").max() == 2
    assert maker.repetitions("naive").max() == 2
    assert maker.repetitions("low-shot:iggi").max() == 2
    assert maker.repetitions("low-shot@2000").max() == 2
    assert maker.repetitions("zero-shot@2000").max() == 29
    np.testing.assert_array_equal(maker.repetitions("adaptive"), np.arange(30))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"trials": 31}, "trials = 31 is more than episodes = 30"),
        ({"games_per_episode": 3}, "games_per_episode = 3"),
        ({"players": ["iggi", "iggi"]}, "players names somebody twice"),
        ({"players": ["adaptive"], "pool": []}, "pool or population is needed"),
        ({"players": ["random-partner"], "agents": []}, "agents is needed"),
        ({"source": "clones"}, "source = 'clones'"),
        ({"naive": {"epoch": 1}}, r"unknown key naive.epoch \(did you mean epochs"),
    ],
)
def test_recipes_that_make_no_sense_are_refused(changes, complaint):
    with pytest.raises(HoadError, match=complaint):
        recipe_of(**changes)
