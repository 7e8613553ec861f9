"""No player may have met the partner, and kept games are found by what they depend on."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from hoad.adhoc_player import AdhocPlayer
from hoad.agents import get_agent, play
from hoad.bayes.matchups import play_matchups
from hoad.core.errors import HoadError
from hoad.evolution.population import save_population
from hoad.game.log import encode_turns
from hoad.learning.maml.inner_loop import adapt
from hoad.learning.policies import PolicyAgent, load_meta_model
from hoad.learning.recipes import LowShotRecipe
from hoad.players import search
from hoad.players.models import ModelKind
from hoad.players.networks import LowShotPlayer
from hoad.players.player_kind import PlayerKind
from hoad.players.registry import KINDS, Column
from hoad.players.roster import Roster, TablePartner
from hoad.players.search import SearchOracleKind
from hoad.search import strategy
from hoad.search.effort import NETWORK_EFFORT, ORACLE_EFFORT
from tests.evolution.test_population import small_population
from tests.meta_models import save_meta_model

SEATED = "generalist:simplebot+flawed"  # an agent for each seat
IGGI = "rules:2,8,13,38,27,22"
POOL = ("piers", IGGI, "flawed", "iggi")
META_AGENTS = [w for w, kind in KINDS.items() if kind.needs_matchups and w != "niche"]


def roster_of(**changes) -> Roster:
    values: dict[str, Any] = {
        "seed": 0,
        "agents": ("piers", "iggi", IGGI, "outer"),
        "trials": 3,
        "pool_agents": POOL,
        "matchup_games": 20,
    }
    return Roster(**values | changes)


def with_matchups(**changes) -> Roster:
    names = roster_of(**changes).pool.agents
    return roster_of(**changes, matchups=play_matchups(names, 20))


def make(name, partner="iggi", **changes) -> AdhocPlayer:
    column = Column.parse(name)
    roster = with_matchups(**changes) if column.kind.needs_matchups else roster_of(**changes)
    return column.make(roster, TablePartner(partner))


def agents_in(player, episodes=30):
    player.begin(episodes, seed=1)
    return [agent for game in range(2) for agent in player.agents(game, game)]


def seated(player):
    return {name for agent in agents_in(player) for name in agent.plays_as or [agent.name]}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("low-shot", ("low-shot", "", "")),
        ("low-shot@500:outer", ("low-shot", "500", "outer")),
        ("naive:imitator:iggi", ("naive", "", "imitator:iggi")),
        ("zero-shot@20", ("zero-shot", "20", "")),
        ("nearest+elites", ("nearest", "", "")),
        ("bayes-features+elites", ("bayes-features", "", "")),
        ("adaptive", ("", "", "")),
        ("naive+elites", ("", "", "")),
        ("zero-shot:iggi", ("", "", "")),
        ("naive@20", ("", "", "")),
        ("generalist:iggi+piers", ("", "", "")),
        ("rules:2,8", ("", "", "")),
        ("search+elites", ("search", "", "")),
        ("search@2", ("", "", "")),
        ("search-oracle@2", ("", "", "")),
        ("search:iggi", ("", "", "")),
    ],
)
def test_names_of_players_are_taken_apart(name, parts):
    column = Column.parse(name)

    assert (column.word, column.variant, column.learned_from) == parts


@pytest.mark.parametrize("name", [*KINDS, "simplebot", "python:mine.py:Mine"])
def test_every_kind_has_a_class(name):
    assert isinstance(Column.parse(name).bind(roster_of(), TablePartner("iggi")), PlayerKind)


@pytest.mark.parametrize(
    ("name", "partner", "plays_as"),
    [
        ("random-partner", "iggi", {"piers", "outer"}),
        ("random-response", "iggi", {"piers", "flawed"}),
        ("self-play", "outer", {"outer"}),
        ("simplebot", "iggi", {"simplebot"}),
    ],
)
def test_players_play_as_themselves_or_as_others_than_the_partner(name, partner, plays_as):
    assert seated(make(name, partner)) == plays_as


@pytest.mark.parametrize("name", META_AGENTS)
def test_meta_agents_never_play_as_the_partner(name):
    player = make(name)

    assert player.name == name
    assert seated(player) <= {"piers", "flawed"}


def test_elites_join_the_pool_but_not_the_one_that_is_the_partner(tmp_path):
    path = tmp_path / "small.json"
    elites = ((0, 0), (2, 8, 13, 38, 27, 22), None), ((0, 1), (8, 38, 20), None)
    save_population(path, small_population((2, 2), *elites))

    player = make("random-response", population=str(path), pool_agents=("piers",))

    assert seated(player) == {"piers", f"elite:{path}/0,1"}


def test_a_partner_that_is_not_held_out_is_a_hypothesis():
    roster = with_matchups(hold_out=None)

    assert roster.pool_for(TablePartner("iggi")).agents == POOL
    oracle = Column.parse("oracle").make(roster, TablePartner("iggi", hypothesis=2))
    matchups = roster.matchups_for(TablePartner("iggi"))
    best = {POOL[int(matchups.scores(seat)[:, 2].argmax())] for seat in range(2)}
    assert seated(oracle) == {get_agent(name).name for name in best}


@pytest.mark.parametrize(
    ("name", "low_shot", "steps", "rate"),
    [
        ("low-shot", {}, 3, 0.1),
        ("low-shot", {"steps": 0}, 0, 0.1),
        ("low-shot", {"steps": 5}, 5, 0.1),
        ("low-shot", {"rate": 0.02}, 3, 0.02),
        ("low-shot", {"steps": 1, "rate": 0.02}, 1, 0.02),
        ("low-shot:flawed", {}, 3, 0.1),  # other games, the same meta-model
    ],
)
def test_low_shot_adapts_as_the_recipe_says_and_else_as_its_checkpoint(
    name, low_shot, steps, rate, own_checkpoints
):
    save_meta_model(own_checkpoints, "iggi", inner_rate=0.1, play_steps=3)
    model, _ = load_meta_model("iggi")
    logs = play([get_agent("iggi")] * 2, 3, seed=77)

    roster = roster_of(low_shot=LowShotRecipe(**low_shot))
    player = Column.parse(name).make(roster, TablePartner("iggi"))
    assert isinstance(player, LowShotPlayer)
    agent = player.learn(logs, np.ones((3, 2), np.bool_), seed=5, trial=0)

    assert isinstance(agent, PolicyAgent)
    adapted = adapt(model, encode_turns(logs), rate, steps)
    for mine, expected in zip(agent.network.parameters(), adapted.parameters(), strict=True):
        torch.testing.assert_close(mine, expected)


@pytest.mark.parametrize(
    ("player", "changes", "complaint"),
    [
        ("low-shoot", {}, "'low-shoot'; did you mean low-shot?"),
        ("low-shot@", {}, "'low-shot@'; did you mean low-shot?"),
        ("low-shot:", {}, "nothing follows the colon"),
        ("low-shot:absent.h5", {}, "absent.h5"),
        ("generalist:absent", {}, "absent"),
        ("bayes-moves:iggi+absent", {}, "absent"),
        ("search:rainbow", {}, "rainbow"),
        ("generalist", {"pool_agents": ("iggi", IGGI)}, "iggi: no hypothesis remains"),
        ("generalist", {"pool_agents": ("piers", "igi")}, "igi"),
        ("generalist", {"pool_agents": ("piers", "outer", "piers")}, "piers is named twice"),
        ("niche", {}, "no niche"),
        ("random-partner", {"source": "imitators"}, r"imitator/rules_.*model\.safetensors"),
        ("low-shot@20", {"hold_out": "family"}, "maml/walton-rivers"),
        ("iggi", {}, "player iggi: iggi is, plays as or was trained on the partner"),
        ("noisy:0.0:iggi", {}, "noisy:0.0:iggi is, plays as"),
        ("maml:piers", {}, "maml:piers is, plays as or was trained on the partner iggi"),
        ("zero-shot", {"meta_model": "piers"}, "maml:piers is, plays as or was trained on"),
        ("low-shot", {"meta_model": "piers"}, "maml:piers is, plays as or was trained on"),
        ("flawed", {"hold_out": "family"}, "the partner iggi or its family"),
        ("zero-shot@20", {}, r"maml/iggi/step-20\.safetensors"),
        ("low-shot@20", {}, r"maml/iggi/step-20\.safetensors"),
        ("model", {"pool_agents": ("iggi", IGGI)}, "iggi: no hypothesis remains"),
        ("search:iggi", {}, "player search:iggi: search:iggi is, plays as"),
    ],
)
def test_impossible_players_are_noticed_before_games(player, changes, complaint, own_checkpoints):
    with pytest.raises(HoadError, match=complaint):
        roster_of(**changes).check()
        Column.parse(player).check(roster_of(**changes), TablePartner("iggi"))


@pytest.mark.parametrize("name", ["zero-shot", "low-shot"])
def test_meta_models_of_several_seeds_take_the_trials_in_turn(name, own_checkpoints):
    for number, held_out in enumerate(("iggi", "iggi.1")):
        save_meta_model(own_checkpoints, held_out, play_steps=0, torch_seed=number)
    identities = [get_agent(f"maml:{held_out}").identity for held_out in ("iggi", "iggi.1")]

    player = Column.parse(name).make(roster_of(meta_models=2), TablePartner("iggi"))
    player.begin(6, seed=1)

    assert player.repetitions(6).tolist() == [0, 0, 1, 1, 0, 0]  # the trainings
    played = [agent.identity for agent in player.agents(0, 0)[::2]]
    assert played == [identities[0], identities[1], identities[0]]
    rosters = [roster_of(meta_models=models) for models in (1, 2)]
    one, two = (Column.parse(name).identity(roster, TablePartner("iggi")) for roster in rosters)
    assert one != two
    other = roster_of(meta_model="iggi.1")  # plays with all partners
    [agent] = set(agents_in(Column.parse("zero-shot").make(other, TablePartner("piers"))))
    assert agent.identity == identities[1]


@pytest.mark.parametrize("hold_out", ["agent", "family"])
@pytest.mark.parametrize("name", ["nearest", "nearest-response", "bayes-moves-support"])
def test_players_with_support_never_play_as_the_partner(name, hold_out):
    pool = ("simplebot", "holmesbot", IGGI, "flawed")

    player = make(name, pool_agents=pool, hold_out=hold_out)

    left = {"simplebot", "holmesbot"} | ({"flawed"} if hold_out == "agent" else set())
    assert seated(player) <= left
    assert player.repetitions(30).max() == 2


def test_only_players_that_learn_from_games_have_trials(own_checkpoints):
    save_meta_model(own_checkpoints, "iggi")

    for name in ("low-shot", "naive", "low-shot:iggi"):
        assert make(name).repetitions(30).max() == 2
    for name in ("zero-shot", "bayes-features", "self-play"):
        assert make(name).repetitions(30).tolist() == list(range(30))


def digest_of(value) -> str:
    """Return the digest of plain values by which kept games are found."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:12]


