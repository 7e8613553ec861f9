"""Episodes of players, and games that they watch before."""

from pathlib import Path

import numpy as np
import pytest

from hoad.adhoc_player import AdhocPlayer, Fixed, RandomPartner, play_episodes, seat_of
from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, replay
from hoad.players.nearest import NearestPlayer
from hoad.players.registry import Column
from hoad.players.roster import Roster, TablePartner
from hoad.replay.dataset import make_dataset, write_dataset

EPISODES, GAMES, SEED = 6, 4, 11


class Scribe(AdhocPlayer):
    """Plays as two agents in turn and writes down what it is shown."""

    name = "scribe"
    watches = True

    def __init__(self) -> None:
        self.pair = [get_agent("iggi"), get_agent("flawed")]
        self.shown: list[tuple[int, int, GameLogs]] = []

    def begin(self, episodes, seed):
        self.episodes = episodes

    def agents(self, game, seat):
        return [self.pair[(game + episode) % 2] for episode in range(self.episodes)]

    def watch(self, game, seat, logs):
        self.shown.append((game, seat, logs))


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_fixed_player_plays_the_numbered_games_in_its_seat_or_moves_first_in_odd_ones(seat):
    iggi, piers = get_agent("iggi"), get_agent("piers")

    played = play_episodes(Fixed("x", iggi), piers, EPISODES, GAMES, SEED, seat=seat)

    assert played.seats.tolist() == ([1, 0, 1, 0] if seat is None else [seat] * GAMES)
    for game, where in enumerate(played.seats):
        order = [piers, iggi] if where else [iggi, piers]
        expected = replay(play(order, EPISODES * GAMES, SEED)).scores.reshape(EPISODES, GAMES)
        np.testing.assert_array_equal(played.lenient[:, game], expected[:, game])


def test_two_players_that_learn_are_shown_the_same_games_from_both_seats():
    player, partner = Scribe(), Scribe()
    partner.pair.reverse()

    played = play_episodes(player, partner, EPISODES, GAMES, SEED)

    assert [(game, 1 - seat) for game, seat, _ in partner.shown] == [
        (game, seat) for game, seat, _ in player.shown
    ]
    for (game, seat, logs), (*_, theirs) in zip(player.shown, partner.shown, strict=True):
        assert theirs is logs
        np.testing.assert_array_equal(replay(logs).scores, played.lenient[:, game])
        for episode in range(EPISODES):
            ours, other = player.pair[(game + episode) % 2], partner.pair[(game + episode) % 2]
            seats = [ours, other] if seat == 0 else [other, ours]
            alone = play(seats, 1, SEED, first_game=episode * GAMES + game)
            np.testing.assert_array_equal(logs.actions_of(episode), alone.actions)


def test_two_players_make_their_random_choices_apart():
    drawn = []

    class Noting(RandomPartner):
        def agents(self, game, seat):
            drawn.append([agent.name for agent in super().agents(game, seat)])
            return super().agents(game, seat)

    pool = [get_agent(name) for name in ("iggi", "flawed")]
    play_episodes(Noting("one", pool), Noting("other", pool), 50, 2, SEED)

    assert len(drawn) == 4
    assert drawn[0] != drawn[1]


def test_strict_score_is_zero_or_the_lenient_score():
    played = play_episodes(Fixed("x", get_agent("flawed")), get_agent("flawed"), 20, GAMES, SEED)

    assert (played.strict == 0).any()
    np.testing.assert_array_equal(
        played.strict[played.strict > 0], played.lenient[played.strict > 0]
    )


def test_learning_player_is_shown_every_game_in_the_order_of_episodes():
    scribe = Scribe()

    played = play_episodes(scribe, get_agent("piers"), EPISODES, GAMES, SEED)

    shown = [(game, seat) for game, seat, _ in scribe.shown]
    assert shown == [(game, seat_of(game)) for game in range(GAMES)]
    for game, _, logs in scribe.shown:
        np.testing.assert_array_equal(replay(logs).scores, played.lenient[:, game])


def test_random_partner_draws_every_agent_of_its_pool_again_each_game():
    pool = [get_agent(name) for name in ("iggi", "piers", "outer")]
    player = RandomPartner("random-partner", pool)
    player.begin(300, SEED)

    drawn = np.array([[pool.index(a) for a in player.agents(game, 0)] for game in range(4)])

    shares = [(drawn == index).mean() for index in range(3)]
    assert shares == pytest.approx([1 / 3] * 3, abs=0.05)
    assert (drawn[0] == drawn[1]).mean() == pytest.approx(1 / 3, abs=0.1)
    once, again = (
        play_episodes(player, get_agent("internal"), EPISODES, GAMES, SEED, threads=threads)
        for threads in (1, 2)
    )
    np.testing.assert_array_equal(once.lenient, again.lenient)


