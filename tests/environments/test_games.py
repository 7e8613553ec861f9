"""Games in lockstep between a learner and a partner are those of the plain game."""

from itertools import product
from unittest import mock

import numpy as np
import pytest

from hoad.agents import Agent, Batch, get_agent, play
from hoad.agents.process.agent import take_bot
from hoad.core.errors import HoadError
from hoad.environments.games import ILLEGAL_RETURN, LearnerGames
from hoad.game.game import Game
from hoad.game.moves import MOVES
from hoad.game.state import full_game
from tests.agents.bot_games import InLockstep
from tests.agents.process.bots import PYTHON_BOT
from tests.scripts import prints_the_same_without_compilation

SEED = 5
DECK = full_game(2).cards

Position = tuple[bytes, bytes]
"""A deck and the moves made."""


def position(state: np.record) -> Position:
    return state.deck[:DECK].tobytes(), state.table.actions[: int(state.table.turn)].tobytes()


def moves_of(agent: Agent, games: LearnerGames) -> np.ndarray:
    """The moves of an agent without memory and without chance in the learner's place."""
    moves = np.empty(len(games.states), np.uint8)
    for seat in range(2):
        rows = np.flatnonzero(games.states["table"]["current"] == seat)
        memory, streams = agent.new_memory(len(rows)), np.zeros(len(rows), np.uint64)
        moves[rows] = agent.act(Batch(games.states[rows], seat, memory, streams))
    return moves


def random_moves(games: LearnerGames, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(games.masks.shape) * games.masks).argmax(1)


def returns_of_random_games(games: LearnerGames, count: int) -> list[tuple[float, np.record]]:
    """The sum of the rewards and the last state of each of the first games that end."""
    rng, totals = np.random.default_rng(SEED), np.zeros(len(games.states))
    found: list[tuple[float, np.record]] = []
    games.restart(SEED)
    while len(found) < count:
        games.step(random_moves(games, rng))
        totals += games.rewards
        for place in np.flatnonzero(games.ended):
            found.append((totals[place], games.states[place].copy()))
            totals[place] = 0
        games.renew()
    return found


@pytest.mark.parametrize(
    ("partner", "places"),
    [
        *product(("piers", "holmesbot", "noisy:0.2:holmesbot"), (1, 7)),
        (None, 3),  # the learner moves for both players
    ],
)
def test_they_are_the_games_that_both_agents_play(partner: str | None, places: int) -> None:
    learner, games = get_agent("van-den-bergh"), LearnerGames(partner, places)
    other = get_agent(partner) if partner else learner
    both = play([learner, other], 8, SEED), play([other, learner], 8, SEED)
    expected = {
        (both[game % 2].decks[game].tobytes(), both[game % 2].actions_of(game).tobytes())
        for game in range(8)
    }
    played: set[Position] = set()

    games.restart(SEED)
    while len(played) < 20:
        assert partner or games.seats.tolist() == games.states["table"]["current"].tolist()
        games.step(moves_of(learner, games))
        played |= {position(state) for state in games.states[games.ended]}
        games.renew()

    assert expected <= played


@pytest.mark.parametrize("seat", [0, 1])
def test_the_learner_may_keep_a_seat(seat: int) -> None:
    games = LearnerGames("iggi", 5, seat=seat)
    games.restart(SEED)

    for name in ("current", "turn"):
        assert set(games.states["table"][name].tolist()) == {seat}


@pytest.mark.parametrize("partner", ["iggi", None])
def test_the_learner_sees_what_its_player_sees(partner: str | None) -> None:
    games, rng = LearnerGames(partner, 3), np.random.default_rng(1)
    games.restart(SEED)
    for _ in range(60):
        games.step(random_moves(games, rng))
        games.renew()
        observations = games.observations()
        for place, state in enumerate(games.states):
            game = Game(deck=state.deck[:DECK])
            for action in state.table.actions[: int(state.table.turn)]:
                game.step(int(action))
            assert observations[place].tolist() == game.observation().tolist()
            assert np.flatnonzero(games.masks[place]).tolist() == game.legal_moves


def test_rewards_sum_to_the_score() -> None:
    strict = returns_of_random_games(LearnerGames("iggi", 10), 40)
    lenient = returns_of_random_games(LearnerGames("iggi", 10, score="lenient"), 40)

    assert [total for total, _ in lenient] == [state.table.score for _, state in lenient]
    assert [total for total, _ in strict] == [
        state.table.score if state.table.lives else 0 for _, state in strict
    ]
    assert max(state.table.score for _, state in strict) > 0