class TestIdentities:
    """Kept games are found by them, so they never change."""

    def identities(self, *names):
        return [repr(get_agent(name).identity) for name in names]

    def identity(self, player, **changes):
        return Column.parse(player).identity(roster_of(**changes), TablePartner("iggi"))

    def test_are_those_of_kept_games(self):
        assert self.identity("self-play") == digest_of([])
        assert self.identity("piers") == digest_of(self.identities("piers"))
        others = self.identities("piers", "outer")
        assert self.identity("random-partner") == digest_of(others)
        known = digest_of([self.identities(*POOL), 20])
        for player in ("generalist", "bayes-features", "oracle", "random-response"):
            assert self.identity(player) == known
        naive = roster_of().naive.model_dump(mode="json")
        version = "each unit is dropped half of the time"
        assert self.identity("naive") == digest_of([version, naive, [3, 10], []])
        outer = self.identities("outer")
        assert self.identity("naive:outer") == digest_of([version, naive, [3, 10], outer])

    def test_of_meta_models_are_those_of_kept_games(self, own_checkpoints):
        save_meta_model(own_checkpoints, "iggi", inner_rate=0.1, play_steps=3)
        [model] = self.identities("maml:iggi")

        assert self.identity("zero-shot") == digest_of([model])
        recipe = {"steps": None, "rate": None}
        expected = digest_of([model, [3, 0.1], recipe, [3, 10], []])
        assert self.identity("low-shot") == expected

    def test_of_partners_are_those_of_kept_games(self):
        [identity] = self.identities("iggi")

        assert roster_of().partner_identity(TablePartner("iggi")) == digest_of(identity)
        assert roster_of().partner_identity(TablePartner("iggi", 2)) != digest_of(identity)
        assert roster_of().agent_named("iggi").identity == get_agent("iggi").identity
        assert roster_of(source="imitators").agent_named("iggi").name == "imitator:iggi"

    def test_of_players_whose_network_is_not_here_are_unknown(self, own_checkpoints):
        assert self.identity("zero-shot@20") is None
        assert self.identity("generalist", population="absent") is None

    def test_of_own_players_that_fail_there_are_none(self, tmp_path):
        (tmp_path / "mine.py").write_text("class Mine(")

        with pytest.raises(HoadError, match="SyntaxError"):
            self.identity(f"python:{tmp_path / 'mine.py'}:Mine")

    @pytest.mark.parametrize("changes", [{"score": "strict"}, {"hold_out": "family"}])
    @pytest.mark.parametrize("kind", ["generalist", "oracle", "nearest-response", "bayes-moves"])
    def test_depend_on_score_and_hold_out(self, kind, changes):
        pool = {"pool_agents": ("simplebot", "holmesbot")}

        assert self.identity(kind, **pool) != self.identity(kind, **pool, **changes)

    @pytest.mark.parametrize(
        ("kind", "changes", "depends"),
        [
            ("nearest", {"support_games": 9}, True),
            ("generalist", {"support_games": 9}, False),
            ("most-likely", {"evidence": "cumulative"}, True),
            ("bayes-features", {"evidence": "cumulative"}, True),
            ("likelihood", {"matchups_from": ("of other decks",)}, True),
        ],
    )
    def test_depend_on_support_evidence_and_matchups(self, kind, changes, depends):
        assert (self.identity(kind) != self.identity(kind, **changes)) == depends