def test_players_without_agents_for_all_episodes_are_refused():
    scribe = Scribe()
    scribe.agents = lambda game, seat: [get_agent("iggi")]  # type: ignore[method-assign]

    with pytest.raises(HoadError, match="no agents to draw from"):
        RandomPartner("random-partner", [])
    with pytest.raises(HoadError, match="player scribe: 1 agents for 6 episodes in game 0"):
        play_episodes(scribe, get_agent("piers"), EPISODES, GAMES, SEED)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A file with five self-play games of iggi, and one of piers before them."""
    logs = play([get_agent("iggi")] * 2, 6, seed=1)
    names = [("piers", "piers"), *[("iggi", "iggi")] * 5]
    write_dataset(tmp_path / "iggi.h5", make_dataset(logs, names, {}, "test"))
    return tmp_path / "iggi.h5"


@pytest.mark.parametrize("in_folder", [False, True])
def test_each_trial_watches_the_next_games_of_the_partner(recorded: Path, in_folder: bool) -> None:
    path = recorded.parent if in_folder else recorded
    roster = Roster(seed=1, trials=2, support_games=2, support=str(path))

    first, second = roster.support_of("iggi").play(seed=9)

    logs = play([get_agent("iggi")] * 2, 6, seed=1)
    assert np.array_equal(first.decks, logs.decks[1:3])
    assert np.array_equal(second.decks, logs.decks[3:5])


def test_games_of_three_players_and_too_few_are_refused(recorded: Path, tmp_path: Path) -> None:
    logs = play([get_agent("iggi")] * 3, 4, seed=1)
    file = tmp_path / "three.h5"
    write_dataset(file, make_dataset(logs, [("iggi",) * 3], {}, "test"))
    roster = Roster(seed=1, trials=2, support_games=2, support=str(file))

    with pytest.raises(HoadError, match=r"three\.h5: games of 3 players"):
        roster.support_of("iggi")
    assert (
        Roster(seed=1).settings_identity
        == Roster(seed=2).settings_identity
        != Roster(seed=1, support="x").settings_identity
    )
    few = Roster(seed=1, trials=3, support_games=2, support=str(recorded))
    with pytest.raises(HoadError, match="5 self-play games of iggi, expected 6"):
        few.support_of("iggi")


@pytest.fixture
def games_of_a_person(tmp_path: Path) -> Path:
    """A file with four games of P001 with a program, which moves first."""
    logs = play([get_agent("iggi"), get_agent("piers")], 4, seed=1)
    dataset = make_dataset(logs, [("eger-full", "P001")] * 4, {}, "test")
    write_dataset(tmp_path / "people.h5", dataset)
    return tmp_path / "people.h5"


def test_players_watch_the_person_of_which_the_partner_is_a_proxy(games_of_a_person: Path) -> None:
    roster = Roster(seed=1, trials=2, support_games=2, support=str(games_of_a_person))

    support = roster.support_of(f"program:{games_of_a_person}:P001")

    (first, seats), (second, _) = support.play_seated(seed=9)
    logs = play([get_agent("iggi"), get_agent("piers")], 4, seed=1)
    assert np.array_equal(first.decks, logs.decks[:2])
    assert np.array_equal(second.decks, logs.decks[2:])
    assert seats.tolist() == [[False, True]] * 2
    with pytest.raises(HoadError, match="self-play games only"):
        support.play(seed=9)


@pytest.mark.parametrize(
    ("player", "trials", "complaint"),
    [
        ("nearest", 3, "4 games of P001, expected 6"),
        ("nearest-response", 3, "4 games of P001, expected 6"),
        ("bayes-moves-support", 2, "self-play games only"),
        ("python:learner.py:Mine", 2, "self-play games only"),
    ],
)
def test_support_that_a_player_cannot_learn_from_is_refused_before_games(
    player: str,
    trials: int,
    complaint: str,
    games_of_a_person: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(games_of_a_person.parent)
    Path("learner.py").write_text("from hoad import AdhocLearner as Mine\n")
    support = str(games_of_a_person)
    roster = Roster(seed=1, trials=trials, support_games=2, support=support, pool_agents=("outer",))

    with pytest.raises(HoadError, match=complaint):
        Column.parse(player).check(roster, TablePartner(f"program:{games_of_a_person}:P001"))


def test_players_learn_from_the_seat_of_the_person_alone(games_of_a_person: Path) -> None:
    roster = Roster(seed=1, trials=1, support_games=4, support=str(games_of_a_person))
    support = roster.support_of(f"program:{games_of_a_person}:P001")

    player = NearestPlayer("nearest", support, ["iggi", "piers"])
    player.begin(2, seed=1)

    assert [agent.name for agent in player.agents(0, 0)] == ["piers", "piers"]