class Counting(InLockstep):
    """Plays as iggi, and counts how often each move was made."""

    def __init__(self) -> None:
        super().__init__(get_agent("iggi"))
        self.memory_size = MOVES

    def observe(
        self, states: np.ndarray, seat: int, memory: np.ndarray, actions: np.ndarray
    ) -> None:
        memory[np.arange(len(states)), actions] += 1


@pytest.mark.parametrize("partner", ["iggi", Counting()])
@pytest.mark.parametrize("action", [0, -1, 20, 10**9])
def test_an_illegal_action_ends_the_game_at_a_loss(action: int, partner: str | Agent) -> None:
    games = LearnerGames(partner, 1, seat=0, score="lenient")
    games.restart(SEED)
    assert not games.masks[0, 0]  # a discard with all tokens
    total = 0.0
    while games.masks[0, 0]:
        games.step(np.array([int(games.masks[0].argmax())]))
        total += games.rewards[0]

    games.step(np.array([action]))

    assert games.ended[0] and not games.masks.any()
    assert total + games.rewards[0] == ILLEGAL_RETURN
    games.step(np.array([action]))
    assert games.ended[0] and games.rewards[0] == 0  # the game has ended


def test_a_seed_gives_the_same_games_again_and_a_restart_without_one_the_next_games() -> None:
    games = LearnerGames("van-den-bergh", 4)
    runs = [[position(state) for _, state in returns_of_random_games(games, 9)] for _ in range(2)]
    assert runs[0] == runs[1]

    decks = []
    games.restart(SEED)
    for _ in range(2):
        decks += [state.deck[:DECK].tolist() for state in games.states]
        games.restart()
    assert decks == play([get_agent("iggi")] * 2, 8, SEED).decks.tolist()


class Stubborn(Agent):
    """Discards, although that is illegal with all tokens."""

    name = "stubborn"

    def weights(self, batch: Batch) -> np.ndarray:
        return np.eye(20)[np.zeros(len(batch.states), int)]

    def observe(self, *arguments: object) -> None:
        raise AssertionError("an illegal move is observed")


def test_a_program_is_told_of_each_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    games, rng = LearnerGames(PYTHON_BOT, 1), np.random.default_rng(SEED)
    taken = mock.Mock(wraps=take_bot)
    monkeypatch.setattr("hoad.agents.process.agent.take_bot", taken)

    games.restart(SEED)
    while not games.ended[0]:
        games.step(random_moves(games, rng))

    assert taken.call_count == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"partner": "cheatbot"}, "cheatbot sees its own hand"),
        ({"partner": get_agent("cheatbot")}, "cheatbot sees its own hand"),
        ({"partner": "igi"}, "did you mean iggi"),
        ({"games": 0}, "games=0"),
        ({"seat": 2}, "seat=2"),
        ({"partner": None, "seat": 1}, "seat=1 in self-play"),
        ({"score": "mild"}, "score='mild'"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict, told: str) -> None:
    with pytest.raises(HoadError, match=told):
        LearnerGames(**({"partner": "iggi", "games": 1} | arguments))


def test_wrong_calls_are_refused() -> None:
    games = LearnerGames("iggi", 2)
    with pytest.raises(HoadError, match="seed is -1"):
        games.restart(-1)
    games.restart(1)
    with pytest.raises(HoadError, match=r"shape \(3,\), expected \(2,\)"):
        games.step(np.zeros(3, int))
    with pytest.raises(HoadError, match="agent stubborn: illegal move"):
        LearnerGames(Stubborn(), 1, seat=1).restart(1)


@pytest.mark.parametrize("name", ["iggi", "van-den-bergh", "holmesbot", "fireflower"])
def test_both_ways_give_the_same_games(name: str) -> None:
    rng = np.random.default_rng(2)
    games = [LearnerGames(agent, 6) for agent in (get_agent(name), InLockstep(get_agent(name)))]
    for side in games:
        side.restart(3)
    for _ in range(80):
        moves = random_moves(games[0], rng)
        for side in games:
            side.step(moves)
            side.renew()
        assert games[0].states.tobytes() == games[1].states.tobytes()
        np.testing.assert_array_equal(games[0].packed, games[1].packed)


PROGRAM = """
import hashlib
import numpy as np
from hoad.environments.games import LearnerGames
digest = hashlib.sha1()
for partner in "van-den-bergh", "holmesbot", "noisy:0.3:iggi":
    games, rng = LearnerGames(partner, 3), np.random.default_rng(0)
    games.restart(8)
    for step in range(6):
        games.step((rng.random(games.masks.shape) * games.masks).argmax(1))
        games.renew()
        digest.update(games.states.tobytes() + games.packed.tobytes() + games.rewards.tobytes())
print(digest.hexdigest())
"""


def test_games_are_the_same_without_compilation() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