def test_nearest_plays_without_matchups_and_its_kept_games_are_found():
    roster = roster_of(pool_agents=("simplebot", "holmesbot"))

    assert roster.matchups is None
    assert seated(Column.parse("nearest").make(roster, TablePartner("valuebot"))) == {"holmesbot"}
    identities = [repr(get_agent(name).identity) for name in roster.pool_agents]
    expected = digest_of([identities, 20, [3, 10], []])
    assert Column.parse("nearest").identity(roster, TablePartner("valuebot")) == expected


@pytest.mark.parametrize("hold_out", ["agent", "family"])
@pytest.mark.parametrize("name", ["model", "search"])
def test_what_models_know_leaves_out_the_partner(name, hold_out):
    pool = ("simplebot", "holmesbot", IGGI, "flawed")
    roster = roster_of(pool_agents=pool, hold_out=hold_out)

    kind = Column.parse(name).bind(roster, TablePartner("iggi"))

    assert isinstance(kind, ModelKind)
    left = ("simplebot", "holmesbot") + (("flawed",) if hold_out == "agent" else ())
    assert tuple(agent.name for agent in kind.pool) == left
    assert roster.without([f"maml:{kind.meta_model}"], TablePartner("iggi"))
    assert kind.make().watches == (name == "search")


@pytest.mark.parametrize(
    ("partner", "pool"),
    [("van-den-bergh", ("iggi", "simplebot")), ("rainbow", ("iggi", "rainbow"))],
)
def test_search_oracle_knows_the_partner_and_responds_with_an_agent_of_the_pool(partner, pool):
    player = make("search-oracle", partner, pool_agents=pool)

    [agent] = set(agents_in(player))

    assert [one.name for one in agent.model.agents] == [partner]
    assert agent.blueprint.name == "iggi"


