"""A player that moves as a model of its partner predicts."""

from hoad.agents import get_agent
from hoad.agents.player import Support
from hoad.partners.player import ModelPlayer
from hoad.partners.pool import Nearest
from hoad.players.episodes import play_episodes


def test_it_learns_the_partner_from_the_support():
    partner = get_agent("valuebot")
    pool = [get_agent(name) for name in ("iggi", "valuebot")]
    player = ModelPlayer("model", Support(partner, 2, 2), lambda: Nearest(pool))

    played = play_episodes(player, partner, 2, 2, seed=1)

    assert played.strict.mean() > 10  # iggi loses nearly all lives with it