def test_the_partner_is_one_blueprint_where_the_pool_has_it_too():
    kind = Column.parse("search-oracle").bind(
        roster_of(pool_agents=("iggi", "outer")), TablePartner("iggi")
    )

    assert isinstance(kind, SearchOracleKind)
    assert [agent.name for agent in kind.possible_blueprints()] == ["iggi", "outer"]


@pytest.mark.parametrize(
    ("partner", "effort"), [("rainbow", NETWORK_EFFORT), (SEATED, ORACLE_EFFORT)]
)
def test_search_oracle_computes_less_with_a_network_only(partner, effort):
    player = make("search-oracle", partner, pool_agents=("iggi",))

    [agent] = set(agents_in(player))

    assert agent.effort == replace(effort, strict=False)


@pytest.mark.parametrize(
    ("partner", "pool", "complaint"),
    [
        ("noisy:0.1:simplebot", ("iggi",), r"noisy:0\.1:simplebot"),
        ("rainbow", (), "needs a rule list or bot"),
    ],
)
def test_search_oracle_is_refused_before_any_game_if_it_cannot_search(partner, pool, complaint):
    with pytest.raises(HoadError, match=complaint):
        Column.parse("search-oracle").check(roster_of(pool_agents=pool), TablePartner(partner))


def test_the_identity_of_search_depends_on_its_settings(monkeypatch):
    def identity(name, **changes):
        return Column.parse(name).identity(roster_of(**changes), TablePartner("iggi"))

    before = identity("search")
    assert before != identity("search", support_games=9)
    settings = (
        (search, "HYPOTHESES", 3),
        (strategy, "GAINS", {"model": (0.0, 0.0), "held": (1.0, 1.0)}),
        (strategy, "HELD", 0.2),
        (strategy, "PRIOR_GAMES", 1.0),
    )
    for module, setting, value in settings:
        with monkeypatch.context() as patch:
            patch.setattr(module, setting, value)
            assert before != identity("search")
